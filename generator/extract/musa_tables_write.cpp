#include <sstream>

#include "generator/extract/cuda_tables_write.h"
#include "generator/extract/extract_musa.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

void write_symbol(const MusaSymbol& symbol, const std::string& range, std::ostream& out) {
  out << "  " << yaml_scalar(symbol.name) << ":\n    tier: sdk\n    sources: ["
      << yaml_scalar(symbol.sources.front()) << "]\n    sdk: " << range << "\n";
  if (symbol.link_name != symbol.name) {
    out << "    link_name: " << yaml_scalar(symbol.link_name) << "\n";
  }
  if (symbol.prototypes.empty()) return;
  out << "    prototypes:\n";
  for (const MusaPrototype& prototype : symbol.prototypes) {
    out << "    - {sdk: " << range << ", tier: sdk, source: " << yaml_scalar(prototype.source)
        << ", returns: " << yaml_scalar(prototype.prototype.returns)
        << ", parameters: " << parameters_text(prototype.prototype) << "}\n";
  }
}

void write_type(const MusaType& type, const std::string& range, std::ostream& out) {
  out << "  " << yaml_scalar(type.name) << ":\n  - sdk: " << range
      << "\n    tier: sdk\n    complete: true\n";
  const TypeFact& fact = type.fact;
  switch (type.kind) {
    case TypeKind::kScalar:
    case TypeKind::kHandle:
      out << "    kind: " << (type.kind == TypeKind::kScalar ? "scalar" : "handle")
          << "\n    underlying: " << yaml_scalar(fact.underlying) << "\n";
      return;
    case TypeKind::kCallback:
      out << "    kind: callback\n    returns: " << yaml_scalar(fact.callback.returns)
          << "\n    parameters: " << parameters_text(fact.callback) << "\n";
      return;
    case TypeKind::kEnum:
      out << "    kind: enum\n" << (type.values.empty() ? "    values: {}\n" : "    values:\n");
      for (const MusaEnumValue& value : type.values) {
        out << "      " << yaml_scalar(value.name) << ": " << value.value << "\n";
      }
      return;
    case TypeKind::kStruct:
      const StructLayout& layout = fact.structure;
      out << "    kind: " << (layout.is_union ? "union" : "struct") << "\n    size: " << layout.size
          << "\n    align: " << layout.align
          << (layout.fields.empty() ? "\n    fields: []\n" : "\n    fields:\n");
      for (const Field& field : layout.fields) {
        out << "    - [" << yaml_scalar(field.name) << ", " << yaml_scalar(field.type) << ", "
            << field.offset << "]\n";
      }
      return;
  }
}

}  // namespace

std::string musa_library_text(const MusaLibrary& library, const LibraryFacts& binary, int version) {
  const std::string range = yaml_scalar("=" + sdk_version_text(version));
  std::ostringstream out;
  out << "# Written by torchada-gen extract --musa_root from SDK " << sdk_version_text(version)
      << ".\n# SONAME " << binary.soname << ", version node "
      << (binary.node.empty() ? "none" : binary.node) << ", needs";
  for (const std::string& needed : binary.needed) out << " " << needed;
  out << "\nlibrary: " << yaml_scalar(library.name) << "\n";
  out << (library.symbols.empty() ? "symbols: {}\n" : "symbols:\n");
  for (const auto& [name, symbol] : library.symbols) write_symbol(symbol, range, out);
  out << (library.types.empty() ? "types: {}\n" : "types:\n");
  for (const auto& [name, types] : library.types) {
    for (const MusaType& type : types) write_type(type, range, out);
  }
  return out.str();
}

}  // namespace torchada
