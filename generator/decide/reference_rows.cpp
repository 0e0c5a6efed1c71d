#include "generator/decide/reference_rows.h"

#include <algorithm>
#include <map>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

constexpr SdkRange kAnySdk;

class OutputRows {
 public:
  OutputRows(const Tables& tables, const Comparer& comparer, const Output& output)
      : tables_(tables),
        comparer_(comparer),
        output_(output),
        forward_(tables.forward[output.library]) {}

  ReferenceRow row(const CudaSymbol& symbol) const {
    const std::string decided = decided_as(tables_, output_, symbol);
    const ForwardRow* row = row_of(forward_, decided, output_.abi);
    if (!row) {
      throw TableError(forward_.rows_place, "'" + symbol.name + "' is exported by " +
                                                output_.soname +
                                                ", but no row decides it; add a row");
    }
    const CudaSymbol& decider = tables_.cuda[output_.library].symbols.at(decided);
    ReferenceRow out;
    out.library = output_.library_name;
    out.symbol = symbol.name;
    out.majors = {output_.majors.begin(), output_.majors.end()};
    out.decision = decision_name(*row);
    out.standing = standing_of(tables_, comparer_, output_, symbol, *row);
    out.note = row->reason;
    WeakFact doubt;
    if (row->decision == RowDecision::kDirect) direct_targets(decider, *row, &out);
    if (row->decision == RowDecision::kAdapted) adapted_targets(decider, *row, &out);
    if (!out.targets.empty() || row->leads_by_way()) {
      doubt = missing_fact(tables_, comparer_, output_, decider, *row, kComingSdk);
    }
    if (row->leads_by_way()) {
      called_target(row->target, &out);
    } else {
      for (const std::string& call : row->calls) called_target(call, &out);
    }
    if (out.targets.empty() && !row->target.empty()) by_way_of(row->target, &doubt, &out);
    if (out.standing == Standing::kAssumed) {
      out.missing = doubt.empty() ? unknown_fact(kInPlace) : doubt;
      out.note = out.missing.text;
    }
    out.besides = besides_of(*row);
    return out;
  }

 private:
  void add(const MusaSymbol& symbol, SdkRange sdk, bool has_adapter, ReferenceRow* out) const {
    out->targets.push_back(
        {symbol.name, symbol.link_name, common(symbol.sdk, sdk), symbol.tier, has_adapter});
  }

  void direct_targets(const CudaSymbol& symbol, const ForwardRow& row, ReferenceRow* out) const {
    for (const Candidate& candidate :
         candidates_of(tables_, comparer_, output_, symbol, row.target, row.place)) {
      if (candidate.comparison.sameness == Sameness::kDiffers) continue;
      add(*candidate.symbol, candidate.prototype->sdk, false, out);
    }
  }

  void adapted_targets(const CudaSymbol& symbol, const ForwardRow& row, ReferenceRow* out) const {
    for (const AdaptedCandidate& candidate :
         adapted_candidates_of(tables_, comparer_, output_, symbol, row.target, row.place)) {
      if (!candidate.adaptation.is_possible) continue;
      add(*candidate.symbol, candidate.prototype->sdk, true, out);
    }
  }

  // If a row leads to another export of the library, it has the targets of that export.
  void by_way_of(const std::string& name, WeakFact* doubt, ReferenceRow* out) const {
    const auto& symbols = tables_.cuda[output_.library].symbols;
    const auto found = symbols.find(name);
    if (found == symbols.end() || name == out->symbol) return;
    const ReferenceRow other = row(found->second);
    out->targets = other.targets;
    for (ReferenceTarget& target : out->targets) target.has_adapter = true;
    *doubt = other.missing;
    if (out->note.empty()) out->note = "through " + name;
  }

  void called_target(const std::string& call, ReferenceRow* out) const {
    const MusaSymbol* symbol = tables_.musa_symbol(forward_.backend, call);
    for (const BackendInfo& library : tables_.registry.backends) {
      if (!symbol) symbol = tables_.musa_symbol(library.name, call);
    }
    if (symbol) add(*symbol, kAnySdk, true, out);
  }

  const Tables& tables_;
  const Comparer& comparer_;
  const Output& output_;
  const ForwardLibrary& forward_;
};

bool same_target(const ReferenceTarget& a, const ReferenceTarget& b) {
  return a.link_name == b.link_name && a.sdk.from == b.sdk.from && a.sdk.to == b.sdk.to &&
         a.tier == b.tier && a.has_adapter == b.has_adapter;
}

