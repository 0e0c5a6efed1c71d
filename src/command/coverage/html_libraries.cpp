// How the exports of each library stand: bars, and a table. They need no script.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "src/command/coverage/html.h"

namespace torchada::coverage::html {
namespace {

// The end of the page's address that lists functions of a library; search.js reads it.
std::string address(const LibraryRow& row, const std::string& standing) {
  std::string out = "#library=";
  for (const char c : row.library->soname.view()) {
    const auto byte = static_cast<unsigned char>(c);
    char coded[4] = {c, 0};
    if (std::isalnum(byte) == 0 && c != '.' && c != '-' && c != '_') {
      std::snprintf(coded, sizeof coded, "%%%02X", byte);
    }
    out += coded;
  }
  return out + (standing.empty() ? "" : "&amp;standing=" + standing);
}

std::string percent(int part, int whole) {
  char out[16];
  std::snprintf(out, sizeof out, "%.3f%%", 100.0 * part / std::max(whole, 1));
  return out;
}

std::string of_all(int count, const LibraryRow& row, const char* standing) {
  return std::to_string(count) + " of " + std::to_string(row.real) + " " + standing;
}

std::string bar(const LibraryRow& row) {
  std::string label, parts;
  int done = 0;
  for (std::size_t i = 0; i < kStandingNames.size(); ++i) {
    const int count = row.standings[i];
    if (count == 0) continue;
    label += ", " + of_all(count, row, kStandingNames[i]);
    parts += "<rect class=\"" + std::string(kStandingNames[i]) + "\" x=\"" +
             percent(done, row.real) + "\" width=\"" + percent(count, row.real) +
             "\" height=\"100%\"><title>" + of_all(count, row, kStandingNames[i]) +
             "</title></rect>\n";
    done += count;
  }
  return "<svg class=\"bar\" role=\"img\" aria-label=\"" + escaped(row.library->soname + label) +
         "\">\n" + parts + "</svg>\n";
}

std::string counts(const LibraryRow& row) {
  std::string out = "<ul class=\"counts\">\n";
  for (std::size_t i = 0; i < kStandingNames.size(); ++i) {
    const std::string name = kStandingNames[i];
    if (row.standings[i] == 0) continue;
    out += "<li><a href=\"" + address(row, name) +
           "\"><svg class=\"swatch\" aria-hidden=\"true\"><rect class=\"" + name +
           "\" width=\"100%\" height=\"100%\"></rect></svg>" + std::to_string(row.standings[i]) +
           " " + name + "</a></li>\n";
  }
  return out + "</ul>\n";
}

std::string major(const LibraryRow& row) {
  std::string abi;
  for (const int number : row.library->majors) {
    abi += (abi.empty() ? "CUDA " : ", ") + std::to_string(number);
  }
  const std::string who = row.library->who_finds_it();
  return "<div class=\"major\">\n<p><a href=\"" + address(row, "") + "\"><strong>" + abi +
         "</strong> " + escaped(row.library->soname) + "</a> <span>" + std::to_string(row.real) +
         " functions</span></p>\n" + (who.empty() ? "" : "<p>" + escaped(who) + "</p>\n") +
         bar(row) + counts(row) + "</div>\n";
}

// "libcudart" of libcudart.so.12.
std::string stem(const std::string& soname) { return soname.substr(0, soname.find(".so")); }

std::string number(const std::optional<int>& value) {
  return "<td>" + (value ? std::to_string(*value) : "-") + "</td>";
}

}  // namespace

std::string libraries(const Coverage& coverage) {
  std::string out;
  const tables::Text* name = nullptr;
  for (const LibraryRow& row : coverage.libraries) {
    if (name == nullptr || *name != row.library->name) {
      out += std::string(name == nullptr ? "" : "</article>\n") +
             "<article class=\"library\">\n<h3>" + escaped(stem(row.library->soname)) + "</h3>\n";
    }
    name = &row.library->name;
    out += major(row);
  }
  return out + (name == nullptr ? "" : "</article>\n");
}

std::string numbers(const Coverage& coverage) {
  std::string out = "<table id=\"counts\">\n<thead><tr>";
  const auto head = [&](const char* text) {
    out += std::string("<th scope=\"col\">") + text + "</th>";
  };
  for (const char* text : {"library", "NVIDIA", "torchada"}) head(text);
  for (const char* standing : kStandingNames) head(standing);
  head("in this MUSA");
  out += "</tr></thead>\n<tbody>\n";
  for (const LibraryRow& row : coverage.libraries) {
    out += "<tr><th scope=\"row\">" + escaped(row.library->soname) + "</th>" + number(row.real) +
           number(row.ours);
    for (const int count : row.standings) out += number(count);
    out += number(row.present) + "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

}  // namespace torchada::coverage::html
