#include "generator/tables/client_ranking.h"

#include <charconv>
#include <fstream>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {

std::vector<RankedSymbol> read_client_ranking(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw TableError({file, 0}, "file not found");
  std::vector<RankedSymbol> out;
  std::set<std::string> seen;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (number == 1 && line == "library,symbol,clients") continue;
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      throw TableError({file, number}, "expected LIBRARY,SYMBOL,CLIENTS");
    }
    RankedSymbol row{line.substr(0, first), line.substr(first + 1, second - first - 1), 0};
    const char* const end = line.data() + line.size();
    const auto parsed = std::from_chars(line.data() + second + 1, end, row.clients);
    if (parsed.ptr != end || row.clients <= 0 || row.library.empty() || row.symbol.empty()) {
      throw TableError({file, number}, "expected LIBRARY,SYMBOL,CLIENTS");
    }
    if (!out.empty() && out.back().clients < row.clients) {
      throw TableError({file, number},
                       "rows are out of order; expected the most used symbol first");
    }
    if (!seen.insert(row.library + "," + row.symbol).second) {
      throw TableError({file, number}, "'" + row.symbol + "' appears twice");
    }
    out.push_back(row);
  }
  return out;
}

}  // namespace torchada
