#include "stubs/reporting/summary.h"

#include "src/shared/companion_interface.h"
#include "stubs/reporting/companion.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/table.h"

namespace torchada {
namespace {

uint8_t begun;

}  // namespace

void begin_summary() {
  if (__atomic_load_n(&begun, __ATOMIC_RELAXED) != 0 || !summary()) return;
  __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
  const CompanionWork work;
  auto* const summarize =
      companion_function<decltype(torchada_companion_summarize)>("torchada_companion_summarize");
  if (summarize) summarize();
}

void count_refusal(const Line& text) {
  if (!summary()) return;
  const CompanionWork work;
  auto* const refused =
      companion_function<decltype(torchada_companion_refused)>("torchada_companion_refused");
  if (refused) refused(torchada_library.soname, printable(text).c_str());
}

}  // namespace torchada
