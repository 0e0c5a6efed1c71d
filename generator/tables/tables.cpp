#include "generator/tables/tables.h"

#include <algorithm>

#include "src/shared/yaml_source.h"

namespace torchada {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

const MusaLibrary& Tables::musa_library(const std::string& name) const {
  for (const MusaLibrary& library : musa) {
    if (library.name == name) return library;
  }
  throw TableError({directory + "/musa", 0}, "no table for the MUSA library '" + name + "'");
}

const MusaSymbol* Tables::musa_symbol(const std::string& library, const std::string& name) const {
  const auto& symbols = musa_library(library).symbols;
  const auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : &found->second;
}

std::vector<const MusaSymbol*> Tables::musa_symbols(const std::string& library,
                                                    const std::string& name) const {
  const MusaSymbol* first = musa_symbol(library, name);
  if (!first) return {};
  std::vector<const MusaSymbol*> out = {first};
  for (const std::string& other : first->also) out.push_back(musa_symbol(library, other));
  return out;
}

const CudaType* Tables::cuda_type(const std::string& name) const {
  for (const CudaLibrary& library : cuda) {
    const auto found = library.types.find(name);
    if (found != library.types.end()) return &found->second;
  }
  return nullptr;
}

const std::vector<MusaType>* Tables::musa_type(const std::string& name) const {
  for (const MusaLibrary& library : musa) {
    const auto found = library.types.find(name);
    if (found != library.types.end()) return &found->second;
  }
  return nullptr;
}

std::string Output::label() const { return library_name + "-" + std::to_string(abi); }

std::vector<Output> list_outputs(const Tables& tables) {
  std::vector<Output> out;
  for (std::size_t i = 0; i < tables.registry.libraries.size(); ++i) {
    const ReplacementLibrary& library = tables.registry.libraries[i];
    for (const auto& [soname, majors] : library.sonames) {
      Output output;
      output.library = i;
      output.library_name = library.name;
      output.abi = *majors.rbegin();
      output.majors = majors;
      output.soname = soname;
      // Several majors may share a SONAME; the exports are those of the newest.
      for (const CudaRelease& release : tables.cuda[i].releases) {
        if (release.soname != soname || release.abi != output.abi) continue;
        output.node = release.node;
        output.releases.push_back(release.name);
      }
      out.push_back(std::move(output));
    }
  }
  return out;
}

std::vector<const CudaSymbol*> exports_of(const Tables& tables, const Output& output) {
  std::vector<const CudaSymbol*> out;
  for (const auto& entry : tables.cuda[output.library].symbols) {
    const CudaSymbol& symbol = entry.second;
    const bool exported =
        std::any_of(output.releases.begin(), output.releases.end(),
                    [&](const std::string& release) { return contains(symbol.releases, release); });
    if (exported) out.push_back(&symbol);
  }
  return out;
}

const Prototype* prototype_in(const CudaSymbol& symbol, const Output& output) {
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const CudaSymbol::Variant& variant : symbol.prototypes) {
      if (contains(variant.releases, *release)) return &variant.prototype;
    }
  }
  return nullptr;
}

const TypeFact* fact_in(const CudaType& type, const Output& output) {
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const CudaType::Variant& variant : type.variants) {
      if (contains(variant.releases, *release)) return &variant.fact;
    }
  }
  return nullptr;
}

const TypeFact* fact_in(const Tables& tables, const std::string& type, const Output& output) {
  const CudaType* known = tables.cuda_type(type);
  return known ? fact_in(*known, output) : nullptr;
}

const ForwardRow* row_of(const ForwardLibrary& library, const std::string& symbol, int abi) {
  const auto found = library.rows.find(symbol);
  if (found == library.rows.end()) return nullptr;
  for (const ForwardRow& row : found->second) {
    if (row.abis.empty() || std::find(row.abis.begin(), row.abis.end(), abi) != row.abis.end()) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace torchada
