#include "stubs/cudart/guard.h"

#include <errno.h>

#include "facts.h"
#include "stubs/cudart/no_image.h"
#include "stubs/cudart/recent_kernels.h"
#include "stubs/kernels/code.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/reporting/fallback.h"
#include "stubs/reporting/report.h"
#include "stubs/resolving/backend.h"
#include "stubs/resolving/needs.h"

namespace torchada {
namespace {

int invalid_value() { return fail(static_cast<int>(cuda::cudaErrorInvalidValue)); }

bool is_wanted(const RegisteredCode& code, bool is_kernel) {
  return is_kernel ? code.kind == CodeKind::kKernel : is_variable(code.kind);
}

// "NAME is not exported by FILE", of the target or of what its adapter needs.
Line missing_function(const Symbol& symbol) {
  const Library& library = torchada_library;
  const Target* const targets = library.targets + symbol.first_target;
  MissingNeed missing;
  if (symbol.decision == Decision::kAdapter) {
    missing = missing_need(symbol.adapter);
  } else {
    const Lookup found =
        find_in_backend(symbol.backend, targets, symbol.target_count, library.strings);
    if (found.target && found.target->adapter != 0) {
      missing = missing_need(found.target->adapter);
    } else {
      missing.name = library.strings + targets->name;
      missing.file = found.file;
    }
  }
  Line out;
  out << missing.name << " is not exported by " << missing.file;
  return out;
}

// For code that the program did not register, when there is no function of MUSA's to ask.
void* refuse_unregistered(const Symbol& symbol) {
  const int saved_errno = errno;
  const Library& library = torchada_library;
  FailureKind failure = FailureKind::kNoImage;
  if (symbol.decision == Decision::kNoImage) {
    report_unsupported(symbol, failure, library.strings + symbol.reason);
  } else {
    failure = FailureKind::kUnsupported;
    report_unsupported(symbol, failure, missing_function(symbol).c_str());
  }
  errno = saved_errno;
  return fallback_for(symbol, failure);
}

}  // namespace

// Decides where the call of a guarded function goes on. `words` are its argument registers.
extern "C" TORCHADA_HIDDEN void* torchada_guard_route(uint32_t number, const uint64_t* words) {
  const Guard& guard = torchada_guards[number];
  const Symbol& symbol = torchada_library.symbols[guard.symbol];
  uint64_t host = words[guard.word];
  if (guard.offset >= 0) {
    if (host == 0) return reinterpret_cast<void*>(invalid_value);
    host = *reinterpret_cast<const uint64_t*>(host + static_cast<uint64_t>(guard.offset));
  }
  const auto* const address = reinterpret_cast<const void*>(host);
  // It went to the answer before, where it was found in a kernel library.
  if (RecentKernel recent; guard.answer && guard.is_kernel && find_recent(address, &recent)) {
    return guard.answer;
  }
  RegisteredCode code;
  if (find_registered(address, &code) && is_wanted(code, guard.is_kernel)) {
    const bool may_have_image = kernels::are_given() || kernels::is_recorded();
    if (guard.answers_always || (guard.answer && may_have_image)) return guard.answer;
    report_no_image(torchada_library.strings + symbol.name, code, nullptr);
    return fallback_for(symbol, FailureKind::kNoImage);
  }
  if (guard.answer && guard.is_kernel && kernels::number_of_function(address) != 0) {
    return guard.answer;
  }
  void* const target = __atomic_load_n(&torchada_callees[guard.place], __ATOMIC_ACQUIRE);
  return target ? target : refuse_unregistered(symbol);
}

// Answers for registered code. Its name and size are known without a device.
extern "C" TORCHADA_HIDDEN int torchada_registered_cudaFuncGetName(const char** name,
                                                                   const void* function) {
  if (!name) return invalid_value();
  RegisteredCode code;
  if (find_registered(function, &code)) {
    *name = code.name;
  } else if (const uint32_t number = kernels::number_of_function(function)) {
    *name = kernels::text_of(number);
  } else {
    return invalid_value();
  }
  return 0;
}

extern "C" TORCHADA_HIDDEN int torchada_registered_cudaGetSymbolSize(size_t* size,
                                                                     const void* symbol) {
  RegisteredCode code;
  if (!size || !find_registered(symbol, &code)) return invalid_value();
  *size = code.size;
  return 0;
}

}  // namespace torchada
