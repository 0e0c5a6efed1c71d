#include "facts.h"

// The CUDA runtime this cublasLt was built with; MUSA's answer would be in MUSA's numbering.
extern "C" size_t torchada_adapter_cublasLtGetCudartVersion() { return torchada::kCudaVersion; }
