// Version of MCCL in this SDK. Evidence: MooreThreads/torch_musa issue
// 101 (2.11.4).
#ifndef TORCHADA_HOST_MCCL_VERSION_H_
#define TORCHADA_HOST_MCCL_VERSION_H_

#define MCCL_MAJOR 2
#define MCCL_MINOR 11
#define MCCL_PATCH 4
#define MCCL_SUFFIX ""

#endif  // TORCHADA_HOST_MCCL_VERSION_H_
