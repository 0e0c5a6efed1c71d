#include "generator/report/check.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/check_attributes.h"
#include "generator/decide/check_entry_points.h"
#include "generator/decide/conditions.h"
#include "generator/decide/enumerators.h"
#include "generator/decide/guards.h"
#include "generator/decide/per_thread.h"
#include "generator/decide/unknown_numbers.h"
#include "generator/report/check_sources.h"
#include "generator/tables/type_spelling.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// SDK 3.1.0, the oldest that the tables know.
constexpr int kOldestSdk = 30100;

class Checker {
 public:
  explicit Checker(const Tables& tables) : tables_(tables), comparer_(tables) {
    for (const MusaLibrary& library : tables.musa) {
      for (const auto& [name, symbol] : library.symbols) {
        for (const MusaPrototype& prototype : symbol.prototypes) {
          if (!prototype.like_symbol.empty()) {
            likes_[library.name + "/" + prototype.like_symbol].insert(name);
          }
        }
      }
    }
  }

  CheckResult run() {
    check_types_are_known();
    // Otherwise one unknown type would be reported again for every row that uses it.
    if (!result_.errors.empty()) return std::move(result_);
    for (const std::string& defect : decision_defects(tables_)) result_.errors.push_back(defect);
    for (const Output& output : list_outputs(tables_)) check_output(output);
    check_rows_have_exports();
    check_stand_ins();
    check_fallbacks();
    for (const std::string& defect : unused_conditions(tables_)) error_once(defect);
    check_sources();
    return std::move(result_);
  }

 private:
  void error(const Place& place, const std::string& message) {
    result_.errors.push_back(TableError(place, message).what());
  }

  // Several outputs, or several checks, may find the same defect.
  void error_once(const std::string& message) {
    const std::vector<std::string>& errors = result_.errors;
    if (std::find(errors.begin(), errors.end(), message) == errors.end()) {
      result_.errors.push_back(message);
    }
  }

  // What `also` names is called with the arguments of the entry.
  void check_stand_ins() {
    for (const MusaLibrary& library : tables_.musa) {
      for (const auto& [name, symbol] : library.symbols) {
        for (const std::string& other : symbol.also) {
          check_stand_in(symbol, library.symbols.at(other));
        }
      }
    }
  }

  void check_stand_in(const MusaSymbol& symbol, const MusaSymbol& other) {
    for (const MusaPrototype& theirs : other.prototypes) {
      const bool taken = std::any_of(symbol.prototypes.begin(), symbol.prototypes.end(),
                                     [&](const MusaPrototype& ours) {
                                       return expand(tables_, ours) == expand(tables_, theirs);
                                     });
      if (taken) continue;
      error(theirs.place, other.name + " takes other arguments than " + symbol.name +
                              ", which names it in 'also'; remove it there");
    }
  }

  void check_sources() {
    try {
      for (const std::string& defect : source_defects(tables_)) result_.errors.push_back(defect);
    } catch (const TableError& defect) {  // The facts cannot be listed.
      error_once(defect.what());
    }
  }

  void check_fallbacks() {
    const TypeCorrespondence& types = tables_.types;
    const Place place = {types.file, 0};
    for (const auto& [type, pairs] : types.fallbacks) {
      for (const auto& [first, second] : pairs) {
        for (const std::string& name : {first, second}) {
          try {
            cuda_enumerator_value(tables_, type, name, place);
            const auto musa = types.types.find(type);
            if (musa == types.types.end()) throw TableError(place, "unknown type '" + type + "'");
            musa_enumerator_value(tables_, musa->second, types.enumerator(name), place);
          } catch (const TableError& defect) {
            error_once(defect.what());
          }
        }
      }
    }
  }

  void check_types_are_known() {
    std::set<std::string> reported;
    for (const CudaLibrary& library : tables_.cuda) {
      if (tables_.registry.library(library.name)->answers_alone) continue;
      for (const auto& [name, symbol] : library.symbols) {
        for (const CudaSymbol::Variant& variant : symbol.prototypes) {
          check_type(variant.prototype.returns, symbol, &reported);
          for (const Parameter& parameter : variant.prototype.parameters) {
            check_type(parameter.type, symbol, &reported);
          }
        }
      }
    }
  }

  void check_type(const std::string& spelled, const CudaSymbol& symbol,
                  std::set<std::string>* reported) {
    try {
      musa_spelling(tables_, spelled, symbol.place);
    } catch (const TableError& defect) {
      if (reported->insert(base_type(spelled)).second) result_.errors.push_back(defect.what());
    }
  }

