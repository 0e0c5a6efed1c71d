#include "generator/tables/no_driver.h"

#include <algorithm>
#include <charconv>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

std::optional<int> number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const NoDriverAnswer* newest_answer(const Tables& tables, const Output& output,
                                    const std::string& symbol) {
  const auto library = tables.no_driver.find(output.library_name);
  if (library == tables.no_driver.end()) return nullptr;
  const auto answers = library->second.find(symbol);
  if (answers == library->second.end()) return nullptr;
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const NoDriverAnswer& answer : answers->second) {
      if (contains(answer.releases, *release)) return &answer;
    }
  }
  return nullptr;
}

bool is_pointer_like(const Tables& tables, const std::string& type) {
  if (type.find('*') != std::string::npos) return true;
  const CudaType* fact = tables.cuda_type(type);
  return fact && fact->variants.back().fact.kind == TypeKind::kHandle;
}

}  // namespace

NoDriverAnswers read_no_driver_answers(const std::string& file) {
  NoDriverAnswers out;
  for (const auto& [library, functions] : load_yaml(file).entries()) {
    for (const auto& [name, records] : functions.entries()) {
      for (const YamlNode& item : records.items()) {
        NoDriverAnswer answer;
        answer.releases = item.required("releases").texts();
        answer.zero = item.required("zero").text();
        answer.pages = item.text_or("pages", "");
        answer.writes = item.has("writes");
        out[library.text()][name.text()].push_back(answer);
      }
    }
  }
  return out;
}

std::optional<int> no_driver_status(const Tables& tables, const Output& output,
                                    const CudaSymbol& symbol) {
  const NoDriverAnswer* answer = newest_answer(tables, output, symbol.name);
  if (!answer || answer->writes) return std::nullopt;
  const std::optional<int> zero = number(answer->zero);
  const std::optional<int> pages = number(answer->pages);
  const Prototype* prototype = prototype_in(symbol, output);
  // Without a prototype only one call was recorded; its success says nothing.
  if (!prototype) return zero && *zero != 0 ? zero : std::nullopt;
  if (!pages || (zero && *zero != *pages)) return std::nullopt;
  const std::vector<Parameter>& parameters = prototype->parameters;
  const auto pointer_like = [&](const Parameter& parameter) {
    return is_pointer_like(tables, parameter.type);
  };
  const bool only_pointers = std::all_of(parameters.begin(), parameters.end(), pointer_like);
  const bool handle_first = !parameters.empty() && pointer_like(parameters.front());
  if (*pages == 0 ? only_pointers : (only_pointers || handle_first)) return pages;
  return std::nullopt;
}

}  // namespace torchada
