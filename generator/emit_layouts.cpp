// Parts of LABEL/facts.h that few libraries have: where the members of a struct lie, which release
// brought which function, constants that no type holds.
#include <sstream>

#include "emit.h"
#include "standing.h"
#include "yaml_source.h"

namespace torchada {

std::string emit_layouts(const Tables& tables, const Output& output) {
  const ForwardLibrary& forward = tables.forward[output.library];
  std::ostringstream out;
  for (const std::string& name : forward.layouts) {
    const CudaType* type = tables.cuda_type(name);
    const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
    if (!fact || fact->kind != TypeKind::kStruct) {
      throw TableError({forward.file, 0}, "no layout of '" + name + "' is known");
    }
    out << "namespace cuda {\ninline constexpr unsigned sizeof_" << name << " = "
        << fact->structure.size << ";\n";
    for (const Field& field : fact->structure.fields) {
      out << "inline constexpr unsigned " << name << "_" << field.name << " = " << field.offset
          << ";\n";
    }
    out << "}  // namespace cuda\n\n";
  }
  return out.str();
}

std::string emit_history(const Tables& tables, const Output& output) {
  const LibraryHistory& history = tables.history;
  if (history.library != output.library_name) return "";
  std::map<std::string, int> index;  // As in trampolines.S.
  int next = 0;
  for (const CudaSymbol* symbol : exports_of(tables, output)) {
    if (decided_as(tables, output, *symbol) == symbol->name) index[symbol->name] = next++;
  }
  std::ostringstream out;
  for (const auto& [name, value] : history.constants) {
    out << "inline constexpr long long " << name << " = " << value << ";\n";
  }
  out << "\n// What each release brought, oldest first.\nstruct Introduction {\n"
      << "  int version;      // As this library encodes it.\n"
      << "  int before;       // The release before it.\n"
      << "  unsigned symbol;  // Index of what it brought.\n};\n"
      << "inline constexpr Introduction kIntroductions[] = {\n";
  for (const LibraryHistory::Step& step : history.introduced) {
    for (const std::string& symbol : step.symbols) {
      const auto found = index.find(symbol);
      if (found == index.end()) throw TableError(step.place, "'" + symbol + "' has no row");
      out << "    {" << step.version << ", " << step.before << ", " << found->second << "},  // "
          << symbol << "\n";
    }
  }
  out << "};\n\n";
  return out.str();
}

}  // namespace torchada
