// own_libraries.h: for the command, where each library lies and who finds it.
#include <sstream>

#include "generator/emit/emit.h"

namespace torchada {
namespace {

// Enumerators of the emitted header.
const char* spelled(Offered offered) {
  constexpr const char* kNames[] = {"kByDefault", "kByRun", "kOnRequest"};
  return kNames[static_cast<int>(offered)];
}

}  // namespace

std::string emit_own_libraries(const Tables& tables) {
  std::ostringstream out;
  out << "// The libraries that torchada replaces, emitted by torchada-gen from\n"
         "// mappings/libraries.yaml. Do not edit.\n#pragma once\n\nnamespace torchada {\n\n"
         "// Who finds a library: every program, those that torchada run starts, or those whose\n"
         "// user asks for it.\nenum class Offered { kByDefault, kByRun, kOnRequest };\n\n"
         "struct OwnLibrary {\n  const char* name;\n  const char* stem;\n"
         "  const char* folder;  // Below lib/. Empty for lib/ itself.\n  Offered offered;\n};\n\n"
         "inline constexpr OwnLibrary kOwnLibraries[] = {\n";
  for (const ReplacementLibrary& library : tables.registry.libraries) {
    out << "    {" << c_string(library.name) << ", " << c_string(library.stem) << ", "
        << c_string(library.folder) << ", Offered::" << spelled(library.offered) << "},\n";
  }
  out << "};\n\n}  // namespace torchada\n";
  return out.str();
}

}  // namespace torchada
