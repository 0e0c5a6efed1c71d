// share/check.tsv: what torchada check looks up, and nothing else. It is made from
// share/tables.json, whose reading takes longer than examining a small program.
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "generator/emit/emit.h"

namespace torchada {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCheckFormat = 1;  // Raise it when an older reader would misunderstand the file.

std::string column(const std::string& text) {
  if (text.find_first_of("\t\n") != std::string::npos) {
    throw std::runtime_error("share/check.tsv: a tab or a line break in \"" + text + "\"");
  }
  return text;
}

std::string text_of(const Json& record, const char* key) {
  return column(record.value(key, std::string()));
}

// The enumerators that adapters refuse, with the reason. One that has another number in another
// release counts the others, as ncclNumTypes does; no call takes it.
std::map<std::string, std::string> refused_in(const Json& types) {
  std::map<std::string, std::string> out;
  for (const Json& type : types) {
    std::map<std::string, std::set<std::int64_t>> numbers;
    for (const Json& value : type.at("values")) {
      numbers[value.at("name")].insert(value.at("value").get<std::int64_t>());
    }
    for (const Json& value : type.at("values")) {
      const std::string name = text_of(value, "name");
      if (value.contains("refused") && numbers[name].size() == 1) {
        out[name] = text_of(value, "refused");
      }
    }
  }
  return out;
}

// What check must know of a decision.
std::string decision_of(const Json& symbol) {
  if (symbol.contains("brings_code")) return "brings_code";
  const std::string decision = text_of(symbol, "decision");
  const bool is_served = decision == "no_image" && symbol.contains("kernel_libraries");
  return is_served ? "launches" : decision;
}

}  // namespace

std::string emit_check_table(const std::string& command_tables) {
  const Json tables = Json::parse(command_tables);
  std::ostringstream out;
  out << "#torchada-check\t" << kCheckFormat << "\n";
  for (const Json& library : tables.at("libraries")) {
    out << "#library\t" << text_of(library, "library") << "\t" << text_of(library, "soname")
        << "\t";
    const char* separator = "";
    for (const Json& major : library.at("majors")) {
      out << separator << major.get<int>();
      separator = ",";
    }
    out << "\n";
    for (const Json& symbol : library.at("symbols")) {
      const std::string reason = text_of(symbol, "reason");
      out << text_of(symbol, "name") << "\t" << text_of(symbol, "standing") << "\t"
          << decision_of(symbol) << "\t" << (reason.empty() ? text_of(symbol, "why") : reason)
          << "\n";
    }
  }
  out << "#refused\n";
  for (const auto& [name, why] : refused_in(tables.at("types"))) out << name << "\t" << why << "\n";
  out << "#end\n";
  return out.str();
}

}  // namespace torchada
