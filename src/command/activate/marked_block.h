// Lines of ours in a file of the user's: put in once, and taken out so that the rest is as it was.
#pragma once

#include <string>

namespace torchada::activate {

// `text` with `lines` between marks, in the place of those that it has or else at its end; a new
// mark remembers of an empty `text` whether the file `is_there`. Throws Failure, naming `file` and
// the line, where a block has no end.
std::string with_block(const std::string& text, const std::string& lines, const std::string& file,
                       bool is_there);

// Whether the marks in `text` say that the file was there, empty, before them.
bool was_empty_before(const std::string& text);

// `text` without them; the same text where there are none. Throws as above.
std::string without_block(const std::string& text, const std::string& file);

}  // namespace torchada::activate
