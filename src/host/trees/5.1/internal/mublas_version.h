// Version of muBLAS in this SDK. Evidence:
// flagos-ai/KernelGenBench:docs/mublas.md at a65c13e (1.10.6).
#pragma once

#define MUBLAS_VERSION_MAJOR 1
#define MUBLAS_VERSION_MINOR 10
#define MUBLAS_VERSION_PATCH 6
