// Standard output: written in one go, with errors checked; colour only on terminals.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace torchada {

// Call this first: otherwise the next file opened would take the place of a closed standard stream.
// Programs started later still find that stream closed.
void occupy_closed_streams();

// Writes to standard output. Returns `status`, or kExitFailed with a line on stderr if the output
// cannot be written (closed, disk full, no reader).
int write_output(std::string_view text, int status);

// Whether standard output is a terminal with colours and NO_COLOR is unset.
bool use_colour();

enum class Colour { kPlain, kBold, kGreen, kYellow, kRed, kDim };
// `text`, escaped (src/shared/printable.h), in a colour, if use_colour().
std::string coloured(const std::string& text, Colour colour);

// A document in JSON, indented, with a newline at its end. Characters outside ASCII are escaped:
// names from files and devices may hold some that a terminal or a reader takes for something else.
std::string json_text(const nlohmann::ordered_json& document);

// Makes spdlog write "torchada: TEXT" to standard error, escaped.
void set_up_messages();

}  // namespace torchada
