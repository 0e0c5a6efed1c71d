#include "stubs/cupti/engine.h"

#include "stubs/cupti/facts_for_profiler.h"
#include "stubs/reporting/companion.h"
#include "stubs/reporting/log.h"
#include "stubs/resolving/lifetime.h"

namespace torchada::cupti {
namespace {

using Begin = const profiler::Engine*(const profiler::Facts* facts);

const profiler::Engine* known;
uint8_t refused;

TORCHADA_APART const profiler::Engine* begin() {
  const CompanionWork work;
  Begin* const start = companion_function<Begin>("torchada_companion_profiler");
  if (!start) return nullptr;
  const profiler::Facts facts = facts_for_profiler();
  const profiler::Engine* const found = start(&facts);
  if (found) {
    __atomic_store_n(&known, found, __ATOMIC_RELEASE);
  } else if (__atomic_exchange_n(&refused, 1, __ATOMIC_RELAXED) == 0) {
    Line line;
    line << "another CUDA major's CUPTI is in use in this process, so " << torchada_library.soname
         << " answers that it is not initialised";
    log(LogLevel::kWarn, line);
  }
  return found;
}

}  // namespace

const profiler::Engine* engine() {
  const profiler::Engine* const found = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
  return found ? found : begin();
}

// A tool may ask for the last records when the program has ended.
extern "C" void torchada_before_exit() {
  if (const profiler::Engine* const found = __atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
    found->collect();
  }
}

int status_of(profiler::Outcome outcome) {
  using profiler::Outcome;
  switch (outcome) {
    case Outcome::kDone:
      return cuda::CUPTI_SUCCESS;
    case Outcome::kInvalidParameter:
      return cuda::CUPTI_ERROR_INVALID_PARAMETER;
    case Outcome::kInvalidKind:
      return cuda::CUPTI_ERROR_INVALID_KIND;
    case Outcome::kInvalidContext:
      return cuda::CUPTI_ERROR_INVALID_CONTEXT;
    case Outcome::kNotInitialized:
      return cuda::CUPTI_ERROR_NOT_INITIALIZED;
    case Outcome::kNotReady:
      return cuda::CUPTI_ERROR_NOT_READY;
    case Outcome::kEndOfRecords:
      return cuda::CUPTI_ERROR_MAX_LIMIT_REACHED;
    case Outcome::kQueueEmpty:
      return cuda::CUPTI_ERROR_QUEUE_EMPTY;
    case Outcome::kSizeNotSufficient:
      return cuda::CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    case Outcome::kSubscribedAlready:
      return cuda::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    case Outcome::kOutOfMemory:
      return cuda::CUPTI_ERROR_OUT_OF_MEMORY;
    case Outcome::kNotCompatible:
      return cuda::CUPTI_ERROR_NOT_COMPATIBLE;
    case Outcome::kUnknown:
      break;
  }
  return cuda::CUPTI_ERROR_UNKNOWN;
}

}  // namespace torchada::cupti
