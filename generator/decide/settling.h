// What would settle an assumption: the fact that is missing, and the probe of torchada verify that
// decides it.
#pragma once

#include <string>

#include "generator/decide/compare.h"
#include "generator/tables/fact_list.h"

namespace torchada {

struct Settled {
  std::string fact;      // Its name (fact_list.h). Empty if the tables list no such fact.
  std::string probe;     // Empty if none decides it.
  std::string none_for;  // Why none does.
};

class Settling {
 public:
  explicit Settling(const Tables& tables) : tables_(tables), names_(tables) {}
  Settled by(const WeakFact& missing) const;

 private:
  const Tables& tables_;
  const FactNames names_;
};

}  // namespace torchada