  void check_output(const Output& output) {
    const ForwardLibrary& forward = tables_.forward[output.library];
    try {
      check_attributes(tables_, output);
    } catch (const TableError& defect) {
      result_.errors.push_back(defect.what());
    }
    for (const std::string& defect : entry_point_defects(tables_, output)) {
      result_.errors.push_back(defect);
    }
    for (const std::string& name : {forward.peek_error, forward.clear_error}) {
      if (name.empty() || find_call(tables_, output, name).musa) continue;
      error_once(TableError({forward.file, 0}, "unknown MUSA function '" + name + "'").what());
    }
    for (const std::string& call : forward.kernel_calls) {
      if (find_call(tables_, output, call).musa) continue;
      error_once(TableError(forward.rows_place, "unknown MUSA function '" + call + "'").what());
    }
    for (const CudaSymbol* symbol : exports_of(tables_, output)) {
      const std::string decided = decided_as(tables_, output, *symbol);
      const ForwardRow* row = row_of(forward, decided, output.abi);
      if (!row) {
        error(forward.rows_place, "'" + symbol->name + "' is exported by " + output.soname +
                                      ", but no row decides it; add a row");
        continue;
      }
      try {
        check_row(output, *symbol, *row);
        check_conditions(tables_, output, *symbol);
        ++result_.counts[output.label()][standing_of(tables_, comparer_, output, *symbol, *row)];
        ++result_.oldest_counts[output.label()]
                               [standing_of(tables_, comparer_, output, *symbol, *row, kOldestSdk)];
      } catch (const TableError& defect) {
        error_once(defect.what());
      }
    }
  }

  void check_row(const Output& output, const CudaSymbol& symbol, const ForwardRow& row) {
    const std::string where = symbol.name + " in " + output.soname;
    for (const std::vector<std::string>* calls : {&row.calls, &row.otherwise.calls}) {
      for (const std::string& call : *calls) {
        const Call found = find_call(tables_, output, call);
        if (!found.musa && !found.own) {
          throw TableError(row.place, where + ": unknown MUSA function '" + call + "'");
        }
      }
    }
    if (row.decision == RowDecision::kDelegated) {
      check_delegated(output, symbol, row, where);
      return;
    }
    if (!row.target.empty() && !find_call(tables_, output, row.target).musa) {
      throw TableError(row.place, where + ": unknown target '" + row.target + "'");
    }
    if (row.decision != RowDecision::kUnsupported && takes_what_nothing_makes(output, symbol)) {
      throw TableError(row.place,
                       where + ": must be unsupported: it takes an object that no export makes");
    }
    if (!row.guard.parameter.empty()) guard_of(tables_, output, symbol, row);
    if (!row.forgets.empty()) {
      const Prototype* prototype = prototype_in(symbol, output);
      if (!prototype ||
          std::ranges::none_of(prototype->parameters, [&](const Parameter& parameter) {
            return parameter.name == row.forgets;
          })) {
        throw TableError(
            row.place, where + ": 'forgets': the function has no parameter '" + row.forgets + "'");
      }
    }
    if (row.decision == RowDecision::kDirect || row.decision == RowDecision::kAdapted) {
      if (tables_.registry.libraries[output.library].answers_alone) {
        throw TableError(row.place,
                         where + ": its library 'answers alone', so no row leads to MUSA");
      }
      check_numbers(output, symbol, row, where);
    }
    if (row.leads_by_way()) check_target_is_evident(output, row, where);
    if (row.decision == RowDecision::kDirect) {
      check_direct(output, symbol, row, where);
    } else if (row.decision == RowDecision::kAdapted) {
      check_adapted(output, symbol, row, where);
      check_could_be_direct(output, symbol, row, where);
    } else if (row.decision == RowDecision::kUnsupported) {
      check_could_be_direct(output, symbol, row, where);
      check_reason(output, symbol, row, where);
    }
  }

