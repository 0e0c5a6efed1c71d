#include "generator/extract/compare_cuda.h"

#include <algorithm>
#include <set>

#include "generator/extract/fact_difference.h"

namespace torchada {
namespace {

template <typename Variant>
const Variant* variant_of(const std::vector<Variant>& variants, const std::string& release) {
  for (const Variant& variant : variants) {
    const auto& releases = variant.releases;
    if (std::find(releases.begin(), releases.end(), release) != releases.end()) return &variant;
  }
  return nullptr;
}

bool exports(const CudaSymbol& symbol, const std::string& release) {
  return std::find(symbol.releases.begin(), symbol.releases.end(), release) !=
         symbol.releases.end();
}

std::string join(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " ") + text;
  return out;
}

// Where a prototype was derived from is a fact. Which header declares it is not: that may change
// with the newest release of the table.
std::string derivation(const CudaSymbol::Variant& variant) {
  return variant.source.starts_with("derived from ") ? variant.source : "declared";
}

class ReleaseComparison {
 public:
  ReleaseComparison(const CudaLibrary& table, const CudaLibrary& extracted,
                    const CudaRelease& release)
      : table_(table), extracted_(extracted), release_(release.name) {
    compare_binary(release);
    compare_symbols();
    compare_types();
  }

  std::vector<std::string> lines;

 private:
  void add(const std::string& name, const std::string& text) {
    lines.push_back(table_.name + ": " + name + ": " + release_ + ": " + text);
  }
  void add_pair(const std::string& name, const std::string& what, const std::string& table,
                const std::string& extracted) {
    if (table == extracted) return;
    add(name, what + ": table " + table + ", extracted " + extracted);
  }

  void compare_binary(const CudaRelease& extracted) {
    for (const CudaRelease& known : table_.releases) {
      if (known.name != release_) continue;
      add_pair("library", "SONAME differs", known.soname, extracted.soname);
      add_pair("library", "version node differs", known.node, extracted.node);
      add_pair("library", "NEEDED differs", join(known.needed), join(extracted.needed));
      add_pair("library", "RUNPATH differs", known.runpath, extracted.runpath);
      return;
    }
    add("library", "release is not in the table");
  }

  void compare_symbols() {
    for (const auto& [name, known] : table_.symbols) {
      if (!exports(known, release_)) continue;
      const auto found = extracted_.symbols.find(name);
      if (found == extracted_.symbols.end() || !exports(found->second, release_)) {
        add(name, "in the table, but not exported");
      } else {
        compare_symbol(name, known, found->second);
      }
    }
    for (const auto& [name, symbol] : extracted_.symbols) {
      if (!exports(symbol, release_)) continue;
      const auto known = table_.symbols.find(name);
      if (known == table_.symbols.end() || !exports(known->second, release_)) {
        add(name, "exported, but not in the table");
      }
    }
  }

  void compare_symbol(const std::string& name, const CudaSymbol& known, const CudaSymbol& symbol) {
    add_pair(name, "binding differs", known.weak ? "weak" : "strong",
             symbol.weak ? "weak" : "strong");
    // The table lists only aliases that hold in every release.
    if (!known.alias_of.empty()) {
      add_pair(name, "alias differs", known.alias_of, symbol.alias_of);
    }
    const CudaSymbol::Variant* before = variant_of(known.prototypes, release_);
    const CudaSymbol::Variant* now = variant_of(symbol.prototypes, release_);
    if (before != nullptr && now == nullptr) add(name, "prototype in the table, but not extracted");
    if (before == nullptr && now != nullptr) add(name, "prototype extracted, but not in the table");
    if (before == nullptr || now == nullptr) return;
    if (!(before->prototype == now->prototype)) {
      add_pair(name, "prototype differs", describe(before->prototype), describe(now->prototype));
    }
    add_pair(name, "origin of the prototype differs", derivation(*before), derivation(*now));
  }

  void compare_types() {
    std::set<std::string> names;
    for (const auto& [name, type] : table_.types) names.insert(name);
    for (const auto& [name, type] : extracted_.types) names.insert(name);
    for (const std::string& name : names) {
      const CudaType::Variant* before = type_of(table_, name);
      const CudaType::Variant* now = type_of(extracted_, name);
      if (before == nullptr && now == nullptr) continue;
      if (before == nullptr) {
        add(name, "type extracted, but not in the table");
      } else if (now == nullptr) {
        add(name, "type in the table, but not extracted");
      } else {
        for (const std::string& line : differences(before->fact, now->fact)) add(name, line);
      }
    }
  }

  const CudaType::Variant* type_of(const CudaLibrary& library, const std::string& name) const {
    const auto found = library.types.find(name);
    return found == library.types.end() ? nullptr : variant_of(found->second.variants, release_);
  }

  const CudaLibrary& table_;
  const CudaLibrary& extracted_;
  const std::string release_;
};

}  // namespace

std::vector<std::string> compare_cuda(const CudaLibrary& table, const CudaLibrary& extracted) {
  std::vector<std::string> out;
  for (const CudaRelease& release : extracted.releases) {
    const ReleaseComparison comparison(table, extracted, release);
    out.insert(out.end(), comparison.lines.begin(), comparison.lines.end());
  }
  return out;
}

}  // namespace torchada
