#include <algorithm>

#include "src/command/coverage/coverage.h"
#include "src/command/output.h"

namespace torchada::coverage {
namespace {

Colour colour_of(const std::string& standing) {
  if (standing == "supported" || standing == "emulated") return Colour::kGreen;
  if (standing == "unsupported") return Colour::kRed;
  return Colour::kYellow;
}

std::string left(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string number_or_dash(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "-";
}

std::string counts(const Coverage& coverage) {
  std::string head = left("library", 20);
  for (const char* column : {"real", "ours"}) head += right(column, 7);
  for (const char* standing : kStandingNames) head += right(standing, 13);
  std::string out = coloured(head + right("present", 9), Colour::kBold) + "\n";
  for (const LibraryRow& row : coverage.libraries) {
    out += left(row.library->soname, 20) + right(std::to_string(row.real), 7) +
           right(number_or_dash(row.ours), 7);
    for (std::size_t i = 0; i < kStandingNames.size(); ++i) {
      out += coloured(right(std::to_string(row.standings[i]), 13),
                      row.standings[i] == 0 ? Colour::kDim : colour_of(kStandingNames[i]));
    }
    out += right(number_or_dash(row.present), 9) + "\n";
  }
  for (const LibraryRow& row : coverage.libraries) {
    const std::string who = row.library->who_finds_it();
    if (!who.empty()) out += "\n" + row.library->file() + ": " + who + "\n";
  }
  return out;
}

std::string symbol_lines(const SymbolRow& row, bool ranked) {
  std::string where;
  if (row.target != nullptr) {
    where = row.target->name + " (" + row.target->tier + ")";
  } else {
    where = row.symbol->target;
  }
  if (row.presence == Presence::kMissing)
    where += where.empty() ? "not in this MUSA" : ", not in this MUSA";
  // Pad only if something follows, because lines must not end with spaces.
  const std::string name = standing_name(row.symbol->standing);
  const std::string standing = where.empty() ? name : left(name, 13);
  const std::string rank = row.symbol->rank == 0 ? "" : std::to_string(row.symbol->rank) + ". ";
  std::string out = "  " + left(ranked ? rank + row.symbol->name : row.symbol->name, 44) + " " +
                    coloured(standing, colour_of(name)) + where;
  const std::string reason = row.reason();
  if (!reason.empty()) out += "\n      " + coloured(reason, Colour::kDim);
  if (!row.symbol->settled_by().empty()) {
    out += "\n      " + coloured("settled by: " + row.symbol->settled_by(), Colour::kDim);
  }
  const std::string sources = row.sources();
  if (!sources.empty()) out += "\n      " + coloured("source: " + sources, Colour::kDim);
  return out + "\n";
}

}  // namespace

std::string write_text(const Coverage& coverage, bool symbols, bool ranked) {
  std::string out = described(coverage.musa) + "\n\n" + counts(coverage);
  if (symbols) {
    for (const LibraryRow& row : coverage.libraries) {
      if (row.symbols.empty()) continue;
      out += "\n" + coloured(row.library->soname, Colour::kBold) + "\n";
      for (const SymbolRow& symbol : row.symbols) out += symbol_lines(symbol, ranked);
    }
  }
  return out;
}

}  // namespace torchada::coverage
