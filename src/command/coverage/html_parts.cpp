#include <nlohmann/json.hpp>

#include "src/command/coverage/html.h"
#include "src/shared/printable_string.h"

namespace torchada::coverage::html {
namespace {

using Json = nlohmann::ordered_json;

std::string option(const std::string& value, const std::string& text) {
  return "<option value=\"" + escaped(value) + "\">" + escaped(text) + "</option>";
}

std::string selection(const std::string& name, const std::string& label, const std::string& all,
                      const std::string& options) {
  return "<p><label for=\"" + name + "\">" + label + "</label><select id=\"" + name + "\" name=\"" +
         name + "\">" + option("", all) + options + "</select></p>\n";
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_safe(const std::string& json) {
  std::string out;
  for (const char c : json) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

std::string filters(const Coverage& coverage) {
  std::string sonames, standings;
  for (const LibraryRow& row : coverage.libraries) {
    sonames += option(row.library->soname, row.library->soname);
  }
  for (const char* standing : kStandingNames) standings += option(standing, standing);
  return selection("library", "Library", "all", sonames) +
         selection("standing", "Standing", "all", standings) +
         selection("present", "In this MUSA", "all", option("yes", "yes") + option("no", "no"));
}

// Lists, because thousands of objects with names would be mostly names.
std::string data(const Coverage& coverage) {
  Json out;
  out["standings"] = kStandingNames;
  out["libraries"] = Json::array();
  out["symbols"] = Json::array();
  for (std::size_t i = 0; i < coverage.libraries.size(); ++i) {
    const LibraryRow& row = coverage.libraries[i];
    out["libraries"].push_back(row.library->soname);
    for (const SymbolRow& symbol : row.symbols) {
      out["symbols"].push_back(
          Json::array({i, symbol.symbol->name, static_cast<int>(symbol.symbol->standing),
                       symbol.symbol->target, symbol.target ? symbol.target->tier.view() : "",
                       presence_name(symbol.presence), symbol.reason(), symbol.sources()}));
    }
  }
  return out.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace torchada::coverage::html
