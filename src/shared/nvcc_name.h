// Names of device code with internal linkage, as nvcc lets programs register them and as clang has
// them, and with it MUSA's compiler and the stand-in's. nvcc puts the name of the source into some,
// with hashes around it (fbaae8a4_4_a_cu_main for a.cu); clang does not. Seen with nvcc 12.4 and
// 13.0 and with clang 14 and 19:
//
//   static __global__ void k(int*)      _Z1kPi                      _ZL1kPi
//   the same in a namespace ns          _ZN2ns1kEPi                 _ZN2nsL1kEPi
//   in an unnamed namespace             _ZN..._GLOBAL__N__..1kEPi   _ZN12_GLOBAL__N_11kEPi
//   static __device__ int v             v                           _ZL1v
//   the same in a namespace ns          _ZN.._INTERNAL_..2ns1vE     _ZN2nsL1vE
//   of a lambda in a static function f  _Z1kIZN.._INTERNAL_..1f...  _Z1kIZL1f...
//   any of them with -rdc=true          __nv_static_N_..._NAME      (with a hash of clang's own)
//
// _INTERNAL_... is a level of the name: the numbers of the references behind it (S1_) are higher by
// one than clang's.
#pragma once

#include <stddef.h>

namespace torchada::kernels {

// The name of a source as nvcc writes it into names: SoftMax_cu for SoftMax.cu. What is no letter
// and no digit is an underscore, byte by byte.
struct SourceName {
  const char* text = nullptr;  // Null if there is none.
  size_t length = 0;
};

inline constexpr size_t kLongestSource = 255;  // Of a file's name on Linux.

bool is_same(const SourceName& one, const SourceName& other);

// The source that nvcc's `name` tells. Points into `name`.
SourceName source_in(const char* name);

// Writes such a character of a source's name as nvcc does.
char in_source_name(char c);

// Which functions of a name are declared static nvcc's name does not tell, so there are several
// names that clang may have. Each is one of these variants.
inline constexpr unsigned kMostInner = 6;  // Functions inside a name, as those around a lambda.
inline constexpr unsigned kNameVariants = 2 * (kMostInner + 2);

// Writes clang's name for nvcc's `name` to `out`, ended by a zero. Returns the length; 0 if there
// is no such variant, if clang's name has no internal linkage, or if it is longer than `room`.
// Takes time in proportion to the length, whatever the bytes are, and little of the stack.
size_t clang_name(const char* name, unsigned variant, char* out, size_t room);

// What clang_name needs at most, with the zero.
size_t room_for_clang_name(const char* name);

// Writes each name that clang may have for nvcc's `name` to `out` and calls use(length), until that
// returns true. Returns whether it did.
template <typename Use>
bool any_clang_name(const char* name, char* out, size_t room, Use use) {
  for (unsigned variant = 0; variant < kNameVariants; ++variant) {
    const size_t length = clang_name(name, variant, out, room);
    if (length != 0 && use(length)) return true;
  }
  return false;
}

// Whether clang's `name` says itself that it has internal linkage.
bool is_internal(const char* name);

}  // namespace torchada::kernels
