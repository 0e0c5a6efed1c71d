#include "stubs/loading/injection.h"

#include "stubs/process/peers.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/loader.h"
#include "stubs/system/signals_held.h"

namespace torchada {
namespace {

constexpr char kVariable[] = "CUDA_INJECTION64_PATH";

void* open_held(const char* path) {
  const SignalsHeld held;
  return open_library(path);
}

TORCHADA_APART void warn(const char* path, const char* what) {
  Line line;
  line << kVariable << "=" << path << ": " << what;
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void load(const char* path) {
  void* const library = open_held(path);
  if (!library) return warn(path, why_not_opened());
  const auto start = reinterpret_cast<int (*)()>(find_symbol(library, "InitializeInjection"));
  if (!start) return warn(path, "it has no function InitializeInjection");
  if (start() == 0) warn(path, "its InitializeInjection reports failure");
}

}  // namespace

void inject() {
  if (!environment(kVariable)) return;
  if (const AskPeer first = first_that_maps()) first(kInject, nullptr);
}

void inject_here() {
  static uint8_t is_done;
  if (__atomic_exchange_n(&is_done, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (const char* const path = environment(kVariable)) load(path);
}

}  // namespace torchada
