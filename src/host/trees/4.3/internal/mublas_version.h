// Version of muBLAS in this SDK. Assumed: as in 5.1.0. Nobody has shown the version in 4.3.
#pragma once

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 10
#define MUBLAS_VERSION_PATCH 6
