// LABEL/delegates.cpp: functions that call another export of the library with the same arguments in
// the form that it takes.
#include <set>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/delegation.h"
#include "generator/emit/emit.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

using Source = DelegatedArgument::Source;

class DelegateWriter {
 public:
  DelegateWriter(const Tables& tables, const Output& output)
      : tables_(tables), output_(output), forward_(tables.forward[output.library]) {}

  std::string write(const LibraryPlan& plan) {
    for (const PlannedSlot& slot : plan.slots) {
      if (slot.row && slot.row->decision == RowDecision::kDelegated) {
        function(*slot.symbol, *slot.row);
      }
    }
    std::ostringstream out;
    out << "// Exports of " << output_.soname
        << " that lead to others of it, emitted by torchada-gen from mappings/. Do not edit.\n";
    if (functions_.str().empty()) return out.str();
    out << "#include \"facts.h\"\n";
    if (keeps_) out << "#include \"stubs/" << output_.library_name << "/legacy.h\"\n";
    out << "\nnamespace torchada {\n\n"
        << structs_.str() << "namespace {\n\n"
        << letters_.str() << "}  // namespace\n\nextern \"C\" {\n\n"
        << functions_.str() << "}\n\n}  // namespace torchada\n";
    return out.str();
  }

 private:
  // Like erased_cuda, but defines a struct by value as far as the calling convention needs it.
  std::string spelling(const std::string& type, const Place& place) {
    const std::string out = erased_cuda(tables_, output_, type, place);
    const CudaType* known = tables_.cuda_type(out);
    const TypeFact* fact = known ? fact_in(*known, output_) : nullptr;
    if (!fact || fact->kind != TypeKind::kStruct || !defined_.insert(out).second) return out;
    structs_ << "struct alignas(" << fact->structure.align << ") " << out << " {\n";
    for (const Field& field : fact->structure.fields) {
      structs_ << "  " << field.type << " " << field.name << ";\n";
    }
    structs_ << "};\nstatic_assert(sizeof(" << out << ") == " << fact->structure.size << ");\n\n";
    return out;
  }

  std::int64_t status(const std::string& name) const {
    return cuda_enumerator_value(tables_, forward_.status.type, name, {forward_.file, 0});
  }

  // bool FROM(char letter, int* enumerator), for upper and lower case.
  std::string letter_converter(const std::string& enumeration, const Place& place) {
    const std::string name = "to_" + enumeration;
    if (!defined_.insert(name).second) return name;
    letters_ << "inline bool " << name << "(char letter, int* enumerator) {\n  switch (letter) {\n";
    for (const auto& [letter, enumerator] : forward_.characters.at(enumeration)) {
      letters_ << "    case '" << letter << "':\n    case '" << static_cast<char>(letter | 0x20)
               << "':\n      *enumerator = "
               << cuda_enumerator_value(tables_, enumeration, enumerator, place) << ";  // "
               << enumerator << "\n      return true;\n";
    }
    letters_ << "    default:\n      return false;\n  }\n}\n\n";
    return name;
  }

  void function(const CudaSymbol& symbol, const ForwardRow& row) {
    const Call target = find_call(tables_, output_, row.target);
    const Prototype* from = prototype_in(symbol, output_);
    const Prototype* to = target.own ? prototype_in(*target.own, output_) : nullptr;
    if (!from || !to) throw TableError(row.place, symbol.name + ": its prototype is not known");
    const DelegationPlan plan = plan_delegation(tables_, output_, *from, *to, row.place);
    const std::string returns = spelling(from->returns, row.place);
    functions_ << "TORCHADA_HIDDEN " << returns << " torchada_adapter_" << symbol.name << "(";
    for (std::size_t i = 0; i < from->parameters.size(); ++i) {
      functions_ << (i ? ", " : "") << spelling(from->parameters[i].type, row.place) << " a" << i;
    }
    functions_ << ") {\n";
    if (plan.has_handle) {
      functions_ << "  return " << call(plan, row) << ";\n}\n\n";
      return;
    }
    keeps_ = true;
    if (returns != "void") functions_ << "  " << returns << " result{};\n";
    functions_ << "  void* handle = nullptr;\n  int status = legacy_handle(&handle);\n";
    letters(plan, row);
    functions_ << "  if (status == 0) status = " << call(plan, row) << ";\n"
               << "  legacy_keep(status);\n";
    if (returns != "void") {
      functions_ << "  return status == 0 ? result : " << returns << "{};\n";
    }
    functions_ << "}\n\n";
  }

  void letters(const DelegationPlan& plan, const ForwardRow& row) {
    std::string all;
    for (const DelegatedArgument& argument : plan.arguments) {
      if (argument.source != Source::kLetter) continue;
      const std::string number = std::to_string(argument.parameter);
      functions_ << "  int c" << number << " = 0;\n";
      all += (all.empty() ? "" : " && ") + letter_converter(argument.enumeration, row.place) +
             "(a" + number + ", &c" + number + ")";
    }
    if (all.empty()) return;
    functions_ << "  if (status == 0 && !(" << all
               << ")) status = " << status(forward_.status.invalid) << ";\n";
  }

  static std::string call(const DelegationPlan& plan, const ForwardRow& row) {
    std::string out = "torchada_own_" + row.target + "(";
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
      const std::string number = std::to_string(plan.arguments[i].parameter);
      if (i) out += ", ";
      switch (plan.arguments[i].source) {
        case Source::kHandle:
          out += "handle";
          break;
        case Source::kParameter:
          out += "a" + number;
          break;
        case Source::kAddress:
          out += "&a" + number;
          break;
        case Source::kLetter:
          out += "c" + number;
          break;
        case Source::kResult:
          out += "&result";
          break;
      }
    }
    return out + ")";
  }

  const Tables& tables_;
  const Output& output_;
  const ForwardLibrary& forward_;
  std::set<std::string> defined_;
  bool keeps_ = false;  // Some row uses the handle of the old interface.
  std::ostringstream structs_, letters_, functions_;
};

}  // namespace

std::string emit_delegates(const Tables& tables, const LibraryPlan& plan) {
  return DelegateWriter(tables, *plan.output).write(plan);
}

}  // namespace torchada
