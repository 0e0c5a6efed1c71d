// A toolkit's random numbers. Where they have an instruction of NVIDIA's and C++ for CPUs, they
// take the latter: what has `asm` in it becomes two arguments of a macro, which tells it.
#pragma once
#include <curand.h>

#include <nv/target>
#pragma push_macro("NV_IF_ELSE_TARGET")
#pragma push_macro("NV_PROVIDES_SM_61")
#undef NV_IF_ELSE_TARGET
#undef NV_PROVIDES_SM_61
#define NV_PROVIDES_SM_61 NV_NO_TARGET
#define NV_IF_ELSE_TARGET(condition, device, cpu) \
  TORCHADA_TAKE(TORCHADA_THIRD(device, 1, 0, ), device, cpu)
#define TORCHADA_THIRD(a, b, c, ...) c
#define TORCHADA_TAKE(has_asm, ...) TORCHADA_TAKE_THIS(has_asm, __VA_ARGS__)
#define TORCHADA_TAKE_THIS(has_asm, ...) TORCHADA_TAKE_##has_asm(__VA_ARGS__)
#define TORCHADA_TAKE_0(device, cpu) device
#define TORCHADA_TAKE_1(before, after, cpu) cpu
#define asm , asm
#include_next <curand_kernel.h>
#undef asm
#pragma pop_macro("NV_IF_ELSE_TARGET")
#pragma pop_macro("NV_PROVIDES_SM_61")
