// As for a CPU, in place of NVIDIA's instructions.
#pragma once
#include <nv/target>
#pragma push_macro("NV_IS_DEVICE")
#pragma push_macro("NV_IS_HOST")
#undef NV_IS_DEVICE
#undef NV_IS_HOST
#define NV_IS_DEVICE NV_NO_TARGET
#define NV_IS_HOST NV_ANY_TARGET
#include_next <cuda/std/__atomic/types/base.h>
#pragma pop_macro("NV_IS_DEVICE")
#pragma pop_macro("NV_IS_HOST")