bool says_the_same(const ReferenceRow& a, const ReferenceRow& b) {
  return a.decision == b.decision && a.standing == b.standing && a.note == b.note &&
         a.besides == b.besides && a.targets.size() == b.targets.size() &&
         std::equal(a.targets.begin(), a.targets.end(), b.targets.begin(), same_target);
}

// Joins a row with rows of other majors that say the same of the export.
void add(const ReferenceRow& row, std::vector<ReferenceRow>* known) {
  for (ReferenceRow& other : *known) {
    if (!says_the_same(row, other)) continue;
    other.majors.insert(other.majors.end(), row.majors.begin(), row.majors.end());
    return;
  }
  known->push_back(row);
}

// "cublasSgemm_v2_64" -> the same, "cublasSgemm_v2", "cublasSgemm".
std::vector<std::string> plainer_names(const std::string& symbol) {
  std::vector<std::string> out{symbol};
  for (const std::string suffix : {"_ptsz", "_ptds", "_64", "_v3", "_v2"}) {
    if (!out.back().ends_with(suffix)) continue;
    out.push_back(out.back().substr(0, out.back().size() - suffix.size()));
  }
  return out;
}

// "cudaMalloc" -> "musaMalloc"; empty for a name without the library's prefix.
std::string in_musa(const ReplacementLibrary& library, const std::string& name) {
  const std::string& prefix = library.prefix;
  for (const std::string before : {"", "__"}) {
    if (!name.starts_with(before + prefix)) continue;
    return before + library.musa_prefix + name.substr(before.size() + prefix.size());
  }
  // The names for profilers: MUSA has none of its own for them.
  if (name.starts_with("p" + prefix)) return library.musa_prefix + name.substr(1 + prefix.size());
  return "";
}

}  // namespace

std::string besides_of(const ForwardRow& row) {
  std::string out;
  if (!row.otherwise.reason.empty()) out = "if MUSA lacks it: " + row.otherwise.reason;
  if (row.guard.parameter.empty() || row.guard.answered == Answered::kAlways) return out;
  if (!out.empty()) out += "; ";
  if (row.guard.answered == Answered::kNever) return out + "CUDA device code is refused by name";
  return out + "CUDA device code is taken from kernel libraries by name, or refused";
}

std::string remarks(const ReferenceRow& row) {
  return row.note + (row.note.empty() || row.besides.empty() ? "" : "; ") + row.besides;
}

std::string sdk_text(int version) {
  std::string out = std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
  if (version % 100 != 0) out += "." + std::to_string(version % 100);
  return out;
}

std::string sdk_range_text(SdkRange range) {
  std::string out;
  if (range.from > kAnySdk.from) out = ">=" + sdk_text(range.from);
  if (range.to < kAnySdk.to) out += (out.empty() ? "<" : " <") + sdk_text(range.to);
  return out.empty() ? "any" : out;
}

const MusaSymbol* evident_counterpart(const Tables& tables, const std::string& library,
                                      const std::string& symbol) {
  const auto forward =
      std::find_if(tables.forward.begin(), tables.forward.end(),
                   [&](const ForwardLibrary& other) { return other.name == library; });
  if (forward == tables.forward.end()) return nullptr;
  const auto evident = [](const MusaSymbol& musa) { return musa.tier <= Tier::kDoc; };
  for (const std::string& name : plainer_names(symbol)) {
    const MusaSymbol* musa =
        tables.musa_symbol(forward->backend, in_musa(*tables.registry.library(library), name));
    if (musa && evident(*musa)) return musa;
    for (const auto& [other, candidate] : tables.musa_library(forward->backend).symbols) {
      if (!evident(candidate)) continue;
      for (const MusaPrototype& prototype : candidate.prototypes) {
        if (prototype.like_symbol == name) return &candidate;
      }
    }
  }
  return nullptr;
}

std::vector<ReferenceRow> reference_rows(const Tables& tables) {
  const Comparer comparer(tables);
  std::map<std::pair<std::size_t, std::string>, std::vector<ReferenceRow>> by_symbol;
  for (const Output& output : list_outputs(tables)) {
    const OutputRows rows(tables, comparer, output);
    for (const CudaSymbol* symbol : exports_of(tables, output)) {
      add(rows.row(*symbol), &by_symbol[{output.library, symbol->name}]);
    }
  }
  std::vector<ReferenceRow> out;
  for (auto& [key, rows] : by_symbol) {
    for (ReferenceRow& row : rows) std::sort(row.majors.begin(), row.majors.end());
    std::sort(rows.begin(), rows.end(), [](const ReferenceRow& a, const ReferenceRow& b) {
      return a.majors.front() < b.majors.front();
    });
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

}  // namespace torchada
