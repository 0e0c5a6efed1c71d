// own_libraries.h: for the command, where each library lies and who finds it. other_libraries.inc:
// the rows of src/shared/other_libraries.cpp.
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

std::string emit_other_libraries(const Registry& registry) {
  std::ostringstream out;
  out << "// Libraries that a program may miss, emitted by torchada-gen from "
         "mappings/libraries.yaml.\n// Do not edit.\n";
  for (const ReplacementLibrary& library : registry.libraries) {
    if (library.offered != Offered::kOnRequest) continue;
    out << "{.stem = " << c_string(library.stem) << ", .what = " << c_string(library.what)
        << ", .option = " << c_string("--" + library.name) << "},\n";
  }
  for (const OtherInfo& other : registry.others) {
    out << "{.stem = " << c_string(other.stem) << ", .what = " << c_string(other.what)
        << ", .advice = " << c_string(other.advice) << ", .prefix = " << c_string(other.prefix)
        << ", .headers = " << c_string(joined(other.headers, " "))
        << ", .parts = " << c_string(other.parts) << "},\n";
  }
  return out.str();
}

}  // namespace torchada
