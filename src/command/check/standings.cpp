#include "src/command/check/standings.h"

#include <algorithm>

#include "src/command/check/other_libraries.h"

namespace torchada::check {
namespace {

constexpr std::size_t kUsualNames = 4096;

}  // namespace

Standings::Standings(const std::string& root) : tables_(tables::read(root)) {
  all_.reserve(kUsualNames);
  for (const Library& library : tables_.libraries) {
    parse_library_name(library.soname.c_str(), &names_.emplace_back());
    for (const Symbol& symbol : library.symbols) {
      all_.insert(symbol.name);
      beginnings_.add(symbol.name);
    }
  }
  for (const tables::Enumeration& type : tables_.types) add_refused(type);
  for (int i = 0; const OtherLibrary* other = other_library(i); ++i) {
    if (*other->prefix != '\0') beginnings_.add(other->prefix);
  }
}

// Without an enumerator that has another number in another release: it counts the others, as
// ncclNumTypes does, and no call takes it.
void Standings::add_refused(const tables::Enumeration& type) {
  for (const tables::EnumValue& value : type.values) {
    if (value.refused.empty()) continue;
    const bool differs = std::any_of(
        type.values.begin(), type.values.end(),
        [&](const auto& other) { return other.name == value.name && other.value != value.value; });
    if (differs) continue;
    refused_.emplace(value.name, value.refused);
    beginnings_.add(value.name);
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
  const std::string_view stem(name.stem, name.stem_length);
  for (std::size_t at = 0; at < names_.size(); ++at) {
    const LibraryName& own = names_[at];
    if (own.stem == nullptr || std::string_view(own.stem, own.stem_length) != stem) continue;
    out.ours = true;
    out.renamed = name.renamed;
    const bool same =
        name.version == nullptr ? tables_.libraries[at].majors.has(abi) : own.same_major(name);
    if (same) out.library = &tables_.libraries[at];
  }
  return out;
}

const Symbol* Standings::find(const Library& library, std::string_view name) {
  return tables::find_by_name(library.symbols, name);
}

const Library* Standings::owner(std::string_view name, int abi) const {
  if (!knows(name)) return nullptr;
  for (const Library& library : tables_.libraries) {
    if (library.majors.has(abi) && find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

const Library* Standings::any_owner(std::string_view name, int abi) const {
  if (const Library* out = owner(name, abi); out != nullptr || !knows(name)) return out;
  for (const Library& library : tables_.libraries) {
    if (find(library, name) != nullptr) return &library;
  }
  return nullptr;
}

bool Standings::in_runtime(std::string_view name) const {
  return std::any_of(tables_.libraries.begin(), tables_.libraries.end(),
                     [name](const Library& library) {
                       return library.name == "cudart" && find(library, name) != nullptr;
                     });
}

const std::string_view* Standings::refused(std::string_view enumerator) const {
  if (!may_know(enumerator)) return nullptr;
  const auto found = refused_.find(enumerator);
  return found == refused_.end() ? nullptr : &found->second;
}

}  // namespace torchada::check
