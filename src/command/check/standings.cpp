#include "src/command/check/standings.h"

#include <algorithm>

#include "src/shared/library_name.h"

namespace torchada::check {

Standings::Standings(const tables::Tables& tables) : tables_(tables) {
  for (const tables::Library& library : tables.libraries) {
    Names& names = names_[&library];
    for (const tables::Symbol& symbol : library.symbols) {
      names.emplace(symbol.name, &symbol);
      all_.insert(symbol.name);
    }
  }
  find_refused();
}

// Where the numbers of CUDA and MUSA differ, adapters convert them by a table, and refuse what is
// not in it. Where they agree, a number passes as it is.
void Standings::find_refused() {
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, std::int64_t>> musa;
  for (const tables::MusaEnumeration& type : tables_.musa_types) {
    for (const tables::MusaEnumValue& value : type.values) {
      if (value.value) musa[type.name].emplace(value.name, *value.value);
    }
  }
  for (const tables::Enumeration& type : tables_.types) {
    const auto found = musa.find(type.musa);
    if (type.is_status || found == musa.end()) continue;
    const auto& values = found->second;
    const bool converted = std::any_of(type.values.begin(), type.values.end(),
                                       [&values](const tables::EnumValue& value) {
                                         const auto same = values.find(value.musa);
                                         return same != values.end() && same->second != value.value;
                                       });
    if (!converted) continue;
    for (const tables::EnumValue& value : type.values) {
      if (values.count(value.musa) != 0) continue;
      refused_.emplace(value.name, "no number of MUSA's " + type.musa + " is known for it");
    }
  }
}

bool Standings::same_stem(const std::string& one, const std::string& other) {
  LibraryName first;
  LibraryName second;
  return parse_library_name(base_name(one.c_str()), &first) &&
         parse_library_name(base_name(other.c_str()), &second) &&
         std::string_view(first.stem, first.stem_length) ==
             std::string_view(second.stem, second.stem_length);
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

const tables::Symbol* Standings::find(const tables::Library& library, std::string_view name) const {
  const Names& names = names_.at(&library);
  const auto found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

const tables::Library* Standings::owner(std::string_view name, int abi) const {
  if (!knows(name)) return nullptr;
  for (const tables::Library& library : tables_.libraries) {
    if (library.majors.count(abi) != 0 && find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

const tables::Library* Standings::any_owner(std::string_view name, int abi) const {
  if (const tables::Library* out = owner(name, abi); out != nullptr || !knows(name)) return out;
  for (const tables::Library& library : tables_.libraries) {
    if (find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

bool Standings::in_runtime(std::string_view name) const {
  for (const tables::Library& library : tables_.libraries) {
    if (library.name == "cudart" && find(library, name) != nullptr) return true;
  }
  return false;
}

const std::string* Standings::refused(std::string_view enumerator) const {
  const auto found = refused_.find(enumerator);
  return found == refused_.end() ? nullptr : &found->second;
}

}  // namespace torchada::check
