#include "src/host/musa/contexts.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "src/host/musa/operations.h"
#include "src/host/shared/handle_table.h"

namespace musa {
namespace {

using Stack = std::vector<std::shared_ptr<Context>>;

// Plain pointers, because static destructors may still call this library after the thread's own
// objects are destroyed.
thread_local Stack* stack = nullptr;
thread_local Context* top = nullptr;
thread_local int chosen = -1;

struct StackEnd {
  ~StackEnd() {
    top = nullptr;
    delete std::exchange(stack, nullptr);
  }
  void touch() {}
};
thread_local StackEnd stack_end;

Stack& own_stack() {
  stack_end.touch();
  if (stack == nullptr) stack = new Stack;
  return *stack;
}

void note_top() { top = stack->empty() ? nullptr : stack->back().get(); }

host::HandleTable<MUcontext, Context>& contexts() {
  static auto* const table = new host::HandleTable<MUcontext, Context>;
  return *table;
}

std::mutex& primary_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::shared_ptr<Context> add(int device, bool primary) {
  auto context = std::make_shared<Context>(device, primary);
  context->handle = contexts().insert(context);
  return context;
}

// Needs the lock.
const std::shared_ptr<Context>& primary_of(int device) {
  static auto* const primaries = new std::map<int, std::shared_ptr<Context>>;
  auto& context = (*primaries)[device];
  if (context == nullptr) context = add(device, true);
  return context;
}

}  // namespace

Context* current_context() { return top; }

std::shared_ptr<Context> find_context(MUcontext handle) { return contexts().find(handle); }

void push_context(std::shared_ptr<Context> context) {
  own_stack().push_back(std::move(context));
  note_top();
}

std::shared_ptr<Context> pop_context() {
  if (top == nullptr) return nullptr;
  auto popped = std::move(stack->back());
  stack->pop_back();
  note_top();
  return popped;
}

void set_context(std::shared_ptr<Context> context) {
  pop_context();
  if (context != nullptr) push_context(std::move(context));
}

std::shared_ptr<Context> create_context(int device, unsigned int flags) {
  auto context = add(device, false);
  context->flags = flags;
  context->alive.store(true);
  return context;
}

bool destroy_context(MUcontext handle) {
  const auto found = contexts().find(handle);
  if (found == nullptr || found->primary || contexts().remove(handle) == nullptr) return false;
  found->alive.store(false);
  any_context_destroyed.store(true);
  if (top == found.get()) pop_context();
  return true;
}

std::shared_ptr<Context> primary_context(int device) {
  const std::lock_guard lock(primary_mutex());
  return primary_of(device);
}

std::shared_ptr<Context> retain_primary(int device) {
  const std::lock_guard lock(primary_mutex());
  const auto& context = primary_of(device);
  ++context->retained;
  context->alive.store(true);
  return context;
}

bool release_primary(int device, bool* last) {
  const std::lock_guard lock(primary_mutex());
  const auto& context = primary_of(device);
  if (context->retained == 0) return false;
  *last = --context->retained == 0 && !context->used_by_runtime;
  return true;
}

void end_primary(int device) {
  const std::lock_guard lock(primary_mutex());
  const auto& context = primary_of(device);
  context->used_by_runtime = false;
  context->alive.store(false);
}

int chosen_device() { return top != nullptr ? top->device : chosen; }

int device_ready() {
  return top != nullptr && (top->alive.load() || !top->primary) ? top->device : -1;
}

void ensure_context(int device) {
  if (device_ready() >= 0) return;
  std::shared_ptr<Context> context;
  {
    const std::lock_guard lock(primary_mutex());
    context = primary_of(device);
    context->used_by_runtime = true;
    context->alive.store(true);
  }
  if (top == nullptr) push_context(std::move(context));
}

void choose_device(int device) {
  chosen = device;
  if (top != nullptr && top->primary && top->device == device && top->alive.load()) return;
  const auto wanted = primary_context(device);
  if (set_device_makes_current() || wanted->alive.load()) {
    set_context(wanted);
    ensure_context(device);
  } else {
    set_context(nullptr);
  }
}

musaError_t check_context() {
  if (top == nullptr) return musaErrorDeviceUninitialized;
  return top->alive.load() ? musaSuccess : musaErrorContextIsDestroyed;
}

bool top_is_destroyed() { return top != nullptr && !top->primary && !top->alive.load(); }

}  // namespace musa
