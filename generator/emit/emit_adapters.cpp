// LABEL/adapters.cpp: functions that convert what differs between CUDA's and MUSA's types, with the
// call of MUSA's function in between.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/enum_runs.h"
#include "generator/decide/per_thread.h"
#include "generator/emit/emit.h"
#include "generator/emit/emit_structs.h"
#include "generator/tables/yaml_source.h"

namespace torchada {
namespace {

class AdapterWriter {
 public:
  AdapterWriter(const Tables& tables, const LibraryPlan& plan)
      : tables_(tables),
        plan_(plan),
        output_(*plan.output),
        forward_(tables.forward[plan.output->library]) {}

  std::string write() {
    const std::vector<GeneratedAdapter>& adapters = plan_.generated;
    for (const GeneratedAdapter& adapter : adapters) function(adapter);
    std::ostringstream out;
    out << "// Adapters of " << output_.soname
        << ", emitted by torchada-gen from mappings/. Do not edit.\n"
        << "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n\n#include "
           "\"facts.h\"\n#include \"stubs/fallback.h\"\n"
        << (forgets_ ? "#include \"stubs/kept_values.h\"\n" : "")
        << "#include \"stubs/passed_struct.h\"\n#include \"stubs/refusal.h\"\n\n"
        << "namespace torchada {\nnamespace {\n\n"
        << "// No tail call: it could overwrite the adapter's own arguments, so that GCC would "
           "keep "
           "all of them in\n// registers first, and save six registers for that.\n"
        << "inline int no_tail(int status) {\n  __asm__ volatile(\"\" : \"+r\"(status));\n"
        << "  return status;\n}\n\n"
        << "inline int refuse(int status) { return no_tail(fail(status)); }\n\n"
        << "inline int refuse(unsigned row, int64_t value, int status) {\n"
        << "  return no_tail(refuse_listed(row, value, status));\n}\n\n"
        << "inline void* load(unsigned index) {\n"
        << "  return __atomic_load_n(&torchada_adapted[index], __ATOMIC_ACQUIRE);\n}\n\n"
        << helpers(adapters) << converters_.str() << failed_.str()
        << "}  // namespace\n\nextern \"C\" {\n\n"
        << functions_.str() << "}\n\n}  // namespace torchada\n";
    return out.str();
  }

 private:
  std::int64_t status(const std::string& name) const {
    return cuda_enumerator_value(tables_, forward_.status.type, name, {forward_.file, 0});
  }

  std::string invalid() const {
    if (forward_.status.invalid.empty()) {
      throw TableError({forward_.file, 0}, "'status' has no 'invalid', which adapters return");
    }
    return std::to_string(status(forward_.status.invalid));
  }

  const std::string& bad_enum_or(const std::string& usual) const {
    return forward_.status.bad_enum.empty() ? usual : forward_.status.bad_enum;
  }

  // Name of the function with this body; the same conversion is written only once.
  std::string converter(const std::string& prefix, const std::string& body) {
    const auto found = names_.find(body);
    if (found != names_.end()) return found->second;
    std::string name = prefix;
    for (int i = 2; !taken_.insert(name).second; ++i) name = prefix + "_" + std::to_string(i);
    names_[body] = name;
    const std::size_t at = body.find('@');
    converters_ << body.substr(0, at) << name << body.substr(at + 1) << "\n";
    return name;
  }

