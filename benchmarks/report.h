// The table after the benchmarks: designs compared with direct calls.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/samples.h"

namespace bench {

struct Row {
  std::string design;
  std::string title;
  bool is_ours;  // Compared with the expectations.
};

void write_table(const Samples& samples, const std::vector<Row>& rows, std::ostream& out);

}  // namespace bench
