// Reads documented conditions for the tests, by an evaluator of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace adapters {

// The value of an expression such as "lda >= max(1, m)"; 1 or 0 for a comparison. `value_of` gives
// the value of a name. Throws std::runtime_error for what is no expression.
std::int64_t evaluate(const std::string& text,
                      const std::function<std::int64_t(const std::string&)>& value_of);

}  // namespace adapters
