#!/usr/bin/env python3
"""An ordinary CUDA program that brings its kernel as source, for NVRTC. It knows nothing about MUSA or torchada."""

import ctypes

SOURCE = b'extern "C" __global__ void twice(int* values) { values[threadIdx.x] *= 2; }'
nvrtc, cuda = ctypes.CDLL("libnvrtc.so.12"), ctypes.CDLL("libcuda.so.1")


def check(status):
    if status != 0:
        raise SystemExit(f"compile.py: status {status}")


context, device = ctypes.c_void_p(), ctypes.c_int()
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))

program, size = ctypes.c_void_p(), ctypes.c_size_t()
check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE, b"twice.cu", 0, None, None))
if nvrtc.nvrtcCompileProgram(program, 0, None) != 0:
    check(nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
    log = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetProgramLog(program, log))
    raise SystemExit(f"compile.py: {log.value.decode()}")
check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
code = ctypes.create_string_buffer(size.value)
check(nvrtc.nvrtcGetPTX(program, code))

module, kernel, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
check(cuda.cuModuleLoadData(ctypes.byref(module), code))
check(cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"twice"))
values = (ctypes.c_int * 64)(*range(64))
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(256)))
check(cuda.cuMemcpyHtoD_v2(memory, values, ctypes.c_size_t(256)))
parameters = (ctypes.c_void_p * 1)(ctypes.addressof(memory))
check(cuda.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, None, parameters, None))
check(cuda.cuMemcpyDtoH_v2(values, memory, ctypes.c_size_t(256)))
same = list(values) == [2 * value for value in range(64)]
print("compile.py: 64 numbers doubled:", "right" if same else "WRONG")
