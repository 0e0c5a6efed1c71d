// What the current context has under a number (code.h).
#include "facts.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/loaded.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/kernels/search.h"

namespace torchada::kernels {

Code find(uint32_t number, void* context) {
  if (number == 0 || !(are_given() || is_recorded())) return {};
  file_count();  // Reads the list of files before any lock is held.
  for (bool is_second = false;; is_second = true) {
    Asker asker{context, 0};
    Entry entry = known_entry(context, number, &asker.seen);
    if (entry.state == State::kUnknown) {
      const int status = search(number, asker, &entry);
      if (status == kInvalidHandle && !is_second) {
        forget(context);
        continue;
      }
      if (status != 0) return {status};
      keep(number, asker, entry);
    }
    return {0, entry.state == State::kPresent, entry.function, entry.address, entry.bytes};
  }
}

bool forget_if_lost(int musa_status, const Code& code, const void* context) {
  // The invalid handle may also be the stream.
  void* function = nullptr;
  if (musa_status != kInvalidHandle || !code.function || give(code, &function) != kInvalidHandle) {
    return false;
  }
  forget(context);
  return true;
}

int give(const Code& code, void** out) {
  int threads = 0;
  const int status =
      muFuncGetAttribute(&threads, musa::MU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, code.function);
  if (status == 0) *out = code.function;
  return status;
}

}  // namespace torchada::kernels
