// LABEL/delegates.cpp: functions that call another export of the library with the same arguments in
// the form that it takes, or a function of MUSA in a way that the library's rows share.
#include <set>
#include <sstream>

#include "generator/decide/calls.h"
#include "generator/decide/conditions.h"
#include "generator/decide/delegation.h"
#include "generator/decide/per_thread.h"
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
      if (!slot.row) continue;
      if (slot.row->decision == RowDecision::kDelegated) {
        function(*slot.symbol, *slot.row, slot.row->target);
      } else if (!slot.row->via.empty()) {
        by_way(*slot.symbol, *slot.row);
      } else if (!slot.row->otherwise.target.empty()) {
        function(*slot.symbol, *slot.row, slot.row->otherwise.target);
      }
    }
    std::ostringstream out;
    out << "// Exports of " << output_.soname
        << " that lead to others of it or in a common way to MUSA, emitted by torchada-gen from "
           "mappings/. Do not edit.\n";
    if (functions_.str().empty()) return out.str();
    out << "#include \"facts.h\"\n";
    if (has_ways_) out << "#include \"stubs/" << output_.library_name << "/via.h\"\n";
    if (keeps_) out << "#include \"stubs/" << output_.library_name << "/legacy.h\"\n";
    out << "\nnamespace torchada {\n\n"
        << structs_.str() << "namespace {\n\n"
        << letters_.str() << own_stream() << "}  // namespace\n\nextern \"C\" {\n\n"
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
      if (field.name.find('.') != std::string::npos) continue;  // In a union with the one before.
      structs_ << "  " << erased_cuda(tables_, output_, field.type, place) << " " << field.name
               << ";\n";
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

  const OwnStream& stream() const { return tables_.registry.libraries[output_.library].own_stream; }

  std::string own_stream() const {
    if (!streams_) return "";
    return "void* stream_of_thread(void* stream) {\n  return stream ? stream : "
           "reinterpret_cast<void*>(musa::" +
           stream().handle + ");\n}\n\n";
  }

  void head(const CudaSymbol& symbol, const Prototype& from, const ForwardRow& row) {
    functions_ << "TORCHADA_HIDDEN " << spelling(from.returns, row.place) << " torchada_adapter_"
               << symbol.name << "(";
    for (std::size_t i = 0; i < from.parameters.size(); ++i) {
      functions_ << (i ? ", " : "") << spelling(from.parameters[i].type, row.place);
      if (!contains(row.delegated.ignores, from.parameters[i].name)) functions_ << " a" << i;
    }
    functions_ << ") {\n";
  }

  // The arguments reach the way's template in CUDA's types, which it converts.
  void by_way(const CudaSymbol& symbol, const ForwardRow& row) {
    has_ways_ = true;
    const Prototype* from = prototype_in(symbol, output_);
    if (!from) throw TableError(row.place, symbol.name + ": its prototype is not known");
    const Way& way = forward_.ways.at(row.via);
    head(symbol, *from, row);
    // Of an emulated row, a failure names the function that does the most: the last of `calls`.
    const std::string called = row.calls.empty() ? "" : row.calls.back();
    // What the program's source calls.
    const std::string& name = symbol.name;
    const std::string plain = is_per_thread(name) ? name.substr(0, name.size() - 5) : name;
    functions_ << "  return via::" << row.via << "({\"" << plain << "\", \"" << called << "\"}";
    if (is_asked_by_hand(tables_, output_, symbol, row)) {
      functions_ << ", kConditions_" << symbol.name;
    } else if (asks_by_hand(tables_, output_)) {
      functions_ << ", nullptr";
    }
    if (!row.target.empty()) functions_ << ", " << row.target;
    for (const std::string& constant : row.given) functions_ << ", " << constant;
    for (std::size_t i = 0; i < from->parameters.size(); ++i) {
      const auto type = way.types.find(from->parameters[i].type);
      const std::string argument = "a" + std::to_string(i);
      functions_ << ", "
                 << (type == way.types.end() ? argument
                                             : "via::" + type->second + "{" + argument + "}");
    }
    functions_ << ");\n}\n\n";
  }

  void function(const CudaSymbol& symbol, const ForwardRow& row, const std::string& name) {
    const CudaSymbol& target = delegation_target(tables_, output_, symbol, row, name);
    const DelegationPlan plan = plan_delegation(tables_, output_, symbol, target, row);
    const Prototype* from = prototype_in(symbol, output_);
    const Prototype* to = prototype_in(target, output_);
    const std::string returns = spelling(from->returns, row.place);
    head(symbol, *from, row);
    const std::string called = call(plan, name, *from, *to, row.place);
    if (!plan.keeps_handle) {
      directly(plan, called);
      return;
    }
    keeps_ = true;
    const bool returns_status = from->returns == forward_.status.type;
    const bool returns_result = returns != "void" && !returns_status;
    if (returns_result) functions_ << "  " << returns << " result{};\n";
    functions_ << "  void* handle = nullptr;\n  int status = legacy_handle(&handle);\n";
    letters(plan, row);
    functions_ << "  if (status == 0) status = " << called << ";\n"
               << (returns_status ? "  return status;\n" : "  legacy_keep(status);\n");
    if (returns_result) {
      functions_ << "  return status == 0 ? result : " << returns << "{};\n";
    }
    functions_ << "}\n\n";
  }

  void directly(const DelegationPlan& plan, const std::string& called) {
    const std::string wait = stream().wait + "(stream_of_thread(nullptr))";
    streams_ |= plan.wait != OwnWait::kNone;
    if (plan.wait == OwnWait::kBefore) {
      functions_ << "  if (const int status = " << wait << ") return status;\n";
    }
    if (plan.wait == OwnWait::kAfter) {
      functions_ << "  if (const int status = " << called << ") return status;\n"
                 << "  return " << wait << ";\n}\n\n";
      return;
    }
    functions_ << "  return " << called << ";\n}\n\n";
  }

  void letters(const DelegationPlan& plan, const ForwardRow& row) {
    std::string all;
    for (const DelegatedArgument& argument : plan.arguments) {
      if (argument.source != Source::kLetter) continue;
      const std::string number = std::to_string(argument.parameter);
      functions_ << "  int c" << number << " = 0;\n";
      all += (all.empty() ? "" : " && ") + letter_converter(argument.text, row.place) + "(a" +
             number + ", &c" + number + ")";
    }
    if (all.empty()) return;
    functions_ << "  if (status == 0 && !(" << all
               << ")) status = " << status(forward_.status.invalid) << ";\n";
  }

  // The target may take memory that it does not write without `const`.
  std::string passed(const DelegatedArgument& argument, const Prototype& from,
                     const std::string& type, const Place& place) {
    const std::string out = "a" + std::to_string(argument.parameter);
    const bool loses_const =
        spelling(from.parameters[argument.parameter].type, place) == "const void *" &&
        spelling(type, place) == "void *";
    return loses_const ? "const_cast<void *>(" + out + ")" : out;
  }

  std::string call(const DelegationPlan& plan, const std::string& target, const Prototype& from,
                   const Prototype& to, const Place& place) {
    std::string out = "torchada_own_" + target + "(";
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
      const std::string number = std::to_string(plan.arguments[i].parameter);
      if (i) out += ", ";
      switch (plan.arguments[i].source) {
        case Source::kHandle:
          out += "handle";
          break;
        case Source::kParameter:
          out += passed(plan.arguments[i], from, to.parameters[i].type, place);
          break;
        case Source::kStream:
          streams_ = true;
          out += "stream_of_thread(a" + number + ")";
          break;
        case Source::kOwnStream:
          streams_ = true;
          out += "stream_of_thread(nullptr)";
          break;
        case Source::kConstant:
          out += plan.arguments[i].text;
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
  bool has_ways_ = false;
  bool streams_ = false;  // Some row uses the thread's own stream.
  std::ostringstream structs_, letters_, functions_;
};

}  // namespace

std::string emit_delegates(const Tables& tables, const LibraryPlan& plan) {
  return DelegateWriter(tables, *plan.output).write(plan);
}

}  // namespace torchada
