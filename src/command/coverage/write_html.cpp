// A self-contained page: counts as a table and as charts, and symbols with search and filters.
#include <nlohmann/json.hpp>

#include "coverage.h"
#include "page.h"

namespace torchada::coverage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBarHeight = 20;
constexpr int kRowHeight = 28;
constexpr int kLabelWidth = 140;
constexpr int kChartWidth = 900;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
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

std::string key() {
  std::string out = "<p>";
  for (const char* standing : kStandings) {
    out += std::string(
               "<svg class=\"key\" viewBox=\"0 0 1 1\"><rect width=\"1\" height=\"1\" "
               "class=\"") +
           standing + "\"/></svg>" + standing;
  }
  return out + "</p>\n";
}

// A bar for each library. Each standing's part is as long as its share of the library's exports.
std::string chart(const Coverage& coverage) {
  const std::size_t height = kRowHeight * coverage.libraries.size();
  std::string out =
      "<svg role=\"img\" aria-label=\"Standing of the exports of each library\" "
      "viewBox=\"0 0 " +
      std::to_string(kLabelWidth + kChartWidth) + " " + std::to_string(height) + "\">\n";
  int y = 0;
  for (const LibraryRow& row : coverage.libraries) {
    out += "<text x=\"0\" y=\"" + std::to_string(y + 15) + "\">" + escaped(row.library->soname) +
           "</text>\n";
    int done = 0;
    for (std::size_t i = 0; i < kStandings.size(); ++i) {
      const int count = row.standings[i];
      if (count == 0) continue;
      const int from = kChartWidth * done / std::max(row.real, 1);
      done += count;
      const int to = kChartWidth * done / std::max(row.real, 1);
      out += "<rect class=\"" + std::string(kStandings[i]) + "\" x=\"" +
             std::to_string(kLabelWidth + from) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
             std::to_string(to - from) + "\" height=\"" + std::to_string(kBarHeight) +
             "\"><title>" + std::to_string(count) + " of " + std::to_string(row.real) + " " +
             kStandings[i] + "</title></rect>\n";
    }
    y += kRowHeight;
  }
  return out + "</svg>\n";
}

std::string head(const char* text, bool number) {
  return std::string(number ? "<th class=\"number\">" : "<th>") + text + "</th>";
}

std::string number(const std::optional<int>& value) {
  return "<td class=\"number\">" + (value ? std::to_string(*value) : "-") + "</td>";
}

std::string counts(const Coverage& coverage) {
  std::string out = "<table id=\"counts\">\n<thead><tr>" + head("library", false) +
                    head("real", true) + head("ours", true);
  for (const char* standing : kStandings) out += head(standing, true);
  out += head("present", true) + "</tr></thead>\n<tbody>\n";
  for (const LibraryRow& row : coverage.libraries) {
    out +=
        "<tr><td>" + escaped(row.library->soname) + "</td>" + number(row.real) + number(row.ours);
    for (const int count : row.standings) out += number(count);
    out += number(row.present) + "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string selection(const char* name, const char* all,
                      const std::vector<std::pair<std::string, std::string>>& choices) {
  std::string out = std::string("<select name=\"") + name + "\" aria-label=\"" + name +
                    "\"><option value=\"\">" + all + "</option>";
  for (const auto& [value, text] : choices) {
    out += "<option value=\"" + escaped(value) + "\">" + escaped(text) + "</option>";
  }
  return out + "</select>\n";
}

std::string filters(const Coverage& coverage) {
  std::vector<std::pair<std::string, std::string>> libraries, standings;
  for (std::size_t i = 0; i < coverage.libraries.size(); ++i) {
    libraries.emplace_back(std::to_string(i), coverage.libraries[i].library->soname);
  }
  for (const char* standing : kStandings) standings.emplace_back(standing, standing);
  return "<form id=\"filters\"><input type=\"search\" name=\"search\" placeholder=\"name, target "
         "or reason\" aria-label=\"search\">\n" +
         selection("library", "all libraries", libraries) +
         selection("standing", "all standings", standings) +
         selection("present", "in MUSA or not", {{"yes", "in this MUSA"}, {"no", "not in it"}}) +
         "</form>\n<p id=\"count\"></p>\n"
         "<table id=\"symbols\">\n<thead><tr>" +
         head("library", false) + head("symbol", false) + head("standing", false) +
         head("target", false) + head("tier", false) + head("present", false) +
         head("reason", false) +
         "</tr></thead>\n<tbody></tbody>\n</table>\n"
         "<p><button id=\"more\" type=\"button\" hidden>more</button></p>\n"
         "<noscript><p>Search and filters need JavaScript.</p></noscript>\n";
}

// Arrays, because thousands of records with keys would consist mostly of keys. "<" is escaped: a
// "</script>" in a text would end the data.
std::string data(const Coverage& coverage) {
  Json out;
  out["standings"] = kStandings;
  out["libraries"] = Json::array();
  out["symbols"] = Json::array();
  for (std::size_t i = 0; i < coverage.libraries.size(); ++i) {
    const LibraryRow& row = coverage.libraries[i];
    out["libraries"].push_back(row.library->soname);
    for (const SymbolRow& symbol : row.symbols) {
      std::size_t standing = 0;
      while (standing + 1 < kStandings.size() && kStandings[standing] != symbol.symbol->standing) {
        ++standing;
      }
      out["symbols"].push_back(
          Json::array({i, symbol.symbol->name, standing, symbol.symbol->target,
                       symbol.target ? symbol.target->tier : "", presence_name(symbol.presence),
                       symbol.reason(), symbol.sources()}));
    }
  }
  std::string text = out.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

}  // namespace

std::string write_html(const Coverage& coverage) {
  return kPageHead + ("<p>MUSA at hand: " + escaped(described(coverage.musa))) +
         ". By public evidence; nothing here was measured on Moore Threads hardware.</p>\n" +
         key() + chart(coverage) + counts(coverage) + filters(coverage) +
         "<script type=\"application/json\" id=\"data\">" + data(coverage) + kPageScript;
}

}  // namespace torchada::coverage
