#include "src/command/check/standings.h"

#include "src/shared/library_name.h"

namespace torchada::check {

Standings::Standings(const tables::Tables& tables) : tables_(tables) {
  for (const tables::Library& library : tables.libraries) {
    Names& names = names_[&library];
    for (const tables::Symbol& symbol : library.symbols) names.emplace(symbol.name, &symbol);
  }
}

Standings::Named Standings::named(const std::string& file_name, int abi) const {
  Named out;
  LibraryName name;
  if (!parse_library_name(base_name(file_name.c_str()), &name)) return out;
  for (const tables::Library& library : tables_.libraries) {
    LibraryName own;
    if (!parse_library_name(library.soname.c_str(), &own)) continue;
    if (std::string_view(own.stem, own.stem_length) !=
        std::string_view(name.stem, name.stem_length)) {
      continue;
    }
    out.ours = true;
    out.renamed = name.renamed;
    const bool same =
        name.version == nullptr ? library.majors.count(abi) != 0 : own.same_major(name);
    if (same) out.library = &library;
  }
  return out;
}

const tables::Symbol* Standings::find(const tables::Library& library,
                                      const std::string& name) const {
  const Names& names = names_.at(&library);
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

const tables::Library* Standings::owner(const std::string& name, int abi) const {
  for (const tables::Library& library : tables_.libraries) {
    if (library.majors.count(abi) != 0 && find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

}  // namespace torchada::check
