// Letters in mangled names.
#pragma once

#include <string.h>

namespace torchada::kernels {

inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_one_of(char c, const char* letters) { return c != '\0' && strchr(letters, c); }

// The operands of an operator in an expression; 0 if these two letters are none.
unsigned operands_of(const char* at);

}  // namespace torchada::kernels
