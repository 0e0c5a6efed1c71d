// What a mistyped word may have meant.
#pragma once

#include <string>
#include <vector>

namespace torchada {

// The names closest to `word`, nearest first, at most `most` of them; none where all are far away.
// Upper and lower case count as equal, and two letters the wrong way round as one mistake.
std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names,
                                 std::size_t most);

}  // namespace torchada
