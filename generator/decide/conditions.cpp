#include "generator/decide/conditions.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "generator/decide/enumerators.h"
#include "src/shared/condition_steps.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// Translates conditions of one function.
//     choice      comparison {"or" comparison} ["?" choice ":" choice]
//     comparison  sum [(">=" | "<=" | ">" | "<" | "==" | "!=") sum]
//     sum         product {"+" product}
//     product     value {"%" value}
//     value       ["-"] integer | parameter | enumerator | "null" | "max(" choice "," choice ")"
//                 | "(" choice ")"
class Translator {
 public:
  Translator(const Tables& tables, const Output& output, const CudaSymbol& symbol,
             const Prototype& prototype, const ConvertedEnumerations& converted)
      : tables_(tables),
        output_(output),
        symbol_(symbol),
        prototype_(prototype),
        converted_(converted) {}

  void number_all() {
    for (std::size_t i = 0; i < prototype_.parameters.size(); ++i) {
      out_.arguments.push_back(static_cast<int>(i));
    }
  }

  void add(const Condition& condition) {
    condition_ = &condition;
    at_ = 0;
    depth_ = 0;
    choice();
    if (!rest().empty()) fail("'" + rest() + "' is left over");
    const std::int64_t status = cuda_enumerator_value(
        tables_, tables_.forward[output_.library].status.type, condition.status, condition.place);
    if (status <= 0 || status > std::numeric_limits<std::uint8_t>::max()) {
      fail(condition.status + " does not fit into a byte");
    }
    step(ConditionStep::kDemand, -1);
    out_.steps.push_back(static_cast<std::uint8_t>(status));
  }

  ConditionProgram finish() {
    if (out_.steps.empty()) return {};
    out_.steps.push_back(static_cast<std::uint8_t>(ConditionStep::kEnd));
    if (out_.arguments.size() > kConditionArguments) fail("too many arguments");
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw TableError(condition_->place, symbol_.name + " in " + output_.soname + ": condition '" +
                                            condition_->text + "': " + message);
  }

  std::string rest() {
    while (at_ < condition_->text.size() && condition_->text[at_] == ' ') ++at_;
    return condition_->text.substr(at_);
  }

  bool take(const std::string& token) {
    if (!rest().starts_with(token)) return false;
    const bool is_word = std::isalpha(static_cast<unsigned char>(token[0])) != 0;
    const std::size_t end = at_ + token.size();
    if (is_word && end < condition_->text.size() && is_name(condition_->text[end])) return false;
    at_ = end;
    return true;
  }

  void expect(const std::string& token) {
    if (!take(token)) fail("expected '" + token + "' before '" + rest() + "'");
  }

  static bool is_name(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  }

  void step(ConditionStep step, int change) {
    out_.steps.push_back(static_cast<std::uint8_t>(step));
    depth_ += change;
    if (depth_ > kConditionDepth) fail("is nested too deeply");
  }

  void choice() {
    comparison();
    while (take("or")) {
      comparison();
      step(ConditionStep::kOr, -1);
    }
    if (!take("?")) return;
    choice();
    expect(":");
    choice();
    step(ConditionStep::kChoose, -2);
  }

