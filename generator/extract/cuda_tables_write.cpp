#include "generator/extract/cuda_tables_write.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "generator/extract/clang_headers.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Always quoted: other tools would read 12.10 as the number 12.1.
std::string releases_text(const std::vector<std::string>& releases) {
  std::string out = "[";
  for (const std::string& release : releases) {
    out += (out.size() > 1 ? ", \"" : "\"") + release + "\"";
  }
  return out + "]";
}

std::string list_text(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + yaml_scalar(text);
  return out + "]";
}

std::string prototype_text(const Prototype& prototype) {
  return "returns: " + yaml_scalar(prototype.returns) +
         ", parameters: " + parameters_text(prototype);
}

void write_binaries(const CudaLibrary& library, std::ostream& out) {
  out << "binaries:\n";
  for (const CudaRelease& release : library.releases) {
    out << "  \"" << release.name << "\": {soname: " << yaml_scalar(release.soname)
        << ", node: " << yaml_scalar(release.node) << ", needed: " << list_text(release.needed)
        << ", runpath: " << yaml_scalar(release.runpath) << "}\n";
  }
}

void write_symbol(const CudaSymbol& symbol, const CudaReleases& releases, std::ostream& out) {
  out << "  " << yaml_scalar(symbol.name) << ":\n";
  out << "    releases: " << releases_text(symbol.releases) << "\n";
  if (releases.index_of(symbol.releases.front()) > 0) {
    out << "    appeared: \"" << symbol.releases.front() << "\"\n";
  }
  const auto last = static_cast<std::size_t>(releases.index_of(symbol.releases.back()));
  if (last + 1 < releases.releases.size()) {
    out << "    removed: \"" << releases.releases[last + 1].name << "\"\n";
  }
  if (symbol.weak) out << "    weak: true\n";
  if (!symbol.alias_of.empty()) out << "    alias_of: " << yaml_scalar(symbol.alias_of) << "\n";
  if (symbol.prototypes.empty()) return;
  out << "    prototypes:\n";
  for (const CudaSymbol::Variant& variant : symbol.prototypes) {
    out << "    - {releases: " << releases_text(variant.releases)
        << ", source: " << yaml_scalar(variant.source) << ", " << prototype_text(variant.prototype)
        << "}\n";
  }
}

void write_variant(const CudaType::Variant& variant, std::ostream& out) {
  const std::string releases = releases_text(variant.releases);
  const TypeFact& fact = variant.fact;
  switch (fact.kind) {
    case TypeKind::kScalar:
    case TypeKind::kHandle:
      out << "  - {releases: " << releases
          << ", kind: " << (fact.kind == TypeKind::kScalar ? "scalar" : "handle")
          << ", underlying: " << yaml_scalar(fact.underlying) << "}\n";
      return;
    case TypeKind::kCallback:
      out << "  - {releases: " << releases << ", kind: callback, " << prototype_text(fact.callback)
          << "}\n";
      return;
    case TypeKind::kEnum:
      out << "  - releases: " << releases << "\n    kind: enum\n"
          << (fact.enumeration.values.empty() ? "    values: {}\n" : "    values:\n");
      for (const EnumValue& value : fact.enumeration.values) {
        out << "      " << yaml_scalar(value.name) << ": " << value.value << "\n";
      }
      return;
    case TypeKind::kStruct:
      const StructLayout& layout = fact.structure;
      out << "  - releases: " << releases
          << "\n    kind: " << (layout.is_union ? "union" : "struct")
          << "\n    size: " << layout.size << "\n    align: " << layout.align;
      out << (layout.fields.empty() ? "\n    fields: []\n" : "\n    fields:\n");
      for (const Field& field : layout.fields) {
        out << "    - [" << yaml_scalar(field.name) << ", " << yaml_scalar(field.type) << ", "
            << field.offset << "]\n";
      }
      return;
  }
}

}  // namespace

std::string parameters_text(const Prototype& prototype) {
  std::string out = "[";
  for (const Parameter& parameter : prototype.parameters) {
    out += std::string(out.size() > 1 ? ", " : "") + "[" + yaml_scalar(parameter.type) + ", " +
           yaml_scalar(parameter.name) + "]";
  }
  return out + "]";
}

std::string cuda_library_text(const CudaLibrary& library, const CudaReleases& releases) {
  std::ostringstream out;
  out << "# Written by torchada-gen extract from the releases of releases.yaml. Do not edit.\n";
  out << "library: " << yaml_scalar(library.name) << "\n";
  write_binaries(library, out);
  out << "symbols:\n";
  for (const auto& [name, symbol] : library.symbols) write_symbol(symbol, releases, out);
  out << (library.types.empty() ? "types: {}\n" : "types:\n");
  for (const auto& [name, type] : library.types) {
    out << "  " << yaml_scalar(name) << ":\n";
    for (const CudaType::Variant& variant : type.variants) write_variant(variant, out);
  }
  return out.str();
}

void write_text_file(const std::string& file, const std::string& text) {
  const std::string temporary = file + ".new";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw ExtractError(temporary + ": cannot be written");
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) throw ExtractError(file + ": cannot be written: " + error.message());
}

}  // namespace torchada
