// What is known here of a context until it is destroyed.
// cuCtxGetId: numbers that tell contexts apart although MUSA gives the handle of a destroyed one to
// a new one. A context gets its number when a program first asks for it.
// cuCtxAttach, cuCtxDetach: how often a program attached to it.
#include <stdint.h>

#include "facts.h"
#include "stubs/adapting/outcome.h"
#include "stubs/kernels/code.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/refusal.h"

namespace {

using torchada::fail;
using torchada::outcome;
namespace cuda = torchada::cuda;

// The handle of each context that was asked for; the number is the place. A place is never used
// again, so that threads which ask for the same context at the same time find one place.
constexpr unsigned kContexts = 1024;
constexpr uintptr_t kDestroyed = 1;
uintptr_t contexts[kContexts];

// 0 if all places are used.
unsigned number_of(uintptr_t context) {
  for (unsigned i = 0; i < kContexts; ++i) {
    uintptr_t present = 0;
    if (__atomic_compare_exchange_n(&contexts[i], &present, context, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        present == context) {
      return i + 1;
    }
  }
  return 0;
}

// For each use of a context by cuCtxAttach its handle; 0 in free places.
constexpr unsigned kUses = 1024;
uintptr_t uses[kUses];

// Changes one `from` to `to`.
bool change_use(uintptr_t from, uintptr_t to) {
  for (uintptr_t& place : uses) {
    uintptr_t present = from;
    if (__atomic_load_n(&place, __ATOMIC_RELAXED) == from &&
        __atomic_compare_exchange_n(&place, &present, to, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return false;
}

// Changes `from` to `to` where it is. Returns the place, or null.
uintptr_t* replace(uintptr_t from, uintptr_t to) {
  for (uintptr_t& place : contexts) {
    uintptr_t present = from;
    if (__atomic_compare_exchange_n(&place, &present, to, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      return &place;
    }
    if (present == 0) return nullptr;
  }
  return nullptr;
}

// The number goes first: as soon as the context is destroyed, another may have its handle.
int destroy(const char* function, void* context) {
  const auto handle = reinterpret_cast<uintptr_t>(context);
  uintptr_t* const place = handle > kDestroyed ? replace(handle, kDestroyed) : nullptr;
  const int status = muCtxDestroy_v2(context);
  if (status != 0 && place) __atomic_store_n(place, handle, __ATOMIC_RELEASE);
  if (status == 0) {
    while (handle != 0 && change_use(handle, 0)) continue;
    torchada::kernels::forget(context);
  }
  return outcome({function, "muCtxDestroy_v2"}, status);
}

}  // namespace

extern "C" {

int torchada_adapter_cuCtxDestroy_v2(void* context) { return destroy("cuCtxDestroy_v2", context); }

int torchada_adapter_cuCtxAttach(void** context, unsigned flags) {
  constexpr const char* kName = "cuCtxAttach";
  void* current = nullptr;
  if (const int status = outcome({kName, "muCtxGetCurrent"}, muCtxGetCurrent(&current))) {
    return status;
  }
  if (!context || flags != 0) return fail(torchada::kInvalid);
  if (!current) return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
  if (!change_use(0, reinterpret_cast<uintptr_t>(current))) {
    torchada::ValueText use;
    use << "use " << int64_t{kUses + 1};
    return torchada::refuse_argument(kName, "the current context", use.c_str(),
                                     "torchada counts no more; end earlier ones by cuCtxDetach",
                                     torchada::kUnsupported);
  }
  *context = current;
  return 0;
}

// Whoever created the context has its first use, which cuCtxAttach did not count.
int torchada_adapter_cuCtxDetach(void* context) {
  constexpr const char* kName = "cuCtxDetach";
  void* current = nullptr;
  if (const int status = outcome({kName, "muCtxGetCurrent"}, muCtxGetCurrent(&current))) {
    return status;
  }
  if (!context || context != current) {
    return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
  }
  return change_use(reinterpret_cast<uintptr_t>(context), 0) ? 0 : destroy(kName, context);
}

int torchada_adapter_cuCtxGetId(void* context, unsigned long long* id) {
  constexpr const char* kName = "cuCtxGetId";
  if (!context) {
    if (const int status = outcome({kName, "muCtxGetCurrent"}, muCtxGetCurrent(&context))) {
      return status;
    }
    if (!context) return fail(static_cast<int>(cuda::CUDA_ERROR_INVALID_CONTEXT));
  }
  // MUSA says whether it is a context.
  unsigned version = 0;
  if (const int status =
          outcome({kName, "muCtxGetApiVersion"}, muCtxGetApiVersion(context, &version))) {
    return status;
  }
  if (!id) return fail(torchada::kInvalid);
  const unsigned number = number_of(reinterpret_cast<uintptr_t>(context));
  if (number == 0) {
    torchada::ValueText context_text;
    context_text << "context " << int64_t{kContexts + 1};
    return torchada::refuse_argument(kName, "ctx", context_text.c_str(),
                                     "no more contexts of a process get numbers",
                                     torchada::kUnsupported);
  }
  *id = number;
  return 0;
}

}  // extern "C"
