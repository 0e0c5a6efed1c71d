// Results for run.py: one line of JSON for each number, appended to the file that the environment
// variable BENCHMARK_RESULTS names. Without the variable nothing is written.
#pragma once

#include <string>

#include "benchmarks/samples.h"

namespace bench {

struct Bound {
  double at_most = 0, at_least = 0;  // The expected bounds; 0 for none.
};

// `unit` is "ratio" or a unit of time. Values without samples are omitted. Throws
// std::runtime_error if the file cannot be written.
void save_result(const std::string& name, const std::string& quantity, const std::string& unit,
                 const Spread& value, Bound expected = {});

}  // namespace bench
