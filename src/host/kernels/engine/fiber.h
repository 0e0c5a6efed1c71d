// A stack on which threads of a block run.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "src/host/kernels/engine/stack_notes.h"
#include "src/host/kernels/include/torchada_image.h"

namespace musa {

// Where something goes on that was left.
struct Continuation {
  boost::context::detail::fcontext_t at = nullptr;
  StackNotes notes;
};

struct Fiber : Continuation {
  // `number`: of the fiber in its worker.
  Fiber(unsigned int number, void (*main)(boost::context::detail::transfer_t));
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Forgets what runs on it.
  void restart();
  void* top() const { return top_; }
  // Whether this is the page below the stack.
  bool is_guard(const void* address) const;

  // The thread that it runs, if it runs one.
  bool has_thread = false;
  torchada_xyz thread{};
  unsigned int index = 0;
  unsigned int spins = 0;

 private:
  unsigned char* memory_;
  unsigned char* top_;
  void (*const main_)(boost::context::detail::transfer_t);
};

}  // namespace musa
