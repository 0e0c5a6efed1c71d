#include "generator/decide/adaptation.h"

#include <algorithm>
#include <map>
#include <set>

#include "generator/decide/enum_range.h"
#include "generator/decide/unknown_numbers.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool is_pointer(const std::string& spelled) { return spelled.find('*') != std::string::npos; }

class Adapter {
 public:
  Adapter(const Tables& tables, const Comparer& comparer, const Output& output,
          const MusaPrototype& musa, const Place& place, std::string own_stream = "")
      : tables_(tables),
        comparer_(comparer),
        output_(output),
        musa_(musa),
        place_(place),
        own_stream_(std::move(own_stream)) {}

  Adaptation plan(const Prototype& cuda) {
    const Prototype other = expand(tables_, musa_);
    if (cuda.parameters.size() != other.parameters.size()) {
      return refuse("MUSA's function has " + std::to_string(other.parameters.size()) +
                    " parameters instead of " + std::to_string(cuda.parameters.size()));
    }
    if (!plan_result(cuda.returns, other.returns)) return out_;
    for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
      if (!plan_parameter(cuda.parameters[i].type, other.parameters[i].type)) return out_;
    }
    if (!find_counts(cuda)) return out_;
    for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
      if (cuda.parameters[i].type != own_stream_) continue;
      out_.parameters[i].conversion = Conversion::kStream;
    }
    keep_strangers_out(cuda, other);
    out_.is_possible = true;
    return out_;
  }

  // `cuda`: the prototype that MUSA's is like.
  Adaptation plan_call(const Prototype& cuda) {
    const Prototype other = expand(tables_, musa_);
    for (std::size_t i = 0; i < cuda.parameters.size(); ++i) {
      const std::string& type = cuda.parameters[i].type;
      ParameterPlan plan;
      if (!machine_spelling(type, true, &plan.cuda_type)) return out_;
      plan.musa_type = plan.cuda_type;
      if (comparer_.takes_buffer(type, other.parameters[i].type, output_, musa_.sdk)) {
        copy_struct(type, other.parameters[i].type, &plan);
      }
      out_.parameters.push_back(plan);
    }
    if (!find_counts(cuda)) return out_;
    if (out_.changes_nothing()) return refuse("no struct goes through a buffer");
    out_.is_possible = true;
    return out_;
  }

  EnumConversion enumeration(const std::string& cuda, const std::string& musa,
                             Direction direction) const {
    EnumConversion out;
    out.cuda_type = cuda;
    out.musa_type = musa;
    const TypeFact* fact = fact_in(tables_, cuda, output_);
    const std::vector<MusaType>* variants = tables_.musa_type(musa);
    if (fact == nullptr || fact->kind != TypeKind::kEnum || variants == nullptr) return out;
    std::map<std::string, const MusaEnumValue*> numbers;  // Later ranges overwrite earlier ones.
    for (const MusaType& variant : *variants) {
      if (variant.sdk.from >= musa_.sdk.to || musa_.sdk.from >= variant.sdk.to) continue;
      for (const MusaEnumValue& value : variant.values) {
        if (value.known) numbers[value.name] = &value;
      }
    }
    if (direction == Direction::kIn) {
      arguments(cuda, musa, fact->enumeration, numbers, &out);
    } else {
      results(fact->enumeration, numbers, &out);
    }
    return out;
  }

 private:
  Adaptation refuse(const std::string& why) {
    out_.is_possible = false;
    out_.why_not = why;
    return out_;
  }

  bool plan_result(const std::string& cuda, const std::string& musa) {
    const EnumConversion conversion =
        enumeration(base_type(cuda), base_type(musa), Direction::kOut);
    if (conversion.cases.empty()) {
      refuse(cuda + " does not correspond to " + musa);
      return false;
    }
    const auto success = std::find_if(conversion.cases.begin(), conversion.cases.end(),
                                      [](const EnumCase& item) { return item.from == 0; });
    if (success == conversion.cases.end() || success->to != 0 || !success->is_evident) {
      refuse("the number for success in " + musa + " is not documented");
      return false;
    }
    out_.converts_result = changes_numbers(conversion);
    out_.result = converted_statuses(conversion);
    return true;
  }

  bool plan_parameter(const std::string& cuda, const std::string& musa) {
    ParameterPlan plan;
    if (!machine_spelling(cuda, true, &plan.cuda_type)) return false;
    plan.musa_type = plan.cuda_type;
    const bool is_struct = plan.cuda_type.starts_with("ByValue<");
    if (!is_struct && !machine_spelling(musa, false, &plan.musa_type)) return false;
    const Comparison comparison =
        comparer_.types(cuda, musa, output_, musa_.sdk, direction_of(cuda), place_);
    const bool by_value = !is_pointer(cuda);
    const TypeFact* fact = fact_in(tables_, base_type(cuda), output_);
    if (comparison.sameness != Sameness::kDiffers) {
      if (comparison.sameness == Sameness::kAssumed) out_.is_evident = false;
      if (comparer_.takes_buffer(cuda, musa, output_, musa_.sdk)) copy_struct(cuda, musa, &plan);
      if (by_value && plan.cuda_type == "int64_t" && plan.musa_type != "int64_t") {
        plan.conversion = Conversion::kNarrowIn;
      }
      if (by_value && tables_.types.refuse_unknown.count(base_type(cuda)) != 0) {
        plan.enumeration = unknown_numbers(base_type(cuda), base_type(musa));
        if (!plan.enumeration.refused.empty()) plan.conversion = Conversion::kEnumKnown;
      }
    } else if (fact != nullptr && fact->kind == TypeKind::kEnum && by_value) {
      plan.conversion = Conversion::kEnumIn;
    } else if (fact != nullptr && fact->kind == TypeKind::kEnum && !cuda.starts_with("const ") &&
               std::count(cuda.begin(), cuda.end(), '*') == 1) {
      plan.conversion = Conversion::kEnumOut;
    } else if (by_value && base_type(cuda) == "int64_t" && plan.musa_type == "int") {
      plan.conversion = Conversion::kNarrowIn;
    } else if (fact != nullptr && fact->kind == TypeKind::kStruct &&
               std::count(cuda.begin(), cuda.end(), '*') == 1) {
      if (!plan_struct(cuda, musa, &plan)) return false;
    } else {
      refuse(comparison.why);
      return false;
    }
    if (plan.conversion == Conversion::kEnumIn || plan.conversion == Conversion::kEnumOut) {
      plan.enumeration =
          enumeration(base_type(cuda), base_type(musa),
                      plan.conversion == Conversion::kEnumIn ? Direction::kIn : Direction::kOut);
      if (plan.enumeration.cases.empty()) {
        refuse("the numbers of " + base_type(musa) + " are not known");
        return false;
      }
      out_.is_evident = out_.is_evident && plan.enumeration.is_evident;
    }
    out_.parameters.push_back(plan);
    return true;
  }

  void copy_struct(const std::string& cuda, const std::string& musa, ParameterPlan* plan) {
    plan->conversion = Conversion::kStructCopied;
    plan->structure = copy_whole(tables_, output_, base_type(cuda), base_type(musa));
    plan->comes_back = direction_of(cuda) != Direction::kIn;
  }

  // Finds the parameters that say how many structs there are.
  bool find_counts(const Prototype& cuda) {
    for (std::size_t i = 0; i < out_.parameters.size() && i < cuda.parameters.size(); ++i) {
      ParameterPlan& plan = out_.parameters[i];
      const auto listed = tables_.types.counted.find(base_type(cuda.parameters[i].type));
      if (plan.conversion != Conversion::kStructCopied || listed == tables_.types.counted.end()) {
        continue;
      }
      std::size_t found = 0;
      for (std::size_t j = 0; j < cuda.parameters.size(); ++j) {
        if (listed->second.count(cuda.parameters[j].name) == 0) continue;
        ++found;
        plan.count = j;
        plan.is_counted_by_musa = is_pointer(cuda.parameters[j].type);
      }
      if (found != 1) {
        refuse("of " + cuda.parameters[i].type + " there may be several, and " +
               std::to_string(found) + " parameters say how many; list the one in 'counted'");
        return false;
      }
      plan.conversion = Conversion::kStructsCopied;
    }
    return true;
  }

  // A pointer to non-const points at a result.
  bool plan_struct(const std::string& cuda, const std::string& musa, ParameterPlan* plan) {
    const bool goes_in = direction_of(cuda) == Direction::kIn;
    plan->conversion = goes_in ? Conversion::kStructIn : Conversion::kStructOut;
    plan->structure = convert_struct(
        tables_, comparer_, output_, base_type(cuda), base_type(musa), musa_.sdk,
        goes_in ? Direction::kIn : Direction::kOut,
        [this](const std::string& from, const std::string& to, Direction direction) {
          return enumeration(from, to, direction);
        },
        place_);
    if (!plan->structure.why_not.empty()) {
      refuse(plan->structure.why_not);
      return false;
    }
    out_.is_evident = out_.is_evident && plan->structure.weak.empty();
    return true;
  }

  // An adapter that converts anything lets only enumerators through, even if both sides number them
  // alike. If nothing is converted, a bare jump is just as good, and MUSA decides.
  void keep_strangers_out(const Prototype& cuda, const Prototype& musa) {
    const StatusNames& status = tables_.forward[output_.library].status;
    const auto converts = [](const ParameterPlan& parameter) {
      return parameter.conversion != Conversion::kNone;
    };
    if (out_.changes_nothing() || (status.invalid.empty() && status.bad_enum.empty())) return;
    const std::size_t count = std::min(cuda.parameters.size(), musa.parameters.size());
    for (std::size_t i = 0; i < out_.parameters.size() && i < count; ++i) {
      const std::string& type = cuda.parameters[i].type;
      const TypeFact* fact =
          is_pointer(type) ? nullptr : fact_in(tables_, base_type(type), output_);
      ParameterPlan& plan = out_.parameters[i];
      if (converts(plan) || fact == nullptr || fact->kind != TypeKind::kEnum) continue;
      plan.conversion = Conversion::kEnumIn;
      plan.musa_type = "int";
      const std::string base = base_type(type);
      const std::string musa_base = base_type(musa.parameters[i].type);
      plan.enumeration =
          is_numbered_as_cuda(tables_, output_, musa_base)
              ? own_numbers(base, musa_base, fact->enumeration,
                            contains(tables_.types.combined, base), tables_.types.refused)
              : enumeration(base, musa_base, Direction::kIn);
    }
  }

  // How an adapter declares a type: only what matters to the calling convention.
  bool machine_spelling(const std::string& spelled, bool is_cuda, std::string* out) {
    if (is_pointer(spelled) || spelled.find('[') != std::string::npos) {
      *out = "void *";
      return true;
    }
    std::string base = base_type(spelled);
    for (int depth = 0; depth < 4 && !is_c_type(base); ++depth) {
      TypeKind kind{};
      std::string underlying;
      if (is_cuda) {
        const TypeFact* fact = fact_in(tables_, base, output_);
        if (fact == nullptr) return unknown(base);
        kind = fact->kind;
        underlying = fact->underlying;
      } else {
        const std::vector<MusaType>* variants = tables_.musa_type(base);
        if (variants == nullptr || variants->empty()) {
          // Only the names of handles are known.
          *out = "void *";
          return true;
        }
        kind = variants->back().kind;
        underlying = variants->back().fact.underlying;
      }
      switch (kind) {
        case TypeKind::kEnum:
          *out = "int";
          return true;
        case TypeKind::kHandle:
        case TypeKind::kCallback:
          *out = "void *";
          return true;
        case TypeKind::kStruct:
          return by_value_spelling(base, out);
        case TypeKind::kScalar:
          if (is_pointer(underlying)) {
            *out = "void *";
            return true;
          }
          base = base_type(underlying);
          break;
      }
    }
    if (!is_c_type(base)) return unknown(base);
    *out = base == "int32_t" ? "int" : base;
    return true;
  }

  // A struct by value travels as bytes of its size and alignment. That is right for structs that
  // are passed in memory and for those made of integers only. MUSA's struct gets the same spelling;
  // if the two differ, the comparison says so.
  bool by_value_spelling(const std::string& base, std::string* out) {
    const TypeFact* fact = fact_in(tables_, base, output_);
    if (fact == nullptr || fact->kind != TypeKind::kStruct) return unknown(base);
    const StructLayout& layout = fact->structure;
    const bool has_floats =
        std::any_of(layout.fields.begin(), layout.fields.end(), [](const Field& field) {
          const std::string type = base_type(field.type);
          return !is_pointer(field.type) && (type == "float" || type == "double");
        });
    if (layout.size == 0 || (layout.size <= 16 && has_floats)) {
      refuse(base +
             " is passed by value, which adapters cannot do for a struct of unknown size or a "
             "small one with floating-point members");
      return false;
    }
    *out = "ByValue<" + std::to_string(layout.size) + ", " + std::to_string(layout.align) + ">";
    return true;
  }

  bool unknown(const std::string& base) {
    refuse("type '" + base + "' is not known");
    return false;
  }

  // The enumerators of `cuda` whose number is not known of any enumerator of MUSA in these SDKs.
  EnumConversion unknown_numbers(const std::string& cuda, const std::string& musa) const {
    EnumConversion out;
    out.cuda_type = cuda;
    out.musa_type = musa;
    const TypeFact* fact = fact_in(tables_, cuda, output_);
    const std::vector<MusaType>* variants = tables_.musa_type(musa);
    if (fact == nullptr || variants == nullptr) return out;
    for (const EnumValue& value : fact->enumeration.values) {
      const bool known = std::any_of(variants->begin(), variants->end(), [&](const MusaType& type) {
        if (type.sdk.from >= musa_.sdk.to || musa_.sdk.from >= type.sdk.to) return false;
        return std::any_of(type.values.begin(), type.values.end(), [&](const MusaEnumValue& item) {
          return item.known && item.value == value.value;
        });
      });
      if (!known) out.refused.push_back({value.value, 0, value.name});
    }
    return out;
  }

  void arguments(const std::string& cuda_type, const std::string& musa_type, const EnumLayout& cuda,
                 const std::map<std::string, const MusaEnumValue*>& musa,
                 EnumConversion* out) const {
    const auto has = [](const std::vector<EnumCase>& cases, std::int64_t number) {
      return std::any_of(cases.begin(), cases.end(),
                         [&](const EnumCase& item) { return item.from == number; });
    };
    for (const EnumValue& value : cuda.values) {
      const auto found = musa.find(tables_.types.enumerator(value.name));
      if (found == musa.end() || has(out->cases, value.value)) continue;
      if (!may_pass(tables_, output_, cuda_type, value.name, musa_type, *found->second)) continue;
      const bool is_evident = found->second->tier <= Tier::kDoc;
      out->cases.push_back(
          {value.value, found->second->value, value.name, is_evident, &found->second->tier});
      if (!is_evident) out->is_evident = false;
    }
    for (const EnumValue& value : cuda.values) {
      if (has(out->cases, value.value) || has(out->refused, value.value)) continue;
      out->refused.push_back({value.value, 0, value.name});
    }
  }

  void results(const EnumLayout& cuda, const std::map<std::string, const MusaEnumValue*>& musa,
               EnumConversion* out) const {
    std::map<std::string, std::int64_t> by_name;
    std::map<std::string, std::int64_t> by_counterpart;
    for (const EnumValue& value : cuda.values) {
      by_name.emplace(value.name, value.value);
      by_counterpart.emplace(tables_.types.enumerator(value.name), value.value);
    }
    std::set<std::int64_t> seen;
    for (const auto& [name, value] : musa) {
      const auto listed = tables_.types.results.find(name);
      std::int64_t number = 0;
      if (listed != tables_.types.results.end()) {
        const auto found = by_name.find(listed->second);
        if (found == by_name.end()) continue;
        number = found->second;
      } else {
        const auto found = by_counterpart.find(name);
        if (found == by_counterpart.end()) continue;
        number = found->second;
      }
      if (!seen.insert(value->value).second) continue;
      const bool is_evident = value->tier <= Tier::kDoc;
      out->cases.push_back({value->value, number, name, is_evident, &value->tier});
      if (!is_evident) out->is_evident = false;
    }
    std::sort(out->cases.begin(), out->cases.end(),
              [](const EnumCase& a, const EnumCase& b) { return a.from < b.from; });
  }

  const Tables& tables_;
  const Comparer& comparer_;
  const Output& output_;
  const MusaPrototype& musa_;
  const Place& place_;
  const std::string own_stream_;  // Empty, or the type of streams.
  Adaptation out_;
};

}  // namespace

