#include "src/host/musa/fork_guard.h"

#include <pthread.h>

namespace musa {
namespace {

void note_fork() { forked.store(true, std::memory_order_relaxed); }

}  // namespace

void arm_fork_guard() { pthread_atfork(nullptr, nullptr, note_fork); }

}  // namespace musa
