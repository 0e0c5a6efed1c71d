// The measurements of torchada bench, each in a process of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "verify/facts.h"

namespace torchada::bench {

struct Row {
  std::string name, what;  // "adapted", "cublasGetPointerMode_v2 of libcublas.so.12"
  std::string unit;        // "ns" or "us"
  std::string of;          // The row that ratios are to; empty for those themselves.
  double median = 0;
  std::size_t samples = 0;
  std::string missing;  // Why there is none.
};

// `musart` is the MUSA that all of them use, `root` torchada's own. `rounds` samples of each, one
// after the other, so that a busy moment hits all alike.
std::vector<Row> measure(const std::string& root, const std::string& musart,
                         const verify::Facts& facts, int rounds);

}  // namespace torchada::bench
