// Suggestions for a mistyped word.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// At most `most` names close to `word`, nearest first. None if all are too different. Upper and
// lower case count as equal, and two swapped letters as one mistake.
std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names,
                                 std::size_t most);

}  // namespace torchada
