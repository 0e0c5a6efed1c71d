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

// A thread of a block that has begun.
struct Begun {
  torchada_xyz thread{};
  unsigned int index = 0;
  unsigned int spins = 0;
  void* frame = nullptr;  // of a thread without a stack
};

struct Fiber : Continuation, Begun {
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

  bool has_thread = false;  // that it runs

 private:
  unsigned char* memory_;
  unsigned char* top_;
  void (*const main_)(boost::context::detail::transfer_t);
};

}  // namespace musa