  // Every enumerator that reaches MUSA has a number that a source gives, or a decision.
  void check_numbers(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                     const std::string& where) {
    const Prototype* prototype = prototype_in(symbol, output);
    if (!prototype) return;
    for (const Parameter& parameter : prototype->parameters) {
      const std::string& backend = tables_.forward[output.library].backend;
      if (is_flags(parameter) && !contains(tables_.types.numbered_as_cuda, backend)) {
        throw TableError(row.place, where + ": " + parameter.name +
                                        ": flags are numbers, and MUSA's library does not number "
                                        "as CUDA does; the function must be emulated");
      }
      // An enumerator that MUSA writes does not reach it.
      const TypeFact* fact = fact_in(tables_, base_type(parameter.type), output);
      const bool is_enum = fact && fact->kind == TypeKind::kEnum;
      if (is_enum && direction_of(parameter.type) != Direction::kIn) continue;
      for (const std::string& type : enumerations_in(tables_, output, parameter.type)) {
        const std::string why = undecided_number(tables_, output, type);
        if (!why.empty()) throw TableError(row.place, where + ": " + parameter.name + ": " + why);
      }
    }
  }

  // Whether an integer carries flags, which have no type of their own.
  static bool is_flags(const Parameter& parameter) {
    return is_c_type(parameter.type) &&
           (parameter.name.ends_with("flags") || parameter.name.ends_with("Flags"));
  }

  // A reason that denies a counterpart is wrong if the tables have evidence for its name.
  void check_reason(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                    const std::string& where) {
    if (!row.reason.ends_with("not known to have a counterpart")) return;
    const std::string& backend = tables_.forward[output.library].backend;
    const auto found = likes_.find(backend + "/" + symbol.name);
    if (found == likes_.end()) return;
    for (const std::string& target : found->second) {
      const Tier tier = tables_.musa_symbol(backend, target)->tier;
      if (tier > Tier::kCbid) continue;
      throw TableError(row.place,
                       where + ": the reason denies a counterpart, but the evidence for " + target +
                           " has tier " + tier_name(tier) + "; say what is missing");
    }
  }

  void check_delegated(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                       const std::string& where) {
    if (standing_of(tables_, comparer_, output, symbol, row) == Standing::kUnsupported) {
      throw TableError(row.place, where + ": " + row.target +
                                      " is unsupported, so no other export can go through it");
    }
  }

  void check_direct(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                    const std::string& where) {
    if (!prototype_in(symbol, output)) {
      throw TableError(row.place, where + ": cannot be direct: its prototype is not known");
    }
    check_target_is_evident(output, row, where);
    const auto candidates =
        candidates_of(tables_, comparer_, output, symbol, row.target, row.place);
    if (candidates.empty()) {
      throw TableError(row.place, where + ": cannot be direct: the prototype of " + row.target +
                                      " is not known");
    }
    std::string why;
    bool fits = false;
    for (const Candidate& candidate : candidates) {
      if (candidate.comparison.needs_only_buffer) {
        throw TableError(row.place, where + ": must be adapted: " + candidate.comparison.why);
      }
      fits = fits || candidate.comparison.sameness != Sameness::kDiffers;
      why = candidate.comparison.why;
    }
    if (fits) return;
    throw TableError(row.place, where + ": cannot be direct: its types differ: " + why);
  }

  void check_adapted(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                     const std::string& where) {
    if (!prototype_in(symbol, output)) {
      throw TableError(row.place, where + ": cannot be adapted: its prototype is not known");
    }
    check_target_is_evident(output, row, where);
    std::string why = "the prototype of " + row.target + " is not known";
    for (const AdaptedCandidate& candidate :
         adapted_candidates_of(tables_, comparer_, output, symbol, row.target, row.place)) {
      if (candidate.adaptation.is_possible) return;
      why = candidate.adaptation.why_not;
    }
    throw TableError(row.place, where + ": cannot be adapted: " + why);
  }

  void check_target_is_evident(const Output& output, const ForwardRow& row,
                               const std::string& where) {
    const MusaSymbol* const target = find_call(tables_, output, row.target).musa;
    if (target->tier > Tier::kCbid) {
      throw TableError(row.place, where + ": the evidence for " + row.target + " has tier " +
                                      tier_name(target->tier) + ", which is too weak for a target");
    }
  }

  bool takes_what_nothing_makes(const Output& output, const CudaSymbol& symbol) {
    const std::vector<std::string>& types = tables_.forward[output.library].without_maker;
    const Prototype* prototype = prototype_in(symbol, output);
    return prototype && std::ranges::any_of(prototype->parameters, [&](const Parameter& parameter) {
             return std::ranges::find(types, base_type(parameter.type)) != types.end();
           });
  }

