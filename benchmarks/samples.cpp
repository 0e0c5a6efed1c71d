#include "benchmarks/samples.h"

#include <algorithm>

namespace bench {

void Samples::add(const std::string& design, const std::string& quantity, double value) {
  values_[{design, quantity}].push_back(value);
}

Spread Samples::spread(const std::string& design, const std::string& quantity) const {
  const auto found = values_.find({design, quantity});
  if (found == values_.end()) return {0, 0, 0, 0};
  std::vector<double> sorted = found->second;
  std::sort(sorted.begin(), sorted.end());
  const auto at = [&](std::size_t quarters) { return sorted[(sorted.size() - 1) * quarters / 4]; };
  return {at(1), at(2), at(3), sorted.size()};
}

}  // namespace bench
