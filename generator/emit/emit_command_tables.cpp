// What the torchada command says about every export, MUSA function and type: the records of
// src/shared/records.h, but for facts, as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "generator/decide/calls.h"
#include "generator/decide/reference_rows.h"
#include "generator/decide/settling.h"
#include "generator/emit/emit.h"
#include "generator/tables/fact_list.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

using Json = nlohmann::ordered_json;

Json sdk_range(const SdkRange& sdk) { return {{"from", sdk.from}, {"to", sdk.to}}; }

void add_text(Json* record, const char* key, const std::string& text) {
  if (!text.empty()) (*record)[key] = text;
}

class CommandTables {
 public:
  explicit CommandTables(const Tables& tables)
      : tables_(tables), comparer_(tables), settling_(tables) {}

  Json json(const std::vector<LibraryPlan>& plans) {
    int rank = 0;
    for (const RankedSymbol& item : tables_.clients) {
      ranks_[item.library + "," + item.symbol] = ++rank;
    }
    for (const LibraryPlan& plan : plans) {
      note_refused(plan);
      note_renumbered(plan);
    }
    for (const LibraryPlan& plan : plans) library(plan);
    for (const MusaLibrary& library : tables_.musa) musa_library(library);
    for (const CudaLibrary& library : tables_.cuda) {
      for (const auto& [name, type] : library.types) cuda_type(library, type);
      for (const auto& [name, type] : library.types) cuda_layout(library, type);
    }
    for (const MusaLibrary& library : tables_.musa) {
      for (const auto& [name, variants] : library.types) {
        musa_type(library, name, variants);
        musa_layouts(library, variants);
      }
    }
    return std::move(out_);
  }

 private:
  // Why adapters refuse an enumerator, by its name.
  void note_refused(const LibraryPlan& plan) {
    for (const GeneratedAdapter& adapter : plan.generated) {
      for (const ParameterPlan& parameter : adapter.candidate.adaptation.parameters) {
        for (const EnumCase& item : parameter.enumeration.refused) {
          const auto listed = tables_.types.refused.find(item.name);
          refused_[item.name] = listed != tables_.types.refused.end()
                                    ? listed->second
                                    : "no MUSA counterpart is publicly known";
        }
      }
    }
  }

  void note_renumbered(const LibraryPlan& plan) {
    const ForwardLibrary& forward = tables_.forward[plan.output->library];
    const std::string& musa = forward.backend_status.type;
    if (changes_numbers(convert_enumeration(tables_, comparer_, *plan.output, forward.status.type,
                                            musa, Direction::kOut))) {
      renumbered_.insert(musa);
    }
  }

  void library(const LibraryPlan& plan) {
    const Output& output = *plan.output;
    Json& head = out_["libraries"].emplace_back();
    head["name"] = output.library_name;
    head["majors"] = output.majors;
    head["soname"] = output.soname;
    const ReplacementLibrary& entry = *tables_.registry.library(output.library_name);
    head["offered"] = offered_name(entry.offered);
    add_text(&head, "folder", entry.folder);
    head["releases"] = output.releases;
    head["backend"] = tables_.forward[output.library].backend;
    head["status"] = tables_.forward[output.library].status.type;
    head["musa_status"] = tables_.forward[output.library].backend_status.type;
    for (const PlannedExport& item : plan.exports) {
      head["symbols"].push_back(symbol(output, item));
    }
  }

