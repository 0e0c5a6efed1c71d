// State of one thread in one library. By pthread_getspecific: a PT_TLS segment takes room that
// dlopen may not find (tests/golden/elf_check.py refuses it).
#pragma once

#include "stubs/system/thread_count.h"
#include "stubs/table.h"

namespace torchada {

// The status that the replacement library itself returned last on this thread; see
// cudart/errors.cpp.
int last_error();
void set_last_error(int status);

// Whether this thread is inside a dlopen of this library's own.
bool is_opening_here();

// Marks the thread as inside our dlopen. May be nested.
class Opening {
 public:
  Opening() : is_marked_(enter_opening()) {}
  ~Opening() { leave_opening(is_marked_); }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  static bool enter_opening();  // False if the C library had no room to mark the thread.
  static void leave_opening(bool is_marked);

  bool is_marked_;
};

}  // namespace torchada