WeakFact weakest_number(const EnumConversion& conversion) {
  WeakFact out;
  for (const EnumCase& item : conversion.cases) {
    if (item.is_evident) continue;
    out.weaken(weak_fact("the evidence for the number in " + conversion.musa_type +
                             " that stands for " + item.name + " has only tier " +
                             tier_name(*item.tier),
                         *item.tier));
  }
  return out;
}

bool Adaptation::changes_nothing() const {
  return !converts_result &&
         std::all_of(parameters.begin(), parameters.end(), [](const ParameterPlan& parameter) {
           return parameter.conversion == Conversion::kNone;
         });
}

Adaptation adapt_call(const Tables& tables, const Comparer& comparer, const MusaPrototype& musa) {
  const Output output = like_output(tables, musa);
  return Adapter(tables, comparer, output, musa, musa.place)
      .plan_call(like_prototype(tables, musa));
}

Adaptation adapt(const Tables& tables, const Comparer& comparer, const Prototype& cuda,
                 const Output& output, const MusaPrototype& musa, const Place& place,
                 const std::string& own_stream) {
  return Adapter(tables, comparer, output, musa, place, own_stream).plan(cuda);
}

bool changes_numbers(const EnumConversion& conversion) {
  return std::any_of(conversion.cases.begin(), conversion.cases.end(),
                     [](const EnumCase& item) { return item.from != item.to; });
}

EnumConversion converted_statuses(EnumConversion all) {
  if (!changes_numbers(all)) return all;
  std::erase_if(all.cases, [](const EnumCase& item) { return !item.is_evident; });
  return all;
}

EnumConversion convert_enumeration(const Tables& tables, const Comparer& comparer,
                                   const Output& output, const std::string& cuda,
                                   const std::string& musa, Direction direction) {
  const MusaPrototype any;
  const Place nowhere;
  return Adapter(tables, comparer, output, any, nowhere).enumeration(cuda, musa, direction);
}

}  // namespace torchada