  Json symbol(const Output& output, const PlannedExport& item) const {
    const CudaSymbol& symbol = *item.symbol;
    const ForwardRow* row = item.row;
    Json record;
    record["name"] = symbol.name;
    record["standing"] = standing_name(item.standing);
    record["decision"] = decision_name(*row);
    const auto rank = ranks_.find(output.library_name + "," + symbol.name);
    if (rank != ranks_.end()) record["rank"] = rank->second;
    if (row->brings_code) record["brings_code"] = true;
    if (row->guard.answered == Answered::kWithKernelLibraries) record["kernel_libraries"] = true;
    if (item.decided_as != symbol.name) record["as"] = item.decided_as;
    const CudaSymbol* server = &symbol;
    const ForwardRow* served = row;
    if (row->decision == RowDecision::kDelegated) {
      record["delegated_to"] = row->target;
      server = &tables_.cuda[output.library].symbols.at(row->target);
      served = row_of(tables_.forward[output.library], row->target, output.abi);
    }
    add_text(&record, "target", served->target);
    add_candidates(&record, output, *server, *served);
    add_text(&record, "reason", row->reason);
    add_calls(&record, "calls", output, served->calls);
    add_names(&record, "optional_calls", served->optional);
    add_text(&record, "besides", besides_of(*served));
    const Otherwise& other = other_way(output, *served);
    if (!other.reason.empty()) record["has_other_way"] = true;
    add_calls(&record, "otherwise_calls", output, other.calls);
    add_names(&record, "optional_otherwise_calls", other.optional);
    add_prototype(&record, output, symbol);
    return record;
  }

  // The other way of a row; of the export that it leads to, if that has one itself.
  const Otherwise& other_way(const Output& output, const ForwardRow& row) const {
    if (row.otherwise.target.empty()) return row.otherwise;
    const ForwardRow* next =
        row_of(tables_.forward[output.library], row.otherwise.target, output.abi);
    return next && !next->otherwise.reason.empty() ? next->otherwise : row.otherwise;
  }

  static void add_names(Json* record, const char* key, const std::vector<std::string>& names) {
    if (!names.empty()) (*record)[key] = names;
  }

  // The MUSA functions among an adapter's calls, including those behind our own exports.
  void add_calls(Json* record, const char* key, const Output& output,
                 const std::vector<std::string>& calls) const {
    std::set<std::string> names;
    for (const std::string& name : calls) {
      const Call call = find_call(tables_, output, name);
      if (call.musa) names.insert(name);
      if (!call.own) continue;
      const ForwardRow* row = row_of(tables_.forward[output.library], name, output.abi);
      const bool leads = row && !row->leads_by_way();
      if (leads && tables_.musa_symbol(tables_.forward[output.library].backend, row->target)) {
        names.insert(row->target);
      }
    }
    if (!names.empty()) (*record)[key] = names;
  }

  // The SDKs in which the target can be reached, and the fact that is missing if it is only
  // assumed.
  void add_candidates(Json* record, const Output& output, const CudaSymbol& symbol,
                      const ForwardRow& row) const {
    Json ranges = Json::array();
    if (row.decision == RowDecision::kDirect) {
      for (const Candidate& candidate :
           candidates_of(tables_, comparer_, output, symbol, row.target, row.place)) {
        if (candidate.comparison.sameness == Sameness::kDiffers) continue;
        ranges.push_back(sdk_range(common(candidate.prototype->sdk, candidate.symbol->sdk)));
      }
    } else if (row.decision == RowDecision::kAdapted) {
      for (const AdaptedCandidate& candidate :
           adapted_candidates_of(tables_, comparer_, output, symbol, row.target, row.place)) {
        if (!candidate.adaptation.is_possible) continue;
        ranges.push_back(sdk_range(common(candidate.prototype->sdk, candidate.symbol->sdk)));
      }
    }
    if (row.leads_by_way()) {
      const MusaSymbol& target = *find_call(tables_, output, row.target).musa;
      for (const MusaPrototype& prototype : target.prototypes) {
        ranges.push_back(sdk_range(common(prototype.sdk, target.sdk)));
      }
    }
    if (ranges.empty()) return;
    (*record)["sdk"] = ranges;
    if ((*record)["standing"] != standing_name(Standing::kAssumed)) return;
    const WeakFact missing = missing_fact(tables_, comparer_, output, symbol, row, kComingSdk);
    add_text(record, "why", missing.empty() ? kInPlace : missing.text);
    const Settled settled = settling_.by(missing);
    add_text(record, "missing", settled.fact);
    add_text(record, "probe", settled.probe);
    add_text(record, "no_probe", settled.none_for);
  }

