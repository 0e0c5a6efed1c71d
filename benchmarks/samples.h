// All single measurements of a run, by design and quantity, and their summary.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Spread {
  double low, median, high;  // Quartiles; zero if there is no sample.
  std::size_t count;
};

class Samples {
 public:
  void add(const std::string& design, const std::string& quantity, double value);
  bool empty() const { return values_.empty(); }
  Spread spread(const std::string& design, const std::string& quantity) const;

 private:
  std::map<std::pair<std::string, std::string>, std::vector<double>> values_;
};

}  // namespace bench
