// The table after the benchmarks: designs against direct calls.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "samples.h"

namespace bench {

struct Row {
  std::string design;
  std::string title;
  bool is_ours;  // Held against the expectations.
};

void write_table(const Samples& samples, const std::vector<Row>& rows, std::ostream& out);

}  // namespace bench
