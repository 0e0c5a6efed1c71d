#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "src/inspect/python_source.h"
#include "src/inspect/source_names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  int most = 1;
  for (const char letter : bytes) most += letter == '\n';
  for (const auto language : {torchada::SourceLanguage::kC, torchada::SourceLanguage::kPython}) {
    int last = 1;
    torchada::scan_source(bytes, language, [&](const torchada::SourceWord& word) {
      if (word.text.empty() || word.line < last || word.line > most) std::abort();
      last = word.line;
    });
  }
  for (const torchada::PythonImport& import : torchada::read_python(bytes).imports) {
    if (import.line < 1 || import.line > most) std::abort();
  }
  return 0;
}
