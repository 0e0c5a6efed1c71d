#include "generator/decide/refusals.h"

#include <algorithm>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

class RefusalPlanner {
 public:
  RefusalPlanner(const Tables& tables, const LibraryPlan& plan) : tables_(tables), plan_(plan) {}

  RefusalPlan make() {
    for (const GeneratedAdapter& adapter : plan_.generated) add_generated(adapter);
    for (const PlannedSlot& slot : plan_.slots) {
      if (slot.row && is_written_by_hand(*slot.row)) add_written(slot);
    }
    for (const auto& [type, values] : plan_.forward->attributes) {
      types_.insert(type);
      for (const auto& [name, value] : values) {
        if (is_enumeration(value.type)) types_.insert(value.type);
      }
    }
    // A library that answers alone has no MUSA that could refuse a value.
    const bool alone = tables_.registry.libraries[plan_.output->library].answers_alone;
    for (const std::string& name : types_) {
      out_.types.push_back({name, alone ? "" : musa_spelling(tables_, name, Place{}),
                            fact_in(tables_, name, *plan_.output)->enumeration.values});
    }
    return std::move(out_);
  }

 private:
  static bool is_written_by_hand(const ForwardRow& row) {
    return row.decision == RowDecision::kEmulated || !row.otherwise.reason.empty();
  }

  bool is_enumeration(const std::string& name) const {
    const TypeFact* fact = fact_in(tables_, name, *plan_.output);
    return fact && fact->kind == TypeKind::kEnum;
  }

  const Prototype* prototype_of(const std::string& function) const {
    const auto slot = std::find_if(plan_.slots.begin(), plan_.slots.end(),
                                   [&](const PlannedSlot& item) { return item.name == function; });
    return slot == plan_.slots.end() ? nullptr : slot->prototype;
  }

  static std::string name_of(const Prototype& prototype, std::size_t number) {
    const std::string& name = prototype.parameters[number].name;
    return name.empty() ? "argument " + std::to_string(number + 1) : name;
  }

  void add(const RefusableParameter& parameter) {
    if (!parameter.type.empty()) types_.insert(parameter.type);
    out_.parameters.push_back(parameter);
  }

  void add_generated(const GeneratedAdapter& adapter) {
    const Prototype* prototype = prototype_of(adapter.symbol);
    if (!prototype) return;
    const std::vector<ParameterPlan>& plans = adapter.candidate.adaptation.parameters;
    for (std::size_t i = 0; i < plans.size() && i < prototype->parameters.size(); ++i) {
      RefusableParameter row{adapter.symbol, name_of(*prototype, i), "", static_cast<int>(i),
                             adapter.index};
      switch (plans[i].conversion) {
        case Conversion::kEnumIn:
        case Conversion::kEnumKnown:
          if (plans[i].enumeration.refused.empty()) break;
          row.type = base_type(prototype->parameters[i].type);
          add(row);
          break;
        case Conversion::kNarrowIn:
          add(row);
          break;
        case Conversion::kStructIn:
          add_members(plans[i].structure, row);
          break;
        case Conversion::kNone:
        case Conversion::kEnumOut:
        case Conversion::kStructOut:
        case Conversion::kStructCopied:
        case Conversion::kStructsCopied:
        case Conversion::kStream:
          break;
      }
    }
  }

  void add_members(const StructConversion& structure, const RefusableParameter& parameter) {
    for (const FieldCopy& field : structure.missing) {
      RefusableParameter row = parameter;
      row.name += "." + field.name;
      add(row);
    }
    for (const FieldCopy& field : structure.fields) {
      if (!field.converts) continue;
      RefusableParameter row = parameter;
      row.name += "." + field.name;
      row.type = field.enumeration.cuda_type;
      add(row);
    }
  }

  void add_written(const PlannedSlot& slot) {
    if (!slot.prototype) return;
    for (std::size_t i = 0; i < slot.prototype->parameters.size(); ++i) {
      const std::string& type = slot.prototype->parameters[i].type;
      add_members_of(base_type(type));
      if (type.find('*') != std::string::npos || !is_enumeration(base_type(type))) continue;
      add({slot.name, name_of(*slot.prototype, i), base_type(type), static_cast<int>(i), -1});
    }
  }

  // Adapters that are written by hand name the members that they refuse themselves.
  void add_members_of(const std::string& name) {
    const TypeFact* fact = fact_in(tables_, name, *plan_.output);
    if (!fact || fact->kind != TypeKind::kStruct || !structs_.insert(name).second) return;
    for (const Field& field : fact->structure.fields) {
      const std::string type = base_type(field.type);
      if (is_enumeration(type)) types_.insert(type);
      add_members_of(type);
    }
  }

  const Tables& tables_;
  const LibraryPlan& plan_;
  std::set<std::string> types_;
  std::set<std::string> structs_;  // Those whose members are in types_.
  RefusalPlan out_;
};

}  // namespace

int RefusalPlan::row_of(int adapter, int number) const {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const RefusableParameter& item) {
        return item.adapter == adapter && item.number == number;
      });
  return static_cast<int>(found - parameters.begin());
}

std::size_t RefusalPlan::type_of(const std::string& name) const {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const NamedType& item) { return item.name == name; });
  return static_cast<std::size_t>(found - types.begin());
}

RefusalPlan plan_refusals(const Tables& tables, const LibraryPlan& plan) {
  return RefusalPlanner(tables, plan).make();
}

}  // namespace torchada
