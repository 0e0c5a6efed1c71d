// Standard output: written in one go, with errors noticed; colour only for people.
#pragma once

#include <string>
#include <string_view>

namespace torchada {

// To be called first: a standard stream that is closed must not be given to the next file that is
// opened. Programs that are started later find it closed, as it was.
void occupy_closed_streams();

// Writes to standard output and returns `status`, or kExitFailed after a line on stderr where it
// cannot be written (closed, full, nobody reads).
int write_output(std::string_view text, int status);

// Whether standard output is a terminal that shows colours, and NO_COLOR is not set.
bool use_colour();

enum class Colour { kPlain, kBold, kGreen, kYellow, kRed, kDim };
// `text` in a colour, where use_colour().
std::string coloured(const std::string& text, Colour colour);

}  // namespace torchada
