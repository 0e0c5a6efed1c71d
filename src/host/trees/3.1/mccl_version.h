// Version of MCCL in this SDK. Evidence: MooreThreads/torch_musa issue
// 101 (2.11.4).
#pragma once

#define MCCL_MAJOR 2
#define MCCL_MINOR 11
#define MCCL_PATCH 4
#define MCCL_SUFFIX ""