  // int FROM(int value, int* converted): 0, or the status to return.
  std::string argument_converter(const EnumConversion& conversion) {
    std::ostringstream body;
    body << "// " << conversion.cuda_type << " to " << conversion.musa_type << "\n"
         << "inline int @(int value, int* converted) {\n";
    if (conversion.is_combined) {
      std::int64_t bits = 0;
      for (const EnumCase& item : conversion.cases) bits |= item.from;
      body << "  if (value & ~" << bits << ") return "
           << status(bad_enum_or(forward_.status.invalid));
      body << ";\n  *converted = value;\n  return 0;\n}\n";
      return converter("to_" + conversion.musa_type, body.str());
    }
    for (const EnumRun& run : runs_of(conversion.cases)) {
      body << "  if (" << run_condition(run, "value") << ") {  // " << run.names
           << "\n    *converted = " << run_result(run, "value") << ";\n    return 0;\n  }\n";
    }
    // One status for everything refused, which costs the least. refuse_listed() finds out whether
    // CUDA knows the number.
    body << "  return " << status(bad_enum_or(forward_.status.invalid)) << ";\n}\n";
    return converter("to_" + conversion.musa_type, body.str());
  }

  // int TO(unsigned char* to, const unsigned char* from): 0, or the status to return.
  std::string struct_in_converter(const StructConversion& conversion) {
    std::vector<std::string> converters;
    for (const FieldCopy& field : conversion.fields) {
      converters.push_back(field.converts ? argument_converter(field.enumeration) : "");
    }
    return converter("to_" + conversion.musa_type,
                     struct_in_body(conversion, converters, status(forward_.status.unsupported)));
  }

  // void FROM(unsigned char* to, const unsigned char* from)
  std::string struct_out_converter(const StructConversion& conversion) {
    std::vector<std::string> converters;
    for (const FieldCopy& field : conversion.fields) {
      converters.push_back(field.converts ? result_converter(field.enumeration, -1) : "");
    }
    return converter("from_" + conversion.musa_type, struct_out_body(conversion, converters));
  }

  // int FROM(int value): CUDA's number, or `otherwise`.
  std::string result_converter(const EnumConversion& conversion, std::int64_t otherwise) {
    std::ostringstream body;
    body << "// " << conversion.musa_type << " to " << conversion.cuda_type << "\n"
         << "inline int @(int value) {\n";
    // Nearly every call succeeds.
    if (!conversion.cases.empty() && conversion.cases.front().from == 0) {
      body << "  if (__builtin_expect(value == 0, 1)) return " << conversion.cases.front().to
           << ";\n";
    }
    body << "  switch (value) {\n";
    for (const EnumCase& item : conversion.cases) {
      body << "    case " << item.from << ":  // " << item.name << "\n      return " << item.to
           << ";\n";
    }
    body << "    default:\n      return " << otherwise << ";\n  }\n}\n";
    return converter("from_" + conversion.musa_type, body.str());
  }

  static std::string any_of(const std::string& name, const std::vector<EnumCase>& cases) {
    std::string out;
    for (const EnumCase& item : cases) {
      out += (out.empty() ? "" : " || ") + name + " == " + std::to_string(item.from);
    }
    return out;
  }

  const OwnStream& own_stream() const {
    return tables_.registry.libraries[plan_.output->library].own_stream;
  }

  // The common helpers that the adapters of this output use.
  std::string helpers(const std::vector<GeneratedAdapter>& adapters) const {
    const auto has = [&](const auto& wanted) {
      return std::any_of(adapters.begin(), adapters.end(), [&](const GeneratedAdapter& adapter) {
        const std::vector<ParameterPlan>& all = adapter.candidate.adaptation.parameters;
        return std::any_of(all.begin(), all.end(), wanted);
      });
    };
    std::ostringstream out;
    if (has([](const ParameterPlan& item) { return item.cuda_type.starts_with("ByValue<"); })) {
      out << "// A struct by value: only size and alignment decide how it travels.\n"
          << "template <size_t kSize, size_t kAlign>\n"
          << "struct ByValue {\n  alignas(kAlign) unsigned char bytes[kSize];\n};\n\n";
    }
    if (has([](const ParameterPlan& item) { return item.conversion == Conversion::kStream; })) {
      out << "// Of a name in which a null stream is the thread's own.\n"
          << "inline void* own_stream(void* stream) {\n"
          << "  return stream ? stream : "
             "reinterpret_cast<void*>(musa::"
          << own_stream().handle << ");\n}\n\n";
    }
    return out.str();
  }

