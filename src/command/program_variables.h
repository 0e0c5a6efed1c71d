// Variables of other projects that name a library's file or its folder: for programs that otherwise
// take the first such file in the process, or a bare name, or that search the loader's cache
// themselves.
#pragma once

namespace torchada {

struct ProgramVariable {
  const char* name;
  const char* unversioned;  // Of the library to which the variable leads.
  bool is_folder;
};

inline constexpr ProgramVariable kProgramVariables[] = {
    {"VLLM_CUDART_SO_PATH", "libcudart.so", false}, {"VLLM_NCCL_SO_PATH", "libnccl.so", false},
    {"SGLANG_NCCL_SO_PATH", "libnccl.so", false},   {"TRITON_LIBCUDA_PATH", "libcuda.so", true},
    {"NUMBA_CUDA_DRIVER", "libcuda.so", false},
};

}  // namespace torchada
