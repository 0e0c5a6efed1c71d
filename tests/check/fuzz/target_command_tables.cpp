// share/tables.json, as the command reads it: a damaged file must give an error that names it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "src/command/command.h"
#include "src/command/tables.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const torchada::tables::Tables tables = torchada::tables::parse(text, "tables.json");
    for (const torchada::tables::Library& library : tables.libraries) {
      for (const torchada::tables::Symbol& symbol : library.symbols) {
        for (const torchada::tables::SdkRange& range : symbol.sdk) torchada::tables::written(range);
        tables.musa_symbol(library.backend, symbol.target);
      }
    }
  } catch (const torchada::Failure& error) {
    const std::string said = error.what();
    if (said.compare(0, 11, "tables.json") != 0) {
      std::fprintf(stderr, "without file: %s\n", said.c_str());
      std::abort();
    }
  }
  return 0;
}