  // A row that claims less coverage than the evidence gives is a defect too.
  void check_could_be_direct(const Output& output, const CudaSymbol& symbol, const ForwardRow& row,
                             const std::string& where) {
    if (takes_what_nothing_makes(output, symbol)) return;
    const std::string& backend = tables_.forward[output.library].backend;
    std::set<std::string> targets;
    if (!row.target.empty()) targets.insert(row.target);
    const auto found = likes_.find(backend + "/" + symbol.name);
    if (found != likes_.end()) targets.insert(found->second.begin(), found->second.end());
    for (const std::string& target : targets) {
      if (tables_.musa_symbol(backend, target)->tier > Tier::kDoc) continue;
      // The types are the same, but a null stream is not.
      if (is_per_thread(symbol.name) && !is_per_thread(target)) continue;
      const std::vector<Candidate> all =
          candidates_of(tables_, comparer_, output, symbol, target, row.place);
      // For one SDK the adapter is a bare jump, for another a struct goes through a buffer.
      const bool takes_buffer = std::any_of(all.begin(), all.end(), [](const Candidate& candidate) {
        return candidate.comparison.needs_only_buffer;
      });
      if (takes_buffer && row.decision == RowDecision::kAdapted) continue;
      for (const Candidate& candidate : all) {
        if (candidate.comparison.sameness == Sameness::kSame) {
          throw TableError(row.place, where + ": must be direct: " + target +
                                          " exists by evidence, and its types are the same");
        }
      }
    }
  }

  void check_rows_have_exports() {
    const std::vector<Output> outputs = list_outputs(tables_);
    for (std::size_t i = 0; i < tables_.forward.size(); ++i) {
      for (const auto& [name, rows] : tables_.forward[i].rows) {
        check_row_exports(i, name, rows, outputs);
      }
    }
  }

  void check_row_exports(std::size_t library, const std::string& name,
                         const std::vector<ForwardRow>& rows, const std::vector<Output>& outputs) {
    std::set<int> exported;
    for (const Output& output : outputs) {
      if (output.library != library) continue;
      for (const CudaSymbol* symbol : exports_of(tables_, output)) {
        if (symbol->name == name) exported.insert(output.abi);
      }
    }
    if (exported.empty()) {
      error(rows.front().place, "a row for '" + name + "', but no release exports it");
      return;
    }
    std::set<int> decided;
    for (const ForwardRow& row : rows) {
      const std::vector<int> abis =
          row.abis.empty() ? std::vector<int>(exported.begin(), exported.end()) : row.abis;
      for (const int abi : abis) {
        if (exported.count(abi) == 0) {
          error(row.place, "a row for '" + name + "' at ABI " + std::to_string(abi) +
                               ", but that ABI does not export it");
        }
        if (!decided.insert(abi).second) {
          error(row.place, "two rows for '" + name + "' at ABI " + std::to_string(abi));
        }
      }
    }
  }

  const Tables& tables_;
  Comparer comparer_;
  std::map<std::string, std::set<std::string>> likes_;  // "musart/cudaMalloc" -> {musaMalloc}
  CheckResult result_;
};

}  // namespace

CheckResult check_tables(const Tables& tables) { return Checker(tables).run(); }

std::string format_counts(const Tables& tables, const CheckResult& result) {
  std::ostringstream out;
  out << std::left << std::setw(14) << "library" << std::right << std::setw(9) << "exports";
  for (int i = 0; i < kStandings; ++i) {
    out << std::setw(13) << standing_name(static_cast<Standing>(i));
  }
  out << "\n";
  const auto line = [&](const Output& output, const std::string& label,
                        std::map<Standing, int> counts) {
    out << std::left << std::setw(14) << label << std::right << std::setw(9)
        << exports_of(tables, output).size();
    for (int i = 0; i < kStandings; ++i) out << std::setw(13) << counts[static_cast<Standing>(i)];
    out << "\n";
  };
  const auto counts_in = [](const auto& all, const Output& output) {
    const auto found = all.find(output.label());
    return found == all.end() ? std::map<Standing, int>() : found->second;
  };
  for (const Output& output : list_outputs(tables)) {
    const std::map<Standing, int> counts = counts_in(result.counts, output);
    const std::map<Standing, int> oldest = counts_in(result.oldest_counts, output);
    line(output, output.label(), counts);
    // Only of the driver is more known for an old SDK than for new ones.
    const ReplacementLibrary& library = tables.registry.libraries[output.library];
    if (tables.registry.backend(library.backend)->home == BackendHome::kDriver) {
      line(output, output.label() + "@3.1", oldest);
    }
  }
  return out.str();
}

}  // namespace torchada