  static void add_prototype(Json* record, const Output& output, const CudaSymbol& symbol) {
    const Prototype* prototype = prototype_in(symbol, output);
    if (!prototype) return;
    (*record)["prototype"] = spelled(*prototype, symbol.name);
    for (const CudaSymbol::Variant& variant : symbol.prototypes) {
      if (&variant.prototype == prototype) add_text(record, "header", variant.source);
    }
  }

  void musa_library(const MusaLibrary& library) {
    Json& head = out_["musa"].emplace_back();
    head["name"] = library.name;
    for (const auto& [name, symbol] : library.symbols) {
      head["symbols"].push_back(musa_symbol(symbol));
    }
  }

  Json musa_symbol(const MusaSymbol& symbol) const {
    Json record;
    record["name"] = symbol.name;
    record["link"] = symbol.link_name;
    record["sdk"] = sdk_range(symbol.sdk);
    record["tier"] = tier_name(symbol.tier);
    record["sources"] = tables_.sources.with_reading(symbol.sources);
    add_text(&record, "note", symbol.note);
    for (const MusaPrototype& prototype : symbol.prototypes) {
      Json item;
      item["prototype"] = spelled(expand(tables_, prototype), symbol.name);
      item["sdk"] = sdk_range(prototype.sdk);
      item["tier"] = tier_name(prototype.tier);
      add_text(&item, "source", tables_.sources.with_reading(prototype.source));
      record["prototypes"].push_back(item);
    }
    return record;
  }

  static std::set<int> abis_of(const CudaLibrary& library,
                               const std::vector<std::string>& releases) {
    std::set<int> out;
    for (const CudaRelease& release : library.releases) {
      if (contains(releases, release.name)) out.insert(release.abi);
    }
    return out;
  }

  // The real library's text for a status, from the newest release that has one.
  std::string status_text(const CudaLibrary& library, std::int64_t value) const {
    for (const auto& [function, strings] : tables_.answers.strings) {
      if (library.symbols.count(function) == 0 || !function.ends_with("String")) continue;
      for (auto item = strings.rbegin(); item != strings.rend(); ++item) {
        if (item->code && *item->code == value) return item->text;
      }
    }
    return "";
  }

  bool is_status(const std::string& type) const {
    for (const ForwardLibrary& forward : tables_.forward) {
      if (forward.status.type == type || forward.backend_status.type == type) return true;
    }
    return false;
  }

  void cuda_type(const CudaLibrary& library, const CudaType& type) {
    // Each (name, number) in the order of declaration, with the majors that have it.
    std::vector<std::pair<EnumValue, std::set<int>>> values;
    for (const CudaType::Variant& variant : type.variants) {
      const std::set<int> abis = abis_of(library, variant.releases);
      for (const EnumValue& value : variant.fact.enumeration.values) {
        auto found = std::find_if(values.begin(), values.end(), [&](const auto& item) {
          return item.first.name == value.name && item.first.value == value.value;
        });
        if (found == values.end()) found = values.insert(values.end(), {value, {}});
        found->second.insert(abis.begin(), abis.end());
      }
    }
    if (values.empty()) return;
    const auto counterpart = tables_.types.types.find(type.name);
    Json& head = out_["types"].emplace_back();
    head["name"] = type.name;
    head["library"] = library.name;
    if (counterpart != tables_.types.types.end()) head["musa"] = counterpart->second;
    head["is_status"] = is_status(type.name);
    for (const auto& [value, abis] : values) {
      Json& record = head["values"].emplace_back();
      record["name"] = value.name;
      record["value"] = value.value;
      record["abis"] = abis;
      record["musa"] = tables_.types.enumerator(value.name);
      const auto refused = refused_.find(value.name);
      if (refused != refused_.end()) record["refused"] = refused->second;
      if (is_status(type.name)) add_text(&record, "text", status_text(library, value.value));
    }
  }

