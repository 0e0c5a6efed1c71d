// Parts of LABEL/facts.h: offsets of struct members, the release in which each function appeared,
// and constants that belong to no type.
#include <algorithm>
#include <sstream>

#include "generator/decide/standing.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {

namespace {

void emit_constants(const MusaLibrary& library, std::ostringstream* out) {
  for (const MusaEnumValue& constant : library.constants) {
    if (!constant.known) continue;
    *out << "inline constexpr long long " << constant.name << " = " << constant.value << ";\n";
  }
}

void emit_layout(const std::string& name, const StructLayout& layout, std::ostringstream* out) {
  *out << "inline constexpr unsigned sizeof_" << name << " = " << layout.size << ";\n";
  for (const Field& field : layout.fields) {
    std::string member = name + "_" + field.name;
    member.erase(std::remove(member.begin(), member.end(), ']'), member.end());
    std::replace_if(
        member.begin(), member.end(), [](char at) { return at == '.' || at == '['; }, '_');
    *out << "inline constexpr unsigned " << member << " = " << field.offset << ";\n";
  }
}

}  // namespace

// Sizes and offsets in bytes. A CUDA type that is newer than this ABI has its newest layout.
std::string emit_layouts(const Tables& tables, const Output& output) {
  std::ostringstream out;
  out << "namespace cuda {\n";
  for (const auto& [name, type] : tables.cuda[output.library].types) {
    const TypeFact* fact = fact_in(type, output);
    if (!fact) fact = &type.variants.back().fact;
    if (fact->kind == TypeKind::kStruct) emit_layout(name, fact->structure, &out);
  }
  out << "}  // namespace cuda\n\nnamespace musa {\n";
  std::vector<std::string> libraries = tables.registry.libraries[output.library].calls;
  libraries.insert(libraries.begin(), tables.forward[output.library].backend);
  for (const std::string& library : libraries) emit_constants(tables.musa_library(library), &out);
  for (const std::string& library : libraries) {
    for (const auto& [name, variants] : tables.musa_library(library).types) {
      if (variants.back().kind != TypeKind::kStruct || !variants.back().complete) continue;
      emit_layout(name, variants.back().fact.structure, &out);
    }
  }
  out << "}  // namespace musa\n\n";
  return out.str();
}

std::string emit_history(const Tables& tables, const LibraryPlan& plan) {
  const LibraryHistory& history = tables.history;
  if (history.library != plan.output->library_name) return "";
  std::map<std::string, std::size_t> index;
  for (const PlannedSlot& slot : plan.slots) {
    if (slot.symbol) index.emplace(slot.name, index.size());
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
      if (found == index.end())
        throw TableError(step.place, "'" + symbol + "' has no row; add a row");
      out << "    {" << step.version << ", " << step.before << ", " << found->second << "},  // "
          << symbol << "\n";
    }
  }
  out << "};\n\n";
  return out.str();
}

}  // namespace torchada
