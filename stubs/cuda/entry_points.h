// Which function of this library a program means that asks for it by name and version.
#pragma once

namespace torchada {

// The numbers of CUdriverProcAddressQueryResult.
enum class Found : int { kFunction = 0, kNoSuchName = 1, kNeedsNewerVersion = 2 };

// Writes to `function` what dlsym finds under the name of that function, or null. `name` is one
// without a suffix such as _v2; the newest function of that name counts that CUDA `version` (12080
// for 12.8) has. With `per_thread` only those for the per-thread default stream count, if the name
// has any. Needs neither a device nor MUSA. Functions that MUSA cannot serve are found, too: a
// program may do without them only when it calls them.
Found find_entry_point(const char* name, int version, bool per_thread, void** function);

}  // namespace torchada
