// Contexts. The memory, streams and events of a device belong to its primary context; a context
// that a program creates is another handle for the same device, with a life of its own.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "musa.h"
#include "musa_runtime_api.h"

namespace musa {

class Runtime;

struct Context {
  Context(int ordinal, bool is_primary) : device(ordinal), primary(is_primary) {}

  const int device;
  const bool primary;
  MUcontext handle = nullptr;
  unsigned int flags = 0;  // of a created context; those of a primary one are the device's
  // A primary context is not alive until somebody retains it or the runtime needs it, and after a
  // reset.
  std::atomic<bool> alive{false};

  // Of a primary context, guarded by the lock in contexts.cpp.
  unsigned int retained = 0;     // by programs
  bool used_by_runtime = false;  // which retains it once, until a reset
};

// The calling thread's contexts. Plain pointers, because static destructors may still call this
// library after the thread's own objects are destroyed.
struct OwnContexts {
  using Stack = std::vector<std::shared_ptr<Context>>;
  Stack* stack = nullptr;
  Context* top = nullptr;
  int chosen = -1;  // the device
};
inline thread_local constinit OwnContexts own_contexts;

// The top of the stack is current.
inline Context* current_context() { return own_contexts.top; }  // null if there is none
std::shared_ptr<Context> find_context(MUcontext handle);
void push_context(std::shared_ptr<Context> context);
std::shared_ptr<Context> pop_context();  // null if the stack is empty
// Replaces the top. Null removes it.
void set_context(std::shared_ptr<Context> context);

std::shared_ptr<Context> create_context(int device, unsigned int flags);
// False if the handle is unknown or that of a primary context. Removes the top of the calling
// thread's stack if it is this context; elsewhere the context stays, destroyed.
bool destroy_context(MUcontext handle);

std::shared_ptr<Context> primary_context(int device);
std::shared_ptr<Context> retain_primary(int device);
// For the runtime: the context is alive from now on, but not current.
std::shared_ptr<Context> begin_primary(int device);
// Sets `last` if nobody uses the context any more. False if nobody had retained it.
bool release_primary(int device, bool* last);
// The device was reset: nothing of the context is left. Retaining it still counts.
void end_primary(int device);

// The device of the thread's current context, otherwise the one that it chose; -1 before that.
inline int chosen_device() {
  const OwnContexts& own = own_contexts;
  return own.top != nullptr ? own.top->device : own.chosen;
}
// The device of the current context if that can be used; otherwise -1: ensure_context() is needed.
inline int device_ready() {
  const Context* const top = own_contexts.top;
  return top != nullptr && (top->alive.load() || !top->primary) ? top->device : -1;
}
// Makes the device's primary context current for the runtime, unless the thread has a current
// context that can be used.
void ensure_context(int device);
// What musaSetDevice does. Current is since SDK 5.0 the device's primary context. Before, it only
// if it is alive, else none until a call needs one. Assumed by analogy: CUDA changed this in 12.0.
void choose_device(int device);

// musaErrorDeviceUninitialized (MUSA_ERROR_INVALID_CONTEXT) without a current context,
// musaErrorContextIsDestroyed if it is not alive.
musaError_t check_context();
// Whether a runtime call must fail because the thread's context was destroyed under it. Most
// programs destroy none, and their calls look no further.
inline std::atomic<bool> any_context_destroyed{false};
bool top_is_destroyed();
inline bool context_is_lost() {
  return any_context_destroyed.load(std::memory_order_relaxed) && top_is_destroyed();
}

}  // namespace musa