  void comparison() {
    // The machine has no step for ">": the operands change places.
    const std::size_t before = out_.steps.size();
    sum();
    const auto compare = [&](ConditionStep with, bool swaps) {
      const std::size_t middle = out_.steps.size();
      sum();
      if (swaps) {
        const auto begin = out_.steps.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(before),
                    begin + static_cast<std::ptrdiff_t>(middle), out_.steps.end());
      }
      step(with, -1);
    };
    if (take(">=")) return compare(ConditionStep::kAtMost, true);
    if (take("<=")) return compare(ConditionStep::kAtMost, false);
    if (take("==")) return compare(ConditionStep::kEqual, false);
    if (take("!=")) return compare(ConditionStep::kUnequal, false);
    if (take(">")) return compare(ConditionStep::kLess, true);
    if (take("<")) return compare(ConditionStep::kLess, false);
  }

  void sum() {
    product();
    while (take("+")) {
      product();
      step(ConditionStep::kAdd, -1);
    }
  }

  void product() {
    value();
    while (take("%")) {
      value();
      step(ConditionStep::kRemainder, -1);
    }
  }

  void value() {
    if (take("(")) {
      choice();
      return expect(")");
    }
    if (take("max")) {
      expect("(");
      choice();
      expect(",");
      choice();
      expect(")");
      return step(ConditionStep::kMax, -1);
    }
    if (take("null")) return number(0);
    const bool is_negative = take("-");
    const std::string before = rest();
    const std::size_t start = at_;
    while (at_ < condition_->text.size() && is_name(condition_->text[at_])) ++at_;
    const std::string word = condition_->text.substr(start, at_ - start);
    if (word.empty()) fail("expected a value before '" + before + "'");
    if (word.find_first_not_of("0123456789") != std::string::npos) {
      if (is_negative) fail("expected an integer after '-'");
      return named(word);
    }
    if (word.size() > 5) fail("a number has more than 16 bits");
    number(is_negative ? -std::stoll(word) : std::stoll(word));
  }

  void number(std::int64_t value) {
    if (value != static_cast<std::int16_t>(value)) fail("a number has more than 16 bits");
    step(ConditionStep::kNumber, 1);
    out_.steps.push_back(static_cast<std::uint8_t>(value & 0xff));
    out_.steps.push_back(static_cast<std::uint8_t>(value >> 8 & 0xff));
  }

  void named(const std::string& word) {
    const std::vector<Parameter>& parameters = prototype_.parameters;
    const auto found =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == word; });
    if (found != parameters.end()) {
      return argument(static_cast<int>(found - parameters.begin()), found->type);
    }
    for (const Parameter& parameter : parameters) {
      const TypeFact* fact = fact_in(tables_, base_type(parameter.type), output_);
      if (!fact || fact->kind != TypeKind::kEnum) continue;
      for (const EnumValue& item : fact->enumeration.values) {
        if (item.name == word) return enumerator(base_type(parameter.type), item);
      }
    }
    fail("the function has no parameter '" + word +
         "', and none of its parameters has an enumerator of that name");
  }

  void enumerator(const std::string& type, const EnumValue& item) {
    const auto found = converted_.find(type);
    if (found == converted_.end()) return number(item.value);
    const std::vector<EnumCase>& cases = found->second->cases;
    const auto own = std::ranges::find(cases, item.value, &EnumCase::from);
    if (own == cases.end()) fail(item.name + " has no number in MUSA");
    if (std::ranges::count(cases, own->to, &EnumCase::to) != 1) {
      fail("MUSA's number of " + item.name + " stands for other enumerators too");
    }
    number(own->to);
  }

  void argument(int position, const std::string& type) {
    const TypeFact* fact = fact_in(tables_, base_type(type), output_);
    const bool is_pointer = type.find('*') != std::string::npos;
    const bool is_struct = fact && fact->kind == TypeKind::kStruct;
    if (!is_pointer && (is_struct || type == "float" || type == "double")) {
      fail("a condition cannot be about a value of type '" + type + "'");
    }
    std::vector<int>& all = out_.arguments;
    auto found = std::find(all.begin(), all.end(), position);
    if (found == all.end()) found = all.insert(all.end(), position);
    const auto index = static_cast<std::uint8_t>(found - all.begin());
    step(ConditionStep::kArgument, 1);
    out_.steps.push_back(index);
  }

  const Tables& tables_;
  const Output& output_;
  const CudaSymbol& symbol_;
  const Prototype& prototype_;
  const ConvertedEnumerations& converted_;
  const Condition* condition_ = nullptr;
  std::size_t at_ = 0;  // In the text of the condition.
  int depth_ = 0;
  ConditionProgram out_;
};

const LibraryConditions* library_of(const Tables& tables, const Output& output) {
  const auto found = tables.conditions.find(output.library_name);
  return found == tables.conditions.end() ? nullptr : &found->second;
}

bool applies(const ConditionRow& row, const Output& output, const std::string& function) {
  return (row.abis.empty() || std::ranges::find(row.abis, output.abi) != row.abis.end()) &&
         row.functions.matches(function);
}

