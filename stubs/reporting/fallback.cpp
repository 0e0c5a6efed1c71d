#include "stubs/reporting/fallback.h"

#include "stubs/system/thread.h"

// Returns zero in every register that the ABI uses for results. Architecture-specific, see arch/.
extern "C" TORCHADA_HIDDEN void torchada_return_zero();

namespace torchada {
namespace {

constexpr int kFailures = static_cast<int>(FailureKind::kCount);
constexpr int kLibraries = static_cast<int>(BackendLibrary::kCount);

template <int kFailure>
int status() {
  return fail(torchada_library.status[kFailure].value);
}

template <int kFailure>
const char* text() {
  static constexpr const char* kTexts[kFailures] = {
      "not supported by torchada on MUSA", "no MUSA driver found", "no kernel image for MUSA",
      "the process is exiting", "MUSA cannot be used in a child of fork()"};
  return kTexts[kFailure];
}

// Adapters see MUSA's own numbers and decide themselves what to record.
template <int kLibrary, int kFailure>
int internal_status() {
  return torchada_backend_table.status[kLibrary][kFailure];
}

template <typename Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

// The functions are named in code and not in an array, which would cost a relocation each.
template <int kLibrary>
void* internal_fallback(int library, int failure) {
  if constexpr (kLibrary + 1 < kLibraries) {
    if (library != kLibrary) return internal_fallback<kLibrary + 1>(library, failure);
  }
  static_assert(kFailures == 5);
  void* const row[kFailures] = {
      address(internal_status<kLibrary, 0>), address(internal_status<kLibrary, 1>),
      address(internal_status<kLibrary, 2>), address(internal_status<kLibrary, 3>),
      address(internal_status<kLibrary, 4>)};
  return row[failure];
}

}  // namespace

int fail(int value) {
  if (torchada_library.records_errors) set_last_error(value);
  return value;
}

const OwnStatus* own_status(const Symbol& symbol, FailureKind failure) {
  unsigned index = 0;
  if (failure == FailureKind::kNoBackend) index = symbol.no_backend;
  if (failure == FailureKind::kUnsupported) index = symbol.unsupported;
  return index == 0 ? nullptr : &torchada_library.own_status[index];
}

void* fallback_for(const Symbol& symbol, FailureKind failure) {
  static void* const kStatus[kFailures] = {address(status<0>), address(status<1>),
                                           address(status<2>), address(status<3>),
                                           address(status<4>)};
  static void* const kText[kFailures] = {address(text<0>), address(text<1>), address(text<2>),
                                         address(text<3>), address(text<4>)};
  const int index = static_cast<int>(failure);
  switch (symbol.returns) {
    case Returns::kStatus:
      if (symbol.decision == Decision::kInternal)
        return internal_fallback<0>(static_cast<int>(symbol.backend), index);
      if (const OwnStatus* const own = own_status(symbol, failure)) return own->function;
      return kStatus[index];
    case Returns::kString:
      return kText[index];
    case Returns::kVoid:
    case Returns::kZero:
      break;
  }
  return address(torchada_return_zero);
}

}  // namespace torchada
