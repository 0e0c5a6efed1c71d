// Makes one call in a new process, where it may crash, hang or exit without harm.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/no_musa/arguments.h"

namespace no_musa {

enum class Ending : std::uint8_t { kNotCalled, kReturned, kSignal, kExited, kTimeout };

// Plain data: children write it into shared memory.
struct Outcome {
  Ending ending = Ending::kNotCalled;
  int detail = 0;  // The signal, or the exit status.
  std::uint64_t rax = 0;
  double xmm0 = 0;
  char text[160] = {};  // If the result is read as text.
  bool is_null = false;
  std::uint32_t written = 0;  // One bit for each pointer.
  bool has_last_error = false;
  std::uint32_t peeked = 0, got = 0;  // What the runtime reports as its last error afterwards.
};

struct Call {
  void* function = nullptr;
  std::vector<PointerPlace> pointers;  // Each gets its own page of zeros.
  bool result_is_text = false;
  int (*peek_last_error)() = nullptr;  // Null: do not ask.
  int (*get_last_error)() = nullptr;
};

// Makes the call in a child, which is killed after `seconds`. `out` is in memory shared with
// children.
void call_in_child(const Call& call, int seconds, Outcome* out);

}  // namespace no_musa
