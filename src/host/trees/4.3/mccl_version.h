// Version of MCCL in this SDK. Assumed: as in 3.1.0 to 4.1.1. Nobody has shown the version in 4.3.
#pragma once

#define MCCL_MAJOR 2
#define MCCL_MINOR 11
#define MCCL_PATCH 4
#define MCCL_SUFFIX ""
