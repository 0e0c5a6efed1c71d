#include "generator/report/propose.h"

#include <algorithm>
#include <sstream>

#include "generator/decide/standing.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

struct Draft {
  std::string text;  // "direct: musaMalloc"
  bool operator==(const Draft& other) const { return text == other.text; }
};

// Suffixes of variants of another function, and the reason key for the difference.
const std::pair<const char*, const char*> kVariantSuffixes[] = {
    {"_ptsz", "per-thread-stream"}, {"_ptds", "per-thread-stream"}, {"_64", "wide-integers"}};

class Proposer {
 public:
  Proposer(const Tables& tables, const std::string& library)
      : tables_(tables), comparer_(tables), library_(library) {
    for (const ForwardLibrary& forward : tables.forward) {
      if (forward.name == library) backend_ = forward.backend;
    }
    for (const auto& [name, symbol] : tables.musa_library(backend_).symbols) {
      for (const MusaPrototype& prototype : symbol.prototypes) {
        if (!prototype.like_symbol.empty()) likes_.emplace(prototype.like_symbol, name);
      }
    }
  }

  std::string propose() {
    std::map<std::string, std::vector<std::pair<int, Draft>>> drafts;
    for (const Output& output : list_outputs(tables_)) {
      if (output.library_name != library_) continue;
      for (const CudaSymbol* symbol : exports_of(tables_, output)) {
        const std::string decided = decided_as(tables_, output, *symbol);
        if (row_of(tables_.forward[output.library], decided, output.abi)) continue;
        if (!heads_aliases(output, *symbol)) continue;
        drafts[symbol->name].emplace_back(output.abi, draft(output, *symbol));
      }
    }
    std::ostringstream out;
    for (const auto& [name, by_abi] : drafts) write(name, by_abi, &out);
    return out.str();
  }

 private:
  // If an address has several names, the one that MUSA's facts refer to gets the row.
  bool heads_aliases(const Output& output, const CudaSymbol& symbol) const {
    const auto group = alias_group(tables_.cuda[output.library], symbol);
    for (const std::string& name : group) {
      if (likes_.count(name)) return name == symbol.name;
    }
    for (const std::string& name : group) {
      if (tables_.cuda[output.library].symbols.at(name).weak) return name == symbol.name;
    }
    return group.front() == symbol.name;
  }

  Draft draft(const Output& output, const CudaSymbol& symbol) const {
    const auto found = likes_.find(symbol.name);
    if (found != likes_.end()) return draft_for_target(output, symbol, found->second);
    for (const auto& [suffix, reason] : kVariantSuffixes) {
      const std::string text = suffix;
      if (!symbol.name.ends_with(text)) continue;
      const std::string base = symbol.name.substr(0, symbol.name.size() - text.size());
      const auto target = likes_.find(base);
      if (target == likes_.end() || weak_evidence(target->second)) continue;
      return {std::string("unsupported: ") + reason};
    }
    return {"unsupported: no-counterpart"};
  }

  // "musaX_ptsz", "_v2" -> "musaX_v2_ptsz"
  static std::string with_version(const std::string& target, const std::string& version) {
    for (const std::string suffix : {"_ptsz", "_ptds"}) {
      if (target.ends_with(suffix)) {
        return target.substr(0, target.size() - suffix.size()) + version + suffix;
      }
    }
    return target + version;
  }

  bool weak_evidence(const std::string& target) const {
    return tables_.musa_symbol(backend_, target)->tier > Tier::kCbid;
  }

  Draft draft_for_target(const Output& output, const CudaSymbol& symbol,
                         const std::string& target) const {
    const Tier tier = tables_.musa_symbol(backend_, target)->tier;
    if (tier == Tier::kAbsent) return {"unsupported: reported-absent"};
    if (weak_evidence(target)) return {"unsupported: no-evidence"};
    if (!prototype_in(symbol, output)) return {"unsupported: no-prototype"};
    const auto candidates = candidates_of(tables_, comparer_, output, symbol, target, symbol.place);
    if (candidates.empty()) return {"unsupported: no-prototype"};
    const Comparison best =
        std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
          return a.comparison.sameness < b.comparison.sameness;
        })->comparison;
    if (best.sameness != Sameness::kDiffers) return {"direct: " + target};
    // CUDA 13 gives the plain name to what CUDA 12 calls _v2 or _v3, and MUSA follows CUDA 12. The
    // comparison of prototypes decides, not the name.
    for (const char* const version : {"_v2", "_v3"}) {
      const std::string other = with_version(target, version);
      if (!tables_.musa_symbol(backend_, other) || weak_evidence(other)) continue;
      for (const Candidate& candidate :
           candidates_of(tables_, comparer_, output, symbol, other, symbol.place)) {
        if (candidate.comparison.sameness != Sameness::kDiffers) return {"direct: " + other};
      }
    }
    return {"unsupported: " + yaml_scalar(target + " needs an adapter: " + best.why)};
  }

  static void write(const std::string& name, const std::vector<std::pair<int, Draft>>& by_abi,
                    std::ostringstream* out) {
    std::vector<std::pair<Draft, std::vector<int>>> groups;
    for (const auto& [abi, item] : by_abi) {
      const auto same =
          std::find_if(groups.begin(), groups.end(),
                       [&, &draft = item](const auto& g) { return g.first == draft; });
      if (same == groups.end()) {
        groups.push_back({item, {abi}});
      } else {
        same->second.push_back(abi);
      }
    }
    if (groups.size() == 1) {
      *out << "  " << name << ": {" << groups[0].first.text << "}\n";
      return;
    }
    *out << "  " << name << ":\n";
    for (const auto& [item, abis] : groups) {
      *out << "  - {abi: [";
      for (std::size_t i = 0; i < abis.size(); ++i) *out << (i ? ", " : "") << abis[i];
      *out << "], " << item.text << "}\n";
    }
  }

  const Tables& tables_;
  Comparer comparer_;
  std::string library_, backend_;
  std::map<std::string, std::string> likes_;
};

}  // namespace

std::string propose_rows(const Tables& tables, const std::string& library) {
  return Proposer(tables, library).propose();
}

}  // namespace torchada
