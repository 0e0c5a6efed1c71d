// LABEL/adapters.cpp: functions that convert what differs between CUDA's and MUSA's types, with the
// call of MUSA's function in between.
#include <algorithm>
#include <set>
#include <sstream>

#include "generator/decide/conditions.h"
#include "generator/decide/enum_runs.h"
#include "generator/decide/per_thread.h"
#include "generator/emit/emit.h"
#include "generator/emit/emit_structs.h"
#include "src/shared/yaml_source.h"

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
        << "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include "
           "<string.h>\n\n#include \"facts.h\"\n#include \"stubs/adapting/conditions.h\"\n#include "
           "\"stubs/reporting/fallback.h\"\n"
        << (forgets_ ? "#include \"stubs/adapting/kept_values.h\"\n" : "")
        << "#include \"stubs/adapting/passed_struct.h\"\n#include \"stubs/reporting/refusal.h\"\n\n"
        << "namespace torchada {\nnamespace {\n\n"
        << "// No tail call: it could overwrite the adapter's own arguments, so that GCC would "
           "keep "
           "all of them in\n// registers first, and save six registers for that.\n"
        << "inline int no_tail(int status) {\n  __asm__ volatile(\"\" : \"+r\"(status));\n"
        << "  return status;\n}\n\n"
        << "inline int refuse(int status) { return no_tail(fail(status)); }\n\n"
        << "inline int refuse(unsigned row, int64_t value, int status) {\n"
        << "  return no_tail(refuse_listed(row, value, status));\n}\n\n"
        << "// Plain loads, which spare an instruction: like the jumps of the trampolines, each is "
           "one aligned load\n// of what was stored before this adapter could be reached, or of a "
           "slot, where every value is right.\n"
        << "inline void* load(unsigned index) { return torchada_callees[index]; }\n\n"
        << helpers(adapters) << converters_.str() << conditions() << failed_.str()
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

  std::vector<PlannedSlot>::const_iterator slot_of(const std::string& name) const {
    return std::ranges::find(plan_.slots, name, &PlannedSlot::name);
  }

  // A call of a MUSA function without arguments that spares the way over its trampoline.
  std::string through_slot(const std::string& function) const {
    return "reinterpret_cast<int (*)()>(torchada_slots[" +
           std::to_string(slot_of(function) - plan_.slots.begin()) + "])()";
  }

  // Arguments of refuse() for a parameter whose value `name` is refused with `status`.
  std::string refusal(const GeneratedAdapter& adapter, std::size_t number, const std::string& name,
                      const std::string& status) const {
    const int row = plan_.refusals.row_of(adapter.index, static_cast<int>(number));
    if (row == static_cast<int>(plan_.refusals.parameters.size())) return status;
    return std::to_string(row) + ", " + name + ", " + status;
  }

  bool asks() const { return tables_.conditions.count(output_.library_name) != 0; }

  // Enumerations of which the adapter still has MUSA's numbers after the call. To keep CUDA's too
  // would cost every call instructions.
  static ConvertedEnumerations converted(const GeneratedAdapter& adapter) {
    ConvertedEnumerations out;
    for (const ParameterPlan& parameter : adapter.candidate.adaptation.parameters) {
      if (parameter.conversion != Conversion::kEnumIn) continue;
      out[parameter.enumeration.cuda_type] = &parameter.enumeration;
    }
    return out;
  }

  // Whether an argument is kept in memory during the call. In an adapter that narrows integers and
  // asks conditions, GCC would take registers for those that come in registers, and save and
  // restore each.
  bool is_kept_in_memory(const GeneratedAdapter& adapter, std::size_t position) {
    constexpr std::ptrdiff_t kRegisters = 6;
    const std::vector<ParameterPlan>& all = adapter.candidate.adaptation.parameters;
    const auto narrows = [](const ParameterPlan& item) {
      return item.conversion == Conversion::kNarrowIn;
    };
    if (std::none_of(all.begin(), all.end(), narrows)) return false;
    const auto before =
        std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(position),
                      [](const ParameterPlan& item) {
                        return item.cuda_type != "float" && item.cuda_type != "double";
                      });
    const std::string& type = all[position].cuda_type;
    return before < kRegisters && type != "float" && type != "double" &&
           !asked(adapter).arguments.empty();
  }

  // The 32 bits of a 64-bit integer that fits.
  std::string narrowed(const GeneratedAdapter& adapter, std::size_t position) {
    const std::string name = std::to_string(position);
    return is_kept_in_memory(adapter, position) ? "c" + name : "static_cast<int>(a" + name + ")";
  }

  // What the conditions are asked about: an argument after the call, as it is kept for the call.
  std::string kept(const GeneratedAdapter& adapter, int position) {
    const Adaptation& plan = adapter.candidate.adaptation;
    const ParameterPlan& parameter = plan.parameters[static_cast<std::size_t>(position)];
    const std::string name = std::to_string(position);
    // In memory: a register that a call leaves alone would have to be saved and restored.
    if (!may_leave_error(plan)) return "k" + name;
    if (parameter.conversion == Conversion::kEnumIn) return "c" + name;
    if (parameter.conversion == Conversion::kNarrowIn) {
      return narrowed(adapter, static_cast<std::size_t>(position));
    }
    if (is_kept_in_memory(adapter, static_cast<std::size_t>(position))) return "k" + name;
    return "a" + name;
  }

  // The documented conditions of an adapter's function. Equal ones are written only once.
  ConditionProgram asked(const GeneratedAdapter& adapter) {
    const CudaSymbol& symbol = tables_.cuda[output_.library].symbols.at(adapter.symbol);
    ConditionProgram program = conditions_of(tables_, output_, symbol, converted(adapter));
    if (program.steps.empty()) return program;
    const std::string bytes = condition_bytes(program);
    const auto known = std::find(programs_.begin(), programs_.end(), bytes);
    program_of_[adapter.index] = static_cast<int>(known - programs_.begin()) + 1;
    if (known == programs_.end()) programs_.push_back(bytes);
    return program;
  }

  // All conditions one behind the other, and where those of each adapter begin; 0 if it has none.
  std::string conditions() const {
    if (!asks() || failed_.str().empty()) return "";
    std::ostringstream out;
    std::vector<std::size_t> begins = {0};
    std::size_t next = 1;
    out << "const uint8_t kConditions[] = {\n    0,\n";
    for (const std::string& bytes : programs_) {
      const std::string list = bytes.substr(1, bytes.size() - 2);
      out << "    " << list << ",\n";
      begins.push_back(next);
      next += static_cast<std::size_t>(std::count(list.begin(), list.end(), ',')) + 1;
    }
    out << "};\n\nconst uint16_t kConditionsOf[] = {";
    for (std::size_t i = 0; i <= plan_.generated.size(); ++i) {
      const auto found = program_of_.find(static_cast<int>(i));
      const std::size_t program =
          found == program_of_.end() ? 0 : static_cast<std::size_t>(found->second);
      out << (i % 16 ? " " : "\n    ") << begins[program] << ",";
    }
    out << "\n};\n\n";
    return out.str();
  }

  // int FAILED(int value, unsigned symbol, unsigned adapter, ...): what an adapter returns for a
  // status of MUSA's other than success. The arguments that the function's conditions name follow:
  // if one is broken, CUDA documents the status, and NVIDIA's library refuses the call too. Else it
  // says so if MUSA cannot do what it was asked for.
  std::string failure(const GeneratedAdapter& adapter) {
    const Adaptation& plan = adapter.candidate.adaptation;
    const std::string convert = result_converter(plan.result, status(forward_.status.failed));
    const std::string name = "failed_" + convert;
    if (taken_.insert(name).second) {
      failed_ << "__attribute__((noinline, cold)) int " << name
              << "(int value, unsigned symbol, unsigned adapter" << (asks() ? ", ..." : "")
              << ") {\n";
      if (asks()) {
        failed_ << "  if (const unsigned conditions = kConditionsOf[adapter]) {\n"
                << "    va_list arguments;\n    va_start(arguments, adapter);\n"
                << "    const int documented = broken_condition(kConditions + conditions, "
                   "arguments);\n    va_end(arguments);\n"
                << "    if (documented != 0) return documented;\n  }\n";
      }
      failed_ << "  const int status = " << convert
              << "(value);\n  if (const char* const name = unsupported_name(value)) {\n"
              << "    report_answer(symbol, adapter, name, value, status);\n"
              << "  } else if (!is_documented(value)) {\n"
              << "    report_undocumented(symbol, adapter, value, status);\n  }\n"
              << "  return status;\n}\n\n";
    }
    std::string out = name + "(status, " +
                      std::to_string(slot_of(adapter.symbol) - plan_.slots.begin()) + ", " +
                      std::to_string(adapter.index);
    for (const int argument : asked(adapter).arguments) {
      out += ", condition_argument(" + kept(adapter, argument) + ")";
    }
    return out + ")";
  }

  // Forgets what was kept of an object that MUSA is about to destroy.
  std::string forgetting(const GeneratedAdapter& adapter) {
    const auto slot = slot_of(adapter.symbol);
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
          if (!is_kept_in_memory(adapter, i)) break;
          argument = "k" + std::to_string(i);
          out << "  " << parameter.cuda_type << " volatile " << argument << " = " << name << ";\n";
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
          argument = narrowed(adapter, i);
          out << "  if (" << name << " != static_cast<int>(" << name << ")) return refuse("
              << refusal(adapter, i, "0", invalid()) << ");\n";
          if (is_kept_in_memory(adapter, i)) {
            out << "  int volatile " << argument << " = static_cast<int>(" << name << ");\n";
          }
          break;
      }
      arguments += (i ? ", " : "") + argument;
      types += (i ? ", " : "") + parameter.musa_type;
    }
    out << forgetting(adapter);
    const bool settles = may_leave_error(plan);
    if (settles) out << "  const int pending = " << through_slot(forward_.peek_error) << ";\n";
    if (plan.converts_result && !settles) {
      for (const int position : asked(adapter).arguments) {
        out << "  " << plan.parameters[static_cast<std::size_t>(position)].cuda_type
            << " volatile k" << position << " = a" << position << ";\n";
      }
    }
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
  bool forgets_ = false;               // Whether any adapter does.
  std::vector<std::string> programs_;  // Conditions, as condition_bytes.
  std::map<int, int> program_of_;      // Adapter -> one more than the index in programs_.
  std::ostringstream converters_, failed_, functions_;
};

}  // namespace

std::string emit_adapters(const Tables& tables, const LibraryPlan& plan) {
  return AdapterWriter(tables, plan).write();
}

}  // namespace torchada
