// Version of muBLAS in this SDK. Evidence: MooreThreads/torch_musa issue
// 101 (1.6.0).
#pragma once

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 6
#define MUBLAS_VERSION_PATCH 0
