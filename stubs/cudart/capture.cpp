// cudaStreamGetCaptureInfo up to CUDA 12: status and id only. The MUSA function of that name may
// take six arguments, and would then write through whatever the registers hold. The _v2 form is
// certain, and null pointers ask it for nothing more.
#include "stubs/cudart/answers.h"

#if TORCHADA_ABI < 13
using namespace torchada;

extern "C" int torchada_adapter_cudaStreamGetCaptureInfo(void* stream, int* status,
                                                         unsigned long long* id) {
  return told("cudaStreamGetCaptureInfo",
              musaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr));
}

extern "C" int torchada_adapter_cudaStreamGetCaptureInfo_ptsz(void* stream, int* status,
                                                              unsigned long long* id) {
  return torchada_adapter_cudaStreamGetCaptureInfo(own_stream(stream), status, id);
}
#endif
