// mappings/cuda/no_driver.yaml: what every function of the real libraries returns on a machine
// without a driver. Recorded by tests/no_musa.
#pragma once

#include <optional>

#include "generator/tables/tables.h"

namespace torchada {

NoDriverAnswers read_no_driver_answers(const std::string& file);

// The status that a symbol returns without a driver, if the record is clear: the same for null and
// for valid pointers, nothing written, and not caused by sizes of zero, which a real call would not
// have. Empty if it is not clear or nothing is recorded.
std::optional<int> no_driver_status(const Tables& tables, const Output& output,
                                    const CudaSymbol& symbol);

}  // namespace torchada
