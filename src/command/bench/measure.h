// The measurements of torchada bench. Each runs in its own process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/command/verify/facts.h"

namespace torchada::bench {

struct Row {
  std::string name, what;  // "adapted", "cublasGetPointerMode_v2 of libcublas.so.12"
  std::string unit;        // "ns" or "us"
  std::string of;          // The row to compare with. Empty for rows that are the base themselves.
  double median = 0;
  std::size_t samples = 0;
  std::string missing;  // Why it could not be measured.
};

// `musart` is the MUSA for all measurements, `root` is torchada's. Takes `rounds` samples of each,
// in turn, so that a busy moment affects all alike.
std::vector<Row> measure(const std::string& root, const std::string& musart,
                         const verify::Facts& facts, int rounds);

}  // namespace torchada::bench