  // MUSA's numbers: a call that fails with `from` is made again with `to`.
  struct Fallback {
    std::int64_t from, to;
  };
  std::vector<Fallback> fallbacks(const EnumConversion& conversion) const {
    std::vector<Fallback> out;
    const auto listed = tables_.types.fallbacks.find(conversion.cuda_type);
    if (listed == tables_.types.fallbacks.end()) return out;
    const auto number = [&](const std::string& name) {
      const std::int64_t value =
          cuda_enumerator_value(tables_, conversion.cuda_type, name, {tables_.types.file, 0});
      const auto found = std::find_if(conversion.cases.begin(), conversion.cases.end(),
                                      [&](const EnumCase& item) { return item.from == value; });
      if (found == conversion.cases.end()) {
        throw TableError({tables_.types.file, 0}, "MUSA has no number for " + name);
      }
      return found->to;
    };
    for (const auto& [first, second] : listed->second) {
      out.push_back({number(first), number(second)});
    }
    return out;
  }

  // Routines that compute take sizes; what sets or gets a mode takes none.
  bool may_leave_error(const Adaptation& plan) const {
    return !forward_.peek_error.empty() &&
           std::any_of(
               plan.parameters.begin(), plan.parameters.end(), [](const ParameterPlan& item) {
                 return item.musa_type == "int" && (item.conversion == Conversion::kNone ||
                                                    item.conversion == Conversion::kNarrowIn);
               });
  }

  // A call of a MUSA function without arguments that spares the way over its trampoline.
  std::string through_slot(const std::string& function) const {
    const auto slot = std::find_if(plan_.slots.begin(), plan_.slots.end(),
                                   [&](const PlannedSlot& item) { return item.name == function; });
    return "reinterpret_cast<int (*)()>(__atomic_load_n(&torchada_slots[" +
           std::to_string(slot - plan_.slots.begin()) + "], __ATOMIC_ACQUIRE))()";
  }

  // Arguments of refuse() for a parameter whose value `name` is refused with `status`.
  std::string refusal(const GeneratedAdapter& adapter, std::size_t number, const std::string& name,
                      const std::string& status) const {
    const int row = plan_.refusals.row_of(adapter.index, static_cast<int>(number));
    if (row == static_cast<int>(plan_.refusals.parameters.size())) return status;
    return std::to_string(row) + ", " + name + ", " + status;
  }

  // int FAILED(int value, unsigned symbol, unsigned adapter): what an adapter returns for a status
  // of MUSA's other than success. Says so if MUSA cannot do what it was asked for.
  std::string failure(const GeneratedAdapter& adapter) {
    const Adaptation& plan = adapter.candidate.adaptation;
    const std::string convert = result_converter(plan.result, status(forward_.status.failed));
    const std::string name = "failed_" + convert;
    if (taken_.insert(name).second) {
      failed_ << "__attribute__((noinline)) int " << name
              << "(int value, unsigned symbol, unsigned adapter) {\n  const int status = "
              << convert << "(value);\n  if (const char* const name = unsupported_name(value)) {\n"
              << "    report_answer(symbol, adapter, name, value, status);\n"
              << "  } else if (!is_documented(value)) {\n"
              << "    report_undocumented(symbol, adapter, value, status);\n  }\n"
              << "  return status;\n}\n\n";
    }
    const auto slot =
        std::find_if(plan_.slots.begin(), plan_.slots.end(),
                     [&](const PlannedSlot& item) { return item.name == adapter.symbol; });
    return name + "(status, " + std::to_string(slot - plan_.slots.begin()) + ", " +
           std::to_string(adapter.index) + ")";
  }

