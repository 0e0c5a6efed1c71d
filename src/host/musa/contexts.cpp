#include "src/host/musa/contexts.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "src/host/musa/operations.h"
#include "src/host/shared/handle_table.h"
#include "src/host/shared/never_destroyed.h"

namespace musa {
namespace {

struct StackEnd {
  ~StackEnd() {
    own_contexts.top = nullptr;
    delete std::exchange(own_contexts.stack, nullptr);
  }
  void touch() {}
};
thread_local StackEnd stack_end;

OwnContexts::Stack& own_stack() {
  stack_end.touch();
  if (own_contexts.stack == nullptr) own_contexts.stack = new OwnContexts::Stack;
  return *own_contexts.stack;
}

void note_top() {
  own_contexts.top = own_contexts.stack->empty() ? nullptr : own_contexts.stack->back().get();
}

using Contexts = host::HandleTable<host::HandleKind::kContext, MUcontext, Context>;

Contexts& contexts() { return host::never_destroyed<Contexts>(); }

std::mutex& primary_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

std::shared_ptr<Context> add(int device, bool primary) {
  auto context = std::make_shared<Context>(device, primary);
  contexts().insert(context);
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

std::shared_ptr<Context> find_context(MUcontext handle) { return contexts().find(handle); }

void push_context(std::shared_ptr<Context> context) {
  own_stack().push_back(std::move(context));
  note_top();
}

std::shared_ptr<Context> pop_context() {
  if (own_contexts.top == nullptr) return nullptr;
  auto popped = std::move(own_contexts.stack->back());
  own_contexts.stack->pop_back();
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
  if (own_contexts.top == found.get()) pop_context();
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

std::shared_ptr<Context> begin_primary(int device) {
  const std::lock_guard lock(primary_mutex());
  const auto& context = primary_of(device);
  context->used_by_runtime = true;
  context->alive.store(true);
  return context;
}

void ensure_context(int device) {
  if (device_ready() >= 0) return;
  auto context = begin_primary(device);
  if (own_contexts.top == nullptr) push_context(std::move(context));
}

namespace {

// Not inlined, so that choosing the same device again saves no registers for it.
[[gnu::noinline]] void make_primary_current(int device) {
  const auto wanted = primary_context(device);
  if (set_device_makes_current() || wanted->alive.load()) {
    set_context(wanted);
    ensure_context(device);
  } else {
    set_context(nullptr);
  }
}

}  // namespace

void choose_device(int device) {
  OwnContexts& mine = own_contexts;
  mine.chosen = device;
  const Context* const top = mine.top;
  if (top == nullptr || !top->primary || top->device != device || !top->alive.load()) {
    make_primary_current(device);
  }
}

musaError_t check_context() {
  const Context* const top = own_contexts.top;
  if (top == nullptr) return musaErrorDeviceUninitialized;
  return top->alive.load() ? musaSuccess : musaErrorContextIsDestroyed;
}

bool top_is_destroyed() {
  const Context* const top = own_contexts.top;
  return top != nullptr && !top->primary && !top->alive.load();
}

}  // namespace musa
