// What mcc makes programs call: before main, to register their device code, and where they write
// kernel<<<...>>>().
//
// Names: programs and objects in InfiniTensor/Learning-CUDA import them. Linked with
// libmusart.so.1.0 of SDK 3.1.0: 03_nf4_dequant/xfarawayx/kernel_noncuda/moore/nf4_dequant_musa at
// d6abb29; with libmusart.so.4, by mcc 4.3.1: 03_nf4_dequant/ayepei/mexc/nf4_musa at 97543f8; an
// object of mcc 4.3.5: tester/tester_moore.o at ccacc14. Prototypes: the arguments in their code.
#pragma once

#include "musa_runtime_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

// `fatCubin` is in the section .mtFatBinSegment: {0x466243b1, 1, a bundle of clang's, 0}.
MUSARTAPI void** __musaRegisterFatBinary(void* fatCubin);
MUSARTAPI void __musaUnregisterFatBinary(void** fatCubinHandle);
MUSARTAPI void __musaRegisterFunction(void** fatCubinHandle, const char* hostFun, char* deviceFun,
                                      const char* deviceName, int thread_limit, struct uint3* tid,
                                      struct uint3* bid, struct dim3* bDim, struct dim3* gDim,
                                      int* wSize);
MUSARTAPI void __musaRegisterVar(void** fatCubinHandle, char* hostVar, char* deviceAddress,
                                 const char* deviceName, int ext, size_t size, int constant,
                                 int global);
MUSARTAPI unsigned int __musaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem,
                                                   musaStream_t stream);
MUSARTAPI musaError_t __musaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                                 void* stream);

#if defined(__cplusplus)
}
#endif
