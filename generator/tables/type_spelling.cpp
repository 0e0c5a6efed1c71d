#include "generator/tables/type_spelling.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

std::string replace_base(const std::string& spelled, const std::string& from,
                         const std::string& to) {
  std::string out = spelled;
  const std::size_t at = out.find(from);
  if (at != std::string::npos) out.replace(at, from.size(), to);
  return out;
}

TableError not_known(const MusaPrototype& musa) {
  return TableError(musa.place, "the prototype of '" + musa.like_symbol + "' at ABI " +
                                    std::to_string(musa.like_abi) + " is not known");
}

}  // namespace

Output like_output(const Tables& tables, const MusaPrototype& musa) {
  for (const Output& output : list_outputs(tables)) {
    const CudaLibrary& library = tables.cuda[output.library];
    if (library.symbols.count(musa.like_symbol) == 0) continue;
    // If several majors share a SONAME, the release of the requested ABI decides.
    Output wanted = output;
    wanted.releases.clear();
    for (const CudaRelease& release : library.releases) {
      if (release.abi == musa.like_abi) wanted.releases.push_back(release.name);
    }
    return wanted;
  }
  throw not_known(musa);
}

const Prototype& like_prototype(const Tables& tables, const MusaPrototype& musa) {
  const Output output = like_output(tables, musa);
  const CudaSymbol& symbol = tables.cuda[output.library].symbols.at(musa.like_symbol);
  if (const Prototype* prototype = prototype_in(symbol, output)) return *prototype;
  throw not_known(musa);
}

std::string base_type(const std::string& spelled) {
  std::string out = spelled;
  for (const char* const drop : {"const ", "volatile "}) {
    for (std::size_t at; (at = out.find(drop)) != std::string::npos;) out.erase(at, strlen(drop));
  }
  out.resize(std::min(out.size(), out.find_first_of("*[:")));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool is_c_type(const std::string& base) {
  static const std::set<std::string> kTypes = {"void",        "bool",
                                               "_Bool",       "char",
                                               "signed char", "unsigned char",
                                               "short",       "unsigned short",
                                               "int",         "unsigned int",
                                               "long",        "unsigned long",
                                               "long long",   "unsigned long long",
                                               "float",       "double",
                                               "size_t",      "int8_t",
                                               "uint8_t",     "int16_t",
                                               "uint16_t",    "int32_t",
                                               "uint32_t",    "int64_t",
                                               "uint64_t",    "FILE",
                                               "intptr_t",    "uintptr_t",
                                               "ptrdiff_t"};
  return kTypes.count(base) != 0;
}

std::string musa_spelling(const Tables& tables, const std::string& cuda, const Place& place) {
  const std::string base = base_type(cuda);
  if (is_c_type(base)) return cuda;
  if (cuda.find("(*)") != std::string::npos) return cuda;
  const auto found = tables.types.types.find(base);
  if (found == tables.types.types.end()) {
    throw TableError(
        place, "unknown type '" + base + "': " + tables.types.file + " has no MUSA name for it");
  }
  return replace_base(cuda, base, found->second);
}

Prototype expand(const Tables& tables, const MusaPrototype& musa) {
  if (musa.like_symbol.empty()) return musa.prototype;
  Prototype out = like_prototype(tables, musa);
  out.returns = musa_spelling(tables, out.returns, musa.place);
  for (Parameter& parameter : out.parameters) {
    parameter.type = musa_spelling(tables, parameter.type, musa.place);
  }
  return out;
}

}  // namespace torchada
