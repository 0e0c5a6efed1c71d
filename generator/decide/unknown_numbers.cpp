#include "generator/decide/unknown_numbers.h"

#include <algorithm>
#include <map>

#include "generator/tables/type_spelling.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool is_evident(const MusaEnumValue& value) { return value.known && value.tier <= Tier::kDriver; }

// Every number that some CUDA release gives an enumerator, by its MUSA name.
std::map<std::string, std::set<std::int64_t>> numbers_of(const Tables& tables,
                                                         const CudaType& type) {
  std::map<std::string, std::set<std::int64_t>> out;
  for (const CudaType::Variant& variant : type.variants) {
    for (const EnumValue& value : variant.fact.enumeration.values) {
      out[tables.types.enumerator(value.name)].insert(value.value);
    }
  }
  return out;
}

// What sources say about the numbers of one library of MUSA.
struct Agreement {
  int agreeing = 0;
  std::string contradiction;  // In words; empty if there is none.
};

Agreement agreement_of(const Tables& tables, const MusaLibrary& library) {
  Agreement out;
  for (const auto& [cuda, musa] : tables.types.types) {
    const CudaType* type = tables.cuda_type(cuda);
    const auto variants = library.types.find(musa);
    if (!type || variants == library.types.end()) continue;
    const auto numbers = numbers_of(tables, *type);
    for (const MusaType& variant : variants->second) {
      for (const MusaEnumValue& value : variant.values) {
        const auto found = numbers.find(value.name);
        if (found == numbers.end() || !value.known || value.tier > Tier::kDoc) continue;
        if (found->second.count(value.value) != 0) {
          ++out.agreeing;
        } else if (out.contradiction.empty()) {
          out.contradiction = value.name + " is " + std::to_string(value.value) +
                              ", which no CUDA release has for it";
        }
      }
    }
  }
  return out;
}

void collect(const Tables& tables, const Output& output, const std::string& spelled,
             std::set<std::string>* seen, std::set<std::string>* out) {
  const std::string base = base_type(spelled);
  const TypeFact* fact = fact_in(tables, base, output);
  if (!fact || !seen->insert(base).second) return;
  if (fact->kind == TypeKind::kEnum) out->insert(base);
  if (fact->kind != TypeKind::kStruct) return;
  for (const Field& field : fact->structure.fields) {
    collect(tables, output, field.type, seen, out);
  }
}

// The enumerators of a CUDA enumeration, in any release.
std::set<std::string> enumerators_of(const CudaType& type) {
  std::set<std::string> out;
  for (const CudaType::Variant& variant : type.variants) {
    for (const EnumValue& value : variant.fact.enumeration.values) out.insert(value.name);
  }
  return out;
}

}  // namespace

bool is_numbered_as_cuda(const Tables& tables, const Output& output, const std::string& musa_type) {
  std::string home = tables.forward[output.library].backend;
  for (const MusaLibrary& library : tables.musa) {
    if (library.types.count(musa_type) != 0) home = library.name;
  }
  return contains(tables.types.numbered_as_cuda, home);
}

bool may_pass(const Tables& tables, const Output& output, const std::string& type,
              const std::string& enumerator, const std::string& musa_type,
              const MusaEnumValue& value) {
  const EnumeratorDecision* decision = tables.types.decision(type, enumerator);
  if (is_evident(value)) return !decision || decision->decision != NumberDecision::kRefused;
  if (decision) return decision->decision == NumberDecision::kPassed;
  return is_numbered_as_cuda(tables, output, musa_type);
}

bool is_kept(const TypeCorrespondence& types, const std::string& type) {
  const auto found = types.decided.find(type);
  return found != types.decided.end() &&
         std::any_of(found->second.begin(), found->second.end(), [](const auto& entry) {
           return entry.second.decision == NumberDecision::kAccepted ||
                  entry.second.decision == NumberDecision::kTold;
         });
}

std::vector<std::string> decision_defects(const Tables& tables) {
  const TypeCorrespondence& types = tables.types;
  std::vector<std::string> out;
  const auto add = [&](const Place& place, const std::string& message) {
    out.emplace_back(TableError(place, message).what());
  };
  const Place whole{types.file, 0};
  for (const std::string& name : types.numbered_as_cuda) {
    const auto library = std::find_if(tables.musa.begin(), tables.musa.end(),
                                      [&](const MusaLibrary& item) { return item.name == name; });
    if (library == tables.musa.end()) {
      add(whole, "numbered_as_cuda: unknown MUSA library '" + name + "'");
      continue;
    }
    const Agreement agreement = agreement_of(tables, *library);
    if (!agreement.contradiction.empty()) {
      add(whole, "numbered_as_cuda: " + name +
                     " does not number as CUDA does: " + agreement.contradiction);
    } else if (agreement.agreeing == 0) {
      add(whole, "numbered_as_cuda: no source gives any number of " + name);
    }
  }
  for (const auto& [name, decisions] : types.decided) {
    const CudaType* type = tables.cuda_type(name);
    const Place place = decisions.empty() ? whole : decisions.begin()->second.place;
    if (!type || type->variants.front().fact.kind != TypeKind::kEnum) {
      add(place, "decided: '" + name + "' is not an enumeration of CUDA's");
      continue;
    }
    const std::set<std::string> enumerators = enumerators_of(*type);
    for (const auto& [enumerator, decision] : decisions) {
      if (enumerator == kAllAssumed || enumerators.count(enumerator) != 0) continue;
      add(decision.place, "decided: '" + enumerator + "' is not an enumerator of " + name);
    }
    if (!is_kept(types, name)) continue;
    for (const std::string& enumerator : enumerators) {
      if (types.decision(name, enumerator)) continue;
      add(place, "decided: " + name + " is a mode that is kept, and nothing decides " + enumerator);
    }
  }
  return out;
}

std::set<std::string> enumerations_in(const Tables& tables, const Output& output,
                                      const std::string& spelled) {
  std::set<std::string> seen;
  std::set<std::string> out;
  collect(tables, output, spelled, &seen, &out);
  return out;
}

std::string undecided_number(const Tables& tables, const Output& output, const std::string& type) {
  const auto musa = tables.types.types.find(type);
  const TypeFact* fact = fact_in(tables, type, output);
  if (musa == tables.types.types.end() || !fact || fact->kind != TypeKind::kEnum) return "";
  if (is_kept(tables.types, type)) {
    return type + " is a mode that is kept; its functions must be emulated";
  }
  const std::vector<MusaType>* variants = tables.musa_type(musa->second);
  if (is_numbered_as_cuda(tables, output, musa->second)) return "";
  if (!variants) return "nothing is known of " + musa->second + ", which stands for " + type;
  for (const EnumValue& value : fact->enumeration.values) {
    if (tables.types.decision(type, value.name)) continue;
    const std::string name = tables.types.enumerator(value.name);
    for (const MusaType& variant : *variants) {
      for (const MusaEnumValue& item : variant.values) {
        if (item.name != name || is_evident(item)) continue;
        return "no source gives the number of " + name + ", which stands for " + value.name +
               ", and MUSA's library does not number as CUDA does; decide in 'decided' of " +
               tables.types.file + " what becomes of it";
      }
    }
  }
  return "";
}

}  // namespace torchada
