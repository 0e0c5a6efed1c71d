// Version of MCCL in this SDK. Evidence: flagos-ai/Torch-FL pull request 105.
#pragma once

#define MCCL_MAJOR 2
#define MCCL_MINOR 28
#define MCCL_PATCH 9
#define MCCL_SUFFIX ""
