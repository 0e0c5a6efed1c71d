#include "generator/extract/assemble_cuda.h"

#include <algorithm>
#include <optional>

namespace torchada {
namespace {

const std::string kDerived = "derived from ";

// The declarations of one library, by symbol and index of the release.
using Declarations = std::map<std::string, std::map<int, HeaderFunction>>;

// The names whose declaration `symbol` may share: the header does not show the difference.
std::vector<std::string> base_names(const std::string& symbol) {
  std::vector<std::string> out;
  for (const std::string suffix : {"_ptsz", "_ptds"}) {
    if (symbol.ends_with(suffix)) out.push_back(symbol.substr(0, symbol.size() - suffix.size()));
  }
  if (symbol.starts_with("p")) out.push_back(symbol.substr(1));
  return out;
}

class Assembler {
 public:
  Assembler(const std::vector<ReleaseFacts>& facts, const CudaReleases& releases,
            const std::vector<ReplacementLibrary>& libraries, std::size_t library)
      : facts_(facts), releases_(releases), library_(library) {
    out_.name = libraries[library].name;
  }

  void learn(const CudaLibrary& known) {
    for (const auto& [name, symbol] : known.symbols) {
      for (const CudaSymbol::Variant& variant : symbol.prototypes) {
        if (variant.source.starts_with(kDerived)) continue;
        for (const std::string& release : variant.releases) {
          declarations_[name][releases_.index_of(release)] = {variant.prototype, variant.source,
                                                              name};
        }
      }
    }
  }

  CudaLibrary assemble() {
    for (const ReleaseFacts& release : facts_) {
      for (const auto& [name, function] : library_of(release).declared) {
        declarations_[name][releases_.index_of(release.name)] = function;
      }
    }
    for (const ReleaseFacts& release : facts_) add_release(release);
    for (auto& [name, symbol] : out_.symbols) symbol.alias_of = alias_of(name);
    return std::move(out_);
  }

 private:
  const LibraryFacts& library_of(const ReleaseFacts& release) const {
    return release.libraries[library_];
  }

  void add_release(const ReleaseFacts& release) {
    const LibraryFacts& library = library_of(release);
    const int index = releases_.index_of(release.name);
    out_.releases.push_back({release.name, releases_.releases[static_cast<std::size_t>(index)].abi,
                             library.soname, library.node, library.needed, library.runpath});
    for (const auto& [name, entry] : library.exports) {
      CudaSymbol& symbol = out_.symbols[name];
      symbol.name = name;
      symbol.releases.push_back(release.name);
      symbol.weak = entry.weak;  // The newest release decides.
      if (std::optional<HeaderFunction> found = find_prototype(name, index)) {
        add_prototype(symbol, release.name, *found);
      }
    }
    const auto types = release.types.find(library.name);
    if (types == release.types.end()) return;
    for (const auto& [name, fact] : types->second) add_type(name, release.name, fact);
  }

  static void add_prototype(CudaSymbol& symbol, const std::string& release,
                            const HeaderFunction& function) {
    const bool derived = function.header.starts_with(kDerived);
    for (CudaSymbol::Variant& variant : symbol.prototypes) {
      if (variant.prototype != function.prototype) continue;
      // A header may move within the library, but a derived prototype must stay recognisable.
      const bool variant_derived = variant.source.starts_with(kDerived);
      if ((derived || variant_derived) && variant.source != function.header) continue;
      variant.releases.push_back(release);
      variant.prototype = function.prototype;  // Parameter names from the newest release.
      variant.source = function.header;
      return;
    }
    symbol.prototypes.push_back({{release}, function.prototype, function.header});
  }

  void add_type(const std::string& name, const std::string& release, const TypeFact& fact) {
    CudaType& type = out_.types[name];
    type.name = name;
    for (CudaType::Variant& variant : type.variants) {
      if (!same_fact(variant.fact, fact)) continue;
      variant.releases.push_back(release);
      variant.fact = fact;
      return;
    }
    type.variants.push_back({{release}, fact});
  }

  std::optional<HeaderFunction> declared(const std::string& name, int release) const {
    const auto symbol = declarations_.find(name);
    if (symbol == declarations_.end()) return std::nullopt;
    const auto found = symbol->second.find(release);
    if (found == symbol->second.end()) return std::nullopt;
    return found->second;
  }

  // The next older release that declares it, otherwise the next newer one.
  std::optional<int> neighbour(const std::string& name, int release) const {
    for (int older = release - 1; older >= 0; --older) {
      if (declared(name, older)) return older;
    }
    if (declared(name + "_v2", release)) return std::nullopt;
    for (int newer = release + 1; newer < static_cast<int>(releases_.releases.size()); ++newer) {
      if (declared(name, newer)) return newer;
    }
    return std::nullopt;
  }

  std::optional<HeaderFunction> find_prototype(const std::string& name, int release) const {
    if (auto own = declared(name, release)) return own;
    for (const std::string& base : base_names(name)) {
      if (auto found = declared(base, release)) return {{found->prototype, kDerived + base, name}};
    }
    const auto release_name = [this](int index) {
      return releases_.releases[static_cast<std::size_t>(index)].name;
    };
    if (const auto other = neighbour(name, release)) {
      return {{declared(name, *other)->prototype, kDerived + release_name(*other), name}};
    }
    for (const std::string& base : base_names(name)) {
      if (const auto other = neighbour(base, release)) {
        return {{declared(base, *other)->prototype, kDerived + base + " in " + release_name(*other),
                 name}};
      }
    }
    return std::nullopt;
  }

  // A weak export at the address of a strong one, in every release that has both, is its second
  // name. Strong exports at one address stay apart: they only have equal code, which the linker
  // folds (all functions that answer "not supported").
  std::string alias_of(const std::string& name) const {
    std::string alias;
    for (const ReleaseFacts& release : facts_) {
      const auto& exports = library_of(release).exports;
      const auto own = exports.find(name);
      if (own == exports.end()) continue;
      if (!own->second.weak) return "";
      std::string found;
      for (const auto& [other, entry] : exports) {
        if (entry.weak || entry.address != own->second.address) continue;
        if (found.empty() || other == alias) found = other;
      }
      if (found.empty() || (!alias.empty() && found != alias)) return "";
      alias = found;
    }
    return alias;
  }

  const std::vector<ReleaseFacts>& facts_;
  const CudaReleases& releases_;
  const std::size_t library_;
  Declarations declarations_;
  CudaLibrary out_;
};

}  // namespace

std::vector<CudaLibrary> assemble_cuda(const std::vector<ReleaseFacts>& facts,
                                       const CudaReleases& releases,
                                       const std::vector<ReplacementLibrary>& libraries,
                                       const std::vector<CudaLibrary>& known) {
  std::vector<CudaLibrary> out;
  for (std::size_t index = 0; index < libraries.size(); ++index) {
    Assembler assembler(facts, releases, libraries, index);
    for (const CudaLibrary& library : known) {
      if (library.name == libraries[index].name) assembler.learn(library);
    }
    out.push_back(assembler.assemble());
  }
  return out;
}

}  // namespace torchada
