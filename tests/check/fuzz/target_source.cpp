#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/inspect/source_names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  int most = 1;
  for (const char letter : bytes) most += letter == '\n';
  for (const auto language : {torchada::SourceLanguage::kC, torchada::SourceLanguage::kPython}) {
    int last = 1;
    torchada::scan_source(bytes, language, [&](std::string_view word, int line) {
      if (word.empty() || line < last || line > most) std::abort();
      last = line;
    });
  }
  return 0;
}
