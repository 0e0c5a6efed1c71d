// Version of muBLAS in this SDK. Assumed: as in 5.1.0. Nobody has shown the version in 4.3.
#ifndef TORCHADA_HOST_MUBLAS_VERSION_H_
#define TORCHADA_HOST_MUBLAS_VERSION_H_

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 10
#define MUBLAS_VERSION_PATCH 6

#endif  // TORCHADA_HOST_MUBLAS_VERSION_H_
