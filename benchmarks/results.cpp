#include "benchmarks/results.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bench {

void save_result(const std::string& name, const std::string& quantity, const std::string& unit,
                 const Spread& value, Bound expected) {
  const char* path = std::getenv("BENCHMARK_RESULTS");
  if (!path || value.count == 0) return;
  nlohmann::json line = {{"name", name},           {"quantity", quantity}, {"unit", unit},
                         {"median", value.median}, {"low", value.low},     {"high", value.high},
                         {"samples", value.count}};
  if (expected.at_most != 0) line["at_most"] = expected.at_most;
  if (expected.at_least != 0) line["at_least"] = expected.at_least;
  std::ofstream out(path, std::ios::app);
  out << line.dump() + "\n" << std::flush;
  if (!out) throw std::runtime_error(std::string("cannot write ") + path);
}

}  // namespace bench