ConditionProgram translated(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                            const ConvertedEnumerations& converted, bool all_arguments) {
  const LibraryConditions* library = library_of(tables, output);
  const Prototype* prototype = prototype_in(symbol, output);
  if (!library || !prototype) return {};
  Translator translator(tables, output, symbol, *prototype, converted);
  if (all_arguments) translator.number_all();
  for (const ConditionRow& row : library->rows) {
    if (!applies(row, output, symbol.name)) continue;
    for (const Condition& condition : row.conditions) translator.add(condition);
  }
  return translator.finish();
}

// Functions that reach MUSA, by themselves or by an adapter.
bool reaches_musa(const ForwardRow& row) {
  return row.decision == RowDecision::kDirect || row.decision == RowDecision::kAdapted ||
         row.decision == RowDecision::kEmulated;
}

// Whether nothing of ours stands behind the call.
bool returns_musas_status(const Tables& tables, const Output& output, const ForwardRow& row) {
  return row.decision == RowDecision::kDirect ||
         (row.decision == RowDecision::kAdapted &&
          tables.forward[output.library].status.failed.empty());
}

}  // namespace

ConditionProgram conditions_of(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                               const ConvertedEnumerations& converted) {
  return translated(tables, output, symbol, converted, false);
}

ConditionProgram conditions_by_position(const Tables& tables, const Output& output,
                                        const CudaSymbol& symbol) {
  return translated(tables, output, symbol, {}, true);
}

std::string condition_bytes(const ConditionProgram& program) {
  std::string out = "{" + std::to_string(program.arguments.size());
  for (const std::uint8_t step : program.steps) out += ", " + std::to_string(step);
  return out + "}";
}

bool asks_by_hand(const Tables& tables, const Output& output) {
  const LibraryConditions* library = library_of(tables, output);
  return library && library->emulated.empty();
}

bool is_asked_by_hand(const Tables& tables, const Output& output, const CudaSymbol& symbol,
                      const ForwardRow& row) {
  const LibraryConditions* library = library_of(tables, output);
  return asks_by_hand(tables, output) && row.decision == RowDecision::kEmulated &&
         std::ranges::any_of(library->rows, [&](const ConditionRow& item) {
           return applies(item, output, symbol.name);
         });
}

void check_conditions(const Tables& tables, const Output& output, const CudaSymbol& symbol) {
  const LibraryConditions* library = library_of(tables, output);
  const ForwardRow* row = row_of(tables.forward[output.library], symbol.name, output.abi);
  if (!library || !row || !reaches_musa(*row)) return;
  if (row->decision == RowDecision::kEmulated && !library->emulated.empty()) return;
  const bool has = !conditions_by_position(tables, output, symbol).steps.empty();
  const bool is_without = std::ranges::any_of(
      library->without,
      [&](const FunctionPattern& pattern) { return pattern.matches(symbol.name); });
  const std::string where = symbol.name + " in " + output.soname;
  if (has && returns_musas_status(tables, output, *row)) {
    throw TableError(library->place, where +
                                         " has conditions, but returns MUSA's status as it is: "
                                         "nothing asks them; name it in 'without'");
  }
  if (has != is_without) return;
  throw TableError(library->place,
                   where + (has ? " has conditions, and 'without' names it too"
                                : " may fail, and has no conditions; add a row, or name it in "
                                  "'without' and say why"));
}

std::vector<std::string> unused_conditions(const Tables& tables) {
  std::vector<std::string> out;
  const std::vector<Output> outputs = list_outputs(tables);
  const auto check = [&](const std::string& library, const FunctionPattern& pattern) {
    for (const Output& output : outputs) {
      if (output.library_name != library) continue;
      for (const CudaSymbol* symbol : exports_of(tables, output)) {
        const ForwardRow* row = row_of(tables.forward[output.library], symbol->name, output.abi);
        if (row && reaches_musa(*row) && pattern.matches(symbol->name)) return;
      }
    }
    out.emplace_back(TableError(pattern.place, "'" + pattern.text + "' matches no function of " +
                                                   library + " that reaches MUSA")
                         .what());
  };
  for (const auto& [name, library] : tables.conditions) {
    for (const ConditionRow& row : library.rows) check(name, row.functions);
    for (const FunctionPattern& pattern : library.without) check(name, pattern);
  }
  return out;
}

}  // namespace torchada
