// How the arguments of an emitted adapter reach a function of MUSA whose types have other names.
#pragma once

namespace torchada {

// Pointers, and integers that hold addresses, keep their bits; other integers their value.
template <typename To, typename From>
To passed(From from) {
  static_assert(sizeof(To) >= sizeof(From), "the value may not fit");
  if constexpr (sizeof(To) == sizeof(From)) {
    To to;  // std::bit_cast, which gcc 10 lacks.
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
  } else {
    return static_cast<To>(from);
  }
}

}  // namespace torchada
