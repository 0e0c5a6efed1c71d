// Version of muBLAS in this SDK. Evidence: MooreThreads/torch_musa issue
// 101 (1.6.0).
#ifndef TORCHADA_HOST_MUBLAS_VERSION_H_
#define TORCHADA_HOST_MUBLAS_VERSION_H_

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 6
#define MUBLAS_VERSION_PATCH 0

#endif  // TORCHADA_HOST_MUBLAS_VERSION_H_
