// What became of one fact.
#pragma once

#include <string>
#include <vector>

namespace torchada::verify {

enum class Verdict {
  kConfirmed,
  kContradicted,
  kAbsent,     // A symbol that is no more than assumed, and is not there.
  kNotProbed,  // `found` says why.
};

const char* verdict_name(Verdict verdict);  // "confirmed", "contradicted", "absent", "not probed"

struct Outcome {
  std::string id;
  Verdict verdict = Verdict::kNotProbed;
  std::string expected, found;
  std::string probe;                  // Which one told.
  std::vector<std::string> rests_on;  // Facts that were taken for granted: enumerators passed.
};

}  // namespace torchada::verify
