// The result for one fact.
#pragma once

#include <string>
#include <vector>

namespace torchada::verify {

enum class Verdict {
  kConfirmed,
  kContradicted,
  kAbsent,     // An assumed symbol that does not exist.
  kNotProbed,  // `found` gives the reason.
};

const char* verdict_name(Verdict verdict);  // "confirmed", "contradicted", "absent", "not probed"

struct Outcome {
  std::string id;
  Verdict verdict = Verdict::kNotProbed;
  std::string expected, found;
  std::string probe;                  // The probe that decided.
  std::vector<std::string> rests_on;  // Facts taken for granted, such as enumerators passed.
};

}  // namespace torchada::verify
