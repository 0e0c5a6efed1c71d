#include "src/host/musa/fork_guard.h"

#include <pthread.h>

#include <atomic>

namespace musa {
namespace {

std::atomic<bool> forked{false};

void note_fork() { forked.store(true, std::memory_order_relaxed); }

}  // namespace

void arm_fork_guard() { pthread_atfork(nullptr, nullptr, note_fork); }

bool in_forked_child() { return forked.load(std::memory_order_relaxed); }

}  // namespace musa
