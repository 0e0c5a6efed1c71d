// Version of MCCL in this SDK. Evidence: facts/musa.md section 1.
#ifndef TORCHADA_HOST_MCCL_VERSION_H_
#define TORCHADA_HOST_MCCL_VERSION_H_

#define MCCL_MAJOR 2
#define MCCL_MINOR 11
#define MCCL_PATCH 4
#define MCCL_SUFFIX ""

#endif  // TORCHADA_HOST_MCCL_VERSION_H_
