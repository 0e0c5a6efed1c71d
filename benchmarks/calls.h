// The callers: the same code for every design, each compiled against other names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

using Loop = void (*)(std::uint64_t calls);

struct Calls {
  std::size_t count;  // Functions.
  void (*all)();      // Calls each of them once, in order.
  const Loop* loops;  // Loops over one of them, by index.
  int (*const* functions)(int*);
  const char* const* names;
};

extern const Calls direct, slot, forwarder, eager, compare;
// Exports of the emitted libcudart that are direct, and their targets without it.
extern const Calls cudart, cudart_targets;
// Those of them that several programs use.
extern const Calls used, used_targets;
#ifdef BENCH_IMPLIB
extern const Calls implib;
#endif

}  // namespace bench
