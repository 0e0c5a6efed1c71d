// What nvcc's constructors register of a program's device code.
#pragma once

#include <stdint.h>

namespace torchada {

enum class CodeKind : uint8_t { kKernel, kVariable, kManaged, kHostVariable, kTexture, kSurface };

// Variables that cudaGetSymbolAddress and similar functions accept.
inline bool is_variable(CodeKind kind) {
  return kind == CodeKind::kVariable || kind == CodeKind::kManaged ||
         kind == CodeKind::kHostVariable;
}

}  // namespace torchada
