// Atomic functions. Each is one of the CPU's, or a loop of compare-and-swap.
#pragma once

#include "torchada_threads.h"

namespace torchada {

template <typename Type, typename Change>
TORCHADA_DEVICE Type change(Type* address, Change change_one) {
  Type old = *address;  // It need not be whole: then it is not what is there.
  Type wanted = change_one(old);
  while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
    wanted = change_one(old);
  }
  return old;
}

}  // namespace torchada

#define TORCHADA_ATOMIC(type, function, builtin)             \
  TORCHADA_DEVICE type function(type* address, type value) { \
    return builtin(address, value, __ATOMIC_SEQ_CST);        \
  }
#define TORCHADA_ATOMIC_LOOP(type, function, expression)                                \
  TORCHADA_DEVICE type function(type* address, type value) {                            \
    return torchada::change(address, [value](type old) -> type { return expression; }); \
  }
#define TORCHADA_ATOMICS(type)                                     \
  TORCHADA_ATOMIC(type, atomicAnd, __atomic_fetch_and)             \
  TORCHADA_ATOMIC(type, atomicOr, __atomic_fetch_or)               \
  TORCHADA_ATOMIC(type, atomicXor, __atomic_fetch_xor)             \
  TORCHADA_ATOMIC_LOOP(type, atomicMin, value < old ? value : old) \
  TORCHADA_ATOMIC_LOOP(type, atomicMax, value > old ? value : old)
// CUDA has none of these for long long: programs have their own.
#define TORCHADA_COUNTERS(type)                        \
  TORCHADA_ATOMIC(type, atomicAdd, __atomic_fetch_add) \
  TORCHADA_EXCHANGE(type)                              \
  TORCHADA_COMPARE(type)
// A thread that waits for a lock comes by here again and again.
#define TORCHADA_EXCHANGE(type)                                 \
  TORCHADA_DEVICE type atomicExch(type* address, type value) {  \
    torchada_spin_here();                                       \
    type old;                                                   \
    __atomic_exchange(address, &value, &old, __ATOMIC_SEQ_CST); \
    return old;                                                 \
  }
#define TORCHADA_COMPARE(type)                                                    \
  TORCHADA_DEVICE type atomicCAS(type* address, type compare, type value) {       \
    torchada_spin_here();                                                         \
    __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_SEQ_CST, \
                              __ATOMIC_SEQ_CST);                                  \
    return compare;                                                               \
  }

TORCHADA_FOR_EACH(TORCHADA_ATOMICS, int, unsigned int, long long, unsigned long long)
TORCHADA_FOR_EACH(TORCHADA_COUNTERS, int, unsigned int, unsigned long long)
TORCHADA_ATOMIC(int, atomicSub, __atomic_fetch_sub)
TORCHADA_ATOMIC(unsigned int, atomicSub, __atomic_fetch_sub)
TORCHADA_ATOMIC_LOOP(float, atomicAdd, old + value)
TORCHADA_ATOMIC_LOOP(double, atomicAdd, old + value)
TORCHADA_EXCHANGE(float)
TORCHADA_ATOMIC_LOOP(unsigned int, atomicInc, old >= value ? 0 : old + 1)
TORCHADA_ATOMIC_LOOP(unsigned int, atomicDec, old == 0 || old > value ? value : old - 1)
TORCHADA_COMPARE(unsigned short)
// As documented, each part for itself.
TORCHADA_DEVICE float2 atomicAdd(float2* address, float2 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
TORCHADA_DEVICE float4 atomicAdd(float4* address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
          atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#undef TORCHADA_ATOMIC
#undef TORCHADA_ATOMICS
#undef TORCHADA_COUNTERS
#undef TORCHADA_EXCHANGE
#undef TORCHADA_COMPARE

#define TORCHADA_SCOPES(function)                                      \
  template <typename Type, typename Other>                             \
  TORCHADA_DEVICE Type function##_block(Type* address, Other value) {  \
    return function(address, static_cast<Type>(value));                \
  }                                                                    \
  template <typename Type, typename Other>                             \
  TORCHADA_DEVICE Type function##_system(Type* address, Other value) { \
    return function(address, static_cast<Type>(value));                \
  }
TORCHADA_FOR_EACH(TORCHADA_SCOPES, atomicAdd, atomicSub, atomicAnd, atomicOr, atomicXor, atomicMin,
                  atomicMax, atomicInc, atomicDec, atomicExch)
template <typename Type, typename Other, typename Third>
TORCHADA_DEVICE Type atomicCAS_block(Type* address, Other compare, Third value) {
  return atomicCAS(address, static_cast<Type>(compare), static_cast<Type>(value));
}
template <typename Type, typename Other, typename Third>
TORCHADA_DEVICE Type atomicCAS_system(Type* address, Other compare, Third value) {
  return atomicCAS(address, static_cast<Type>(compare), static_cast<Type>(value));
}
#undef TORCHADA_SCOPES
