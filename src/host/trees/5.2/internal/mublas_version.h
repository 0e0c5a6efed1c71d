// Version of muBLAS in this SDK. Evidence: docs.mthreads.com, version-5.2.0/docker_guide (the
// package; assumed: the library reports the same).
#pragma once

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 13
#define MUBLAS_VERSION_PATCH 0
