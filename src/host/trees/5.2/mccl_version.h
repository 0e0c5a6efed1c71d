// Version of MCCL in this SDK. Assumed: as in 5.1.0. Its package is 2.4.0 (docs.mthreads.com,
// version-5.2.0/docker_guide), which is no number of NCCL's kind.
#pragma once

#define MCCL_MAJOR 2
#define MCCL_MINOR 28
#define MCCL_PATCH 9
#define MCCL_SUFFIX ""
