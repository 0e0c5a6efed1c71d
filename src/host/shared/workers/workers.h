// Threads that share the work of one call. None is started before the first call that is large
// enough, and none spins: where processes outnumber the cores, whoever waits must not take the time
// of those that compute.
#pragma once

#include <functional>

namespace host {

// How many threads compute one call: what TORCHADA_HOST_THREADS says, else OMP_NUM_THREADS (the
// first number of its list), else the number of cores that the process may use. At least 1. Read
// once.
int thread_count();

// Calls part(0) to part(count - 1), each once, on this thread and on others, and returns when all
// have ended. Throws std::bad_alloc if a part did, and then may leave parts out; a part must throw
// nothing else. Several threads may call this at once. A child of fork() starts threads of its own.
void in_parallel(int count, const std::function<void(int)>& part);

}  // namespace host
