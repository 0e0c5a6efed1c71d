// Adds a block of our lines to a user's file, and removes it so that the rest is unchanged.
#pragma once

#include <string>

namespace torchada::activate {

// Returns `text` with `lines` between marks: in place of our present block, or else at the end. If
// `text` is empty, a new mark remembers whether the file existed (`is_there`). Throws Failure,
// naming `file` and the line, if a block has no end.
std::string with_block(const std::string& text, const std::string& lines, const std::string& file,
                       bool is_there);

// Whether the marks in `text` say that the file existed and was empty before.
bool was_empty_before(const std::string& text);

// Returns `text` without our blocks, or unchanged if it has none. Throws Failure like with_block().
std::string without_block(const std::string& text, const std::string& file);

}  // namespace torchada::activate
