#include "tests/recording/decisions.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace recording {

std::vector<Decision> read_decisions(const std::string& file, const std::string& label) {
  std::ifstream in(file);
  std::vector<Decision> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string owner;
    Decision decision;
    if (!(words >> owner >> decision.cuda >> decision.decision >> decision.musa >> std::ws) ||
        !std::getline(words, decision.returns)) {
      throw std::runtime_error(file + ": not five columns: " + line);
    }
    if (decision.musa == "-") decision.musa.clear();
    if (owner == label) out.push_back(decision);
  }
  if (out.empty()) throw std::runtime_error(file + ": nothing about " + label);
  return out;
}

}  // namespace recording