  void musa_type(const MusaLibrary& library, const std::string& name,
                 const std::vector<MusaType>& variants) {
    for (const MusaType& type : variants) {
      if (type.values.empty()) continue;
      Json& head = out_["musa_types"].emplace_back();
      head["name"] = name;
      head["library"] = library.name;
      head["is_status"] = is_status(name);
      head["sdk"] = sdk_range(type.sdk);
      head["tier"] = tier_name(type.tier);
      head["sources"] = tables_.sources.with_reading(type.sources);
      for (const MusaEnumValue& value : type.values) {
        Json& record = head["values"].emplace_back();
        record["name"] = value.name;
        record["value"] = value.known ? Json(value.value) : Json();
        record["tier"] = tier_name(value.tier);
        add_text(&record, "becomes", becomes(name, value));
      }
    }
  }

  // CUDA's name for a status of MUSA's, if the names do not tell: see converted_statuses.
  std::string becomes(const std::string& type, const MusaEnumValue& value) const {
    const auto listed = tables_.types.results.find(value.name);
    const bool is_documented = value.known && value.tier <= Tier::kDoc;
    for (const ForwardLibrary& forward : tables_.forward) {
      if (forward.backend_status.type != type || forward.status.failed.empty()) continue;
      if (!is_documented && renumbered_.count(type) != 0) return forward.status.failed;
    }
    return listed == tables_.types.results.end() ? "" : listed->second;
  }

  // Describes a type that is not an enumeration.
  static Json layout_of(const TypeFact& fact) {
    Json out;
    switch (fact.kind) {
      case TypeKind::kScalar:
      case TypeKind::kHandle:
        out["kind"] = fact.kind == TypeKind::kScalar ? "scalar" : "handle";
        add_text(&out, "underlying", fact.underlying);
        break;
      case TypeKind::kEnum:
        out["kind"] = "enum";
        break;
      case TypeKind::kCallback:
        out["kind"] = "callback";
        add_text(&out, "underlying",
                 fact.callback.returns.empty() ? "" : spelled(fact.callback, "(*)"));
        break;
      case TypeKind::kStruct:
        out["kind"] = fact.structure.is_union ? "union" : "struct";
        out["size"] = fact.structure.size;
        out["align"] = fact.structure.align;
        out["fields"] = Json::array();
        for (const Field& field : fact.structure.fields) {
          out["fields"].push_back(
              {{"name", field.name}, {"type", field.type}, {"offset", field.offset}});
        }
        break;
    }
    return out;
  }

  void cuda_layout(const CudaLibrary& library, const CudaType& type) {
    Json record;
    record["name"] = type.name;
    record["library"] = library.name;
    const auto counterpart = tables_.types.types.find(type.name);
    if (counterpart != tables_.types.types.end()) record["musa"] = counterpart->second;
    for (const CudaType::Variant& variant : type.variants) {
      if (variant.fact.kind == TypeKind::kEnum) continue;  // In "types".
      record["variants"].push_back(
          {{"releases", variant.releases}, {"layout", layout_of(variant.fact)}});
    }
    if (record.contains("variants")) out_["layouts"].push_back(record);
  }

  void musa_layouts(const MusaLibrary& library, const std::vector<MusaType>& variants) {
    for (const MusaType& type : variants) {
      if (!type.values.empty()) continue;  // In "musa_types".
      TypeFact fact = type.fact;
      fact.kind = type.kind;
      Json& record = out_["musa_layouts"].emplace_back();
      record["name"] = type.name;
      record["library"] = library.name;
      record["sdk"] = sdk_range(type.sdk);
      record["tier"] = tier_name(type.tier);
      record["sources"] = tables_.sources.with_reading(type.sources);
      add_text(&record, "note", type.note);
      record["layout"] = layout_of(fact);
    }
  }

  std::map<std::string, std::string> refused_;
  std::set<std::string> renumbered_;  // Statuses of MUSA's that CUDA numbers differently.
  const Tables& tables_;
  const Comparer comparer_;
  const Settling settling_;
  std::map<std::string, int> ranks_;  // Among the functions that programs use, from 1.
  Json out_;
};

}  // namespace

Json command_tables(const Tables& tables, const std::vector<LibraryPlan>& plans) {
  return CommandTables(tables).json(plans);
}

}  // namespace torchada