  // Forgets what was kept of an object that MUSA is about to destroy.
  std::string forgetting(const GeneratedAdapter& adapter) {
    const auto slot =
        std::find_if(plan_.slots.begin(), plan_.slots.end(),
                     [&](const PlannedSlot& item) { return item.name == adapter.symbol; });
    if (slot == plan_.slots.end() || !slot->row || slot->row->forgets.empty()) return "";
    const std::vector<Parameter>& parameters = slot->prototype->parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name != slot->row->forgets) continue;
      forgets_ = true;
      return "  forget_values(a" + std::to_string(i) + ");\n";
    }
    throw TableError(slot->row->place, "'forgets' names no parameter");
  }

  // How many structs there are: before the call as many as the program has room for.
  static std::string count_of(const ParameterPlan& parameter) {
    const std::string name = "a" + std::to_string(parameter.count);
    return parameter.is_counted_by_musa ? "count_at(" + name + ")" : name;
  }

  std::string structs_local(const ParameterPlan& parameter, std::size_t i) const {
    if (forward_.status.no_memory.empty()) {
      throw TableError({forward_.file, 0}, "'status' has no 'no_memory', which adapters return");
    }
    const std::string name = "c" + std::to_string(i);
    std::ostringstream out;
    out << "  PassedStructs " << name << "(a" << i << ", " << count_of(parameter) << ", {"
        << parameter.structure.cuda_size << ", " << parameter.structure.musa_size << "}, "
        << (parameter.is_counted_by_musa ? "false" : "true") << ");\n  if (!" << name
        << ".has_memory()) return refuse(" << status(forward_.status.no_memory) << ");\n";
    return out.str();
  }

