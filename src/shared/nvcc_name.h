// Names of device code with internal linkage. nvcc puts a hash of the file into them; clang, and
// with it MUSA's compiler, does not. Seen in what nvcc 13.0 lets programs register, and in what
// clang 14 emits:
//
//   static __global__ void k(int*)      _Z1kPi                      _ZL1kPi
//   the same in a namespace ns          _ZN2ns1kEPi                 _ZN2nsL1kEPi
//   in an unnamed namespace             _ZN..._GLOBAL__N__..1kEPi   _ZN12_GLOBAL__N_11kEPi
//   static __device__ int v             v                           _ZL1v
//   the same in a namespace ns          _ZN.._INTERNAL_..2ns1vE     _ZN2nsL1vE
//   any of them with -rdc=true          __nv_static_N_..._NAME      (with a hash of clang's own)
//
// Older nvcc gives kernels names with _INTERNAL_ as well.
#pragma once

#include <stddef.h>

namespace torchada::kernels {

// Writes clang's name for nvcc's `name` to `out`, ended by a zero. `is_static`: the last part is
// declared static, which nvcc's name does not tell. Returns the length; 0 if there is no such name,
// if it is `name` itself, or if it is longer than `room`.
size_t clang_name(const char* name, bool is_static, char* out, size_t room);

// What clang_name needs at most, with the zero.
size_t room_for_clang_name(const char* name);

}  // namespace torchada::kernels
