// What was measured, for run.py: one line of JSON for each number, appended to the file that the
// environment variable BENCHMARK_RESULTS names. Without it nothing is written.
#pragma once

#include <string>

#include "samples.h"

namespace bench {

struct Bound {
  double at_most = 0, at_least = 0;  // What is expected; 0 for nothing.
};

// `unit` is "ratio" or one of time. Values without samples are left out. Throws std::runtime_error
// when the file cannot be written.
void save_result(const std::string& name, const std::string& quantity, const std::string& unit,
                 const Spread& value, Bound expected = {});

}  // namespace bench