  void function(const GeneratedAdapter& adapter) {
    const Adaptation& plan = adapter.candidate.adaptation;
    std::ostringstream& out = functions_;
    out << "TORCHADA_HIDDEN int " << adapter.name << "(";
    const std::size_t passed = plan.parameters.size() - (plan.waits_for_own_stream ? 1 : 0);
    for (std::size_t i = 0; i < passed; ++i) {
      out << (i ? ", " : "") << plan.parameters[i].cuda_type << " a" << i;
    }
    out << ") {\n";
    std::string arguments;
    std::string types;
    std::string after;
    std::string again;  // Sets the arguments for another try. Empty if there is none.
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
      const std::string name = "a" + std::to_string(i);
      std::string argument = name;
      const ParameterPlan& parameter = plan.parameters[i];
      switch (parameter.conversion) {
        case Conversion::kNone:
          break;
        case Conversion::kEnumIn:
          argument = "c" + std::to_string(i);
          out << "  int " << argument
              << ";\n  if (const int refused = " << argument_converter(parameter.enumeration) << "("
              << name << ", &" << argument << "); __builtin_expect(refused != 0, 0)) return refuse("
              << refusal(adapter, i, name, "refused") << ");\n";
          for (const Fallback& item : fallbacks(parameter.enumeration)) {
            again += "  if (status != 0 && " + argument + " == " + std::to_string(item.from) +
                     ") {\n    " + argument + " = " + std::to_string(item.to) + ";\n    status = ";
          }
          break;
        case Conversion::kEnumOut: {
          // MUSA writes into a local variable; its initial value shows whether MUSA wrote at all.
          argument = name + " ? &c" + std::to_string(i) + " : nullptr";
          out << "  int c" << i << " = -1;\n";
          after += "  if (" + name + " && status == 0) *static_cast<int*>(" + name +
                   ") = " + result_converter(parameter.enumeration, -1) + "(c" + std::to_string(i) +
                   ");\n";
          break;
        }
        case Conversion::kEnumKnown:
          out << "  if (" << any_of(name, parameter.enumeration.refused) << ") return refuse("
              << refusal(adapter, i, name,
                         std::to_string(status(bad_enum_or(forward_.status.unsupported))))
              << ");\n";
          break;
        case Conversion::kStructIn:
          argument = name + " ? c" + std::to_string(i) + " : nullptr";
          out << struct_local(parameter.structure, "c" + std::to_string(i)) << "  if (" << name
              << ") {\n    if (const int refused = " << struct_in_converter(parameter.structure)
              << "(c" << i << ", static_cast<const unsigned char*>(" << name << "), "
              << plan_.refusals.row_of(adapter.index, static_cast<int>(i))
              << ")) return refuse(refused);\n  }\n";
          break;
        case Conversion::kStructOut:
          argument = name + " ? c" + std::to_string(i) + " : nullptr";
          out << struct_local(parameter.structure, "c" + std::to_string(i));
          after += "  if (" + name + " && status == 0) " +
                   struct_out_converter(parameter.structure) + "(static_cast<unsigned char*>(" +
                   name + "), c" + std::to_string(i) + ");\n";
          break;
        case Conversion::kStructCopied:
          argument = "c" + std::to_string(i) + ".get()";
          out << "  PassedStruct<" << parameter.structure.cuda_size << ", "
              << parameter.structure.musa_size << "> c" << i << "(" << name << ");\n";
          if (parameter.comes_back) {
            after += "  c" + std::to_string(i) + ".give_back(" + name + ");\n";
          }
          break;
        case Conversion::kStructsCopied:
          argument = "c" + std::to_string(i) + ".get()";
          out << structs_local(parameter, i);
          if (parameter.is_counted_by_musa) {
            after += "  c" + std::to_string(i) + ".give_back(" + name + ", " + count_of(parameter) +
                     ");\n";
          }
          break;
        case Conversion::kStream:
          argument = "own_stream(" + (i < passed ? name : "nullptr") + ")";
          break;
        case Conversion::kNarrowIn:
          // Without the value: keeping it would cost the adapter instructions when nothing is
          // refused.
          argument = "static_cast<int>(" + name + ")";
          out << "  if (" << name << " != static_cast<int>(" << name << ")) return refuse("
              << refusal(adapter, i, "0", invalid()) << ");\n";
          break;
      }
      arguments += (i ? ", " : "") + argument;
      types += (i ? ", " : "") + parameter.musa_type;
    }
    out << forgetting(adapter);
    const bool settles = may_leave_error(plan);
    if (settles) out << "  const int pending = " << through_slot(forward_.peek_error) << ";\n";
    const std::string call = "reinterpret_cast<int (*)(" + types + ")>(load(" +
                             std::to_string(adapter.index) + "))(" + arguments + ");\n";
    out << (again.empty() ? "  const int status = " : "  int status = ") << call;
    if (!again.empty()) out << again << call << "  }\n";
    if (settles) {
      out << "  if (__builtin_expect(pending == 0 && status == 0 && "
          << through_slot(forward_.peek_error) << " != 0, 0)) " << forward_.clear_error << "();\n";
    }
    out << after;
    if (plan.waits_for_own_stream) {
      out << "  if (status == 0) return " << own_stream().wait << "(own_stream(nullptr));\n";
    }
    if (plan.converts_result) {
      if (forward_.status.failed.empty()) {
        throw TableError({forward_.file, 0}, "'status' has no 'failed', which adapters return");
      }
      out << "  if (__builtin_expect(status != 0, 0)) return no_tail(" << failure(adapter)
          << ");\n  return status;\n";
    } else {
      out << "  return status;\n";
    }
    out << "}\n\n";
  }

  const Tables& tables_;
  const LibraryPlan& plan_;
  const Output& output_;
  const ForwardLibrary& forward_;
  std::map<std::string, std::string> names_;  // Names of converters, by body.
  std::set<std::string> taken_;
  bool forgets_ = false;  // Whether any adapter does.
  std::ostringstream converters_, failed_, functions_;
};

}  // namespace

std::string emit_adapters(const Tables& tables, const LibraryPlan& plan) {
  return AdapterWriter(tables, plan).write();
}

}  // namespace torchada
