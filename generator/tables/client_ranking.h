// mappings/clients.csv: which functions programs use most.
#pragma once

#include <string>
#include <vector>

namespace torchada {

struct RankedSymbol {
  std::string library;  // cudart, cublas, ...
  std::string symbol;
  int clients = 0;  // Number of programs that use it.
};

// Most used first. Throws TableError for a malformed line, a row out of order, or a duplicate name.
std::vector<RankedSymbol> read_client_ranking(const std::string& file);

}  // namespace torchada
