// The parts of the HTML page that come from the tables.
#pragma once

#include <string>

#include "src/command/coverage/coverage.h"

namespace torchada::coverage::html {

std::string escaped(const std::string& text);  // For text and quoted attributes.

// JSON inside <script>: no "</script>" in a text can end it.
std::string script_safe(const std::string& json);

// A block for each library, with a bar for each of its majors.
std::string libraries(const Coverage& coverage);

// The counts as a table.
std::string numbers(const Coverage& coverage);

// The fields that narrow the search.
std::string filters(const Coverage& coverage);

// The symbols as JSON; functions.js reads it.
std::string data(const Coverage& coverage);

}  // namespace torchada::coverage::html
