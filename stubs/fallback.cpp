#include "fallback.h"

#include "thread.h"

// Zero in every register in which the ABI returns a value. Arch-specific, see arch/.
extern "C" TORCHADA_HIDDEN void torchada_return_zero();

namespace torchada {
namespace {

int status_unsupported() { return fail(torchada_library.unsupported); }
int status_no_image() { return fail(torchada_library.no_image); }
int status_no_backend() { return fail(torchada_library.no_backend); }
const char* string_unsupported() { return "not supported by torchada on MUSA"; }
const char* string_no_backend() { return "no MUSA driver found"; }

// Adapters see MUSA's own numbers and decide themselves what to record.
template <int kBackend>
int internal_unsupported() {
  return torchada_backend_table.status[kBackend].unsupported;
}
template <int kBackend>
int internal_no_backend() {
  return torchada_backend_table.status[kBackend].no_backend;
}

void* address(int (*function)()) { return reinterpret_cast<void*>(function); }
void* address(const char* (*function)()) { return reinterpret_cast<void*>(function); }
void* address(void (*function)()) { return reinterpret_cast<void*>(function); }

void* internal_fallback(BackendLibrary library, bool no_backend) {
  static_assert(static_cast<int>(BackendLibrary::kCount) == 5);
  switch (library) {
    case BackendLibrary::kMusart:
      return address(no_backend ? internal_no_backend<0> : internal_unsupported<0>);
    case BackendLibrary::kMccl:
      return address(no_backend ? internal_no_backend<1> : internal_unsupported<1>);
    case BackendLibrary::kMublas:
      return address(no_backend ? internal_no_backend<2> : internal_unsupported<2>);
    case BackendLibrary::kMublasLt:
      return address(no_backend ? internal_no_backend<3> : internal_unsupported<3>);
    default:
      return address(no_backend ? internal_no_backend<4> : internal_unsupported<4>);
  }
}

void* fallback(const Symbol& symbol, bool no_backend) {
  switch (symbol.returns) {
    case Returns::kStatus:
      if (symbol.decision == Decision::kInternal) {
        return internal_fallback(symbol.backend, no_backend);
      }
      if (no_backend) return address(status_no_backend);
      return address(symbol.decision == Decision::kNoImage ? status_no_image : status_unsupported);
    case Returns::kString:
      return address(no_backend ? string_no_backend : string_unsupported);
    case Returns::kVoid:
    case Returns::kZero:
      break;
  }
  return address(torchada_return_zero);
}

}  // namespace

int fail(int status) {
  if (torchada_library.records_errors) torchada_thread.last_error = status;
  return status;
}

void* unsupported_fallback(const Symbol& symbol) { return fallback(symbol, false); }
void* no_backend_fallback(const Symbol& symbol) { return fallback(symbol, true); }

}  // namespace torchada
