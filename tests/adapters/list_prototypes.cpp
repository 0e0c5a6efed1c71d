// adapter_prototypes MAPPINGS: every export that a generated adapter serves on the SDK that the
// recording backend reports, with both prototypes. It says nothing about how the adapter converts.
//     symbol LABEL CUDA-NAME MUSA-NAME CUDA-RETURN-TYPE MUSA-RETURN-TYPE
//     cuda TYPE|TYPE|...      the parameters as spelled, "-" for none
//     musa TYPE|TYPE|...      "converted TYPE" for a struct behind a pointer that is not passed on,
//                             "several TYPE" for any number of them
//     names NAME|NAME|...     of the CUDA parameters
//     condition STATUS TEXT   documented conditions, in the order in which they are asked
//     enum LABEL TYPE NUMBER NAME
//     type LABEL TYPE KIND UNDERLYING    of CUDA; MUSA's have the label "musa"
#include <algorithm>
#include <iostream>
#include <set>

#include "generator/decide/standing.h"
#include "generator/tables/tables.h"
#include "tests/recording/listing.h"

namespace {

using namespace torchada;

std::string joined(const Prototype& prototype) {
  std::string out;
  for (const Parameter& parameter : prototype.parameters) {
    out += (out.empty() ? "" : "|") + parameter.type;
  }
  return out.empty() ? "-" : out;
}

// "SIZE:OFFSET,OFFSET,...": distinguishes layouts.
std::string layout_text(const TypeFact& fact) {
  if (fact.kind != TypeKind::kStruct) return fact.underlying;
  std::string out = std::to_string(fact.structure.size) + ":";
  for (const Field& field : fact.structure.fields) out += std::to_string(field.offset) + ",";
  return out;
}

// Nothing is converted, so no adapter is needed on this SDK.
bool is_bare_jump(const Adaptation& adaptation) {
  return !adaptation.converts_result &&
         std::all_of(adaptation.parameters.begin(), adaptation.parameters.end(),
                     [](const ParameterPlan& parameter) {
                       return parameter.conversion == Conversion::kNone;
                     });
}

class Listing {
 public:
  explicit Listing(const Tables& tables) : tables_(tables), comparer_(tables) {}

  void list() {
    for (const Output& output : list_outputs(tables_)) {
      for (const CudaSymbol* symbol : exports_of(tables_, output)) list(output, *symbol);
    }
  }

 private:
  void list(const Output& output, const CudaSymbol& symbol) {
    const std::string decided = decided_as(tables_, output, symbol);
    const ForwardRow* row = row_of(tables_.forward[output.library], decided, output.abi);
    if (!row || row->decision != RowDecision::kAdapted) return;
    const CudaSymbol& decider = tables_.cuda[output.library].symbols.at(decided);
    const Prototype* cuda = prototype_in(decider, output);
    for (const AdaptedCandidate& candidate :
         adapted_candidates_of(tables_, comparer_, output, decider, row->target, row->place)) {
      if (!candidate.adaptation.is_possible || !candidate.prototype->sdk.contains(kSdkVersion)) {
        continue;
      }
      if (is_bare_jump(candidate.adaptation)) return;
      const Prototype musa = marked(output, *cuda, candidate);
      std::cout << "symbol " << output.label() << ' ' << symbol.name << ' '
                << candidate.symbol->link_name << ' ' << cuda->returns << ' ' << musa.returns
                << "\ncuda " << joined(*cuda) << "\nmusa " << joined(musa) << '\n';
      if (candidate.adaptation.converts_result) list_conditions(output, decided, *cuda);
      for (const Parameter& parameter : cuda->parameters) cuda_type(output, parameter.type);
      for (const Parameter& parameter : musa.parameters) musa_type(parameter.type);
      cuda_type(output, cuda->returns);
      return;
    }
  }

  void list_conditions(const Output& output, const std::string& name, const Prototype& cuda) {
    const auto library = tables_.conditions.find(output.library_name);
    if (library == tables_.conditions.end()) return;
    std::string names;
    for (const Parameter& parameter : cuda.parameters) {
      names += (names.empty() ? "" : "|") + parameter.name;
    }
    std::cout << "names " << names << '\n';
    for (const ConditionRow& row : library->second.rows) {
      if (!row.functions.matches(name)) continue;
      for (const Condition& condition : row.conditions) {
        std::cout << "condition " << condition.status << ' ' << condition.text << '\n';
      }
    }
  }

  Prototype marked(const Output& output, const Prototype& cuda,
                   const AdaptedCandidate& candidate) const {
    Prototype out = expand(tables_, *candidate.prototype);
    const std::vector<ParameterPlan>& plans = candidate.adaptation.parameters;
    for (std::size_t i = 0; i < plans.size() && i < cuda.parameters.size(); ++i) {
      const CudaType* type = tables_.cuda_type(base_type(cuda.parameters[i].type));
      const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
      if (!fact || fact->kind != TypeKind::kStruct || i >= out.parameters.size()) continue;
      if (plans[i].conversion == Conversion::kNone) continue;
      const bool is_one = plans[i].conversion != Conversion::kStructsCopied;
      out.parameters[i].type = (is_one ? "converted " : "several ") + out.parameters[i].type;
    }
    return out;
  }

  void cuda_type(const Output& output, const std::string& spelled) {
    const std::string base = base_type(spelled);
    if (is_c_type(base) || !seen_.insert(output.label() + base).second) return;
    const CudaType* type = tables_.cuda_type(base);
    const TypeFact* fact = type ? fact_in(*type, output) : nullptr;
    if (!fact) return;
    std::cout << "type " << output.label() << ' ' << base << ' ' << kind_name(fact->kind) << ' '
              << layout_text(*fact) << '\n';
    for (const EnumValue& value : fact->enumeration.values) {
      std::cout << "enum " << output.label() << ' ' << base << ' ' << value.value << ' '
                << value.name << '\n';
    }
  }

  void musa_type(const std::string& spelled) {
    const std::string base = base_type(spelled);
    if (is_c_type(base) || !seen_.insert(base).second) return;
    const std::vector<MusaType>* variants = tables_.musa_type(base);
    if (!variants || variants->empty()) return;
    std::cout << "type musa " << base << ' ' << kind_name(variants->back().kind) << ' '
              << layout_text(variants->back().fact) << '\n';
  }

  const Tables& tables_;
  const Comparer comparer_;
  std::set<std::string> seen_;
};

}  // namespace

int main(int argc, char** argv) {
  return list_tables(argc, argv, [](const Tables& tables) { Listing(tables).list(); });
}
