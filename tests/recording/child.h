// Runs work in a new process: the first call of a symbol there is the first ever, whatever ran
// before, and a crash is a line in a report instead of the end of the test.
#pragma once

#include <functional>
#include <string>

namespace recording {

// Returns what `work` returns, and how the process ended if it did not end normally.
std::string in_child(const std::function<std::string()>& work);

// Says what the child does next, for the report of a crash. Any thread may call it.
void announce(const std::string& step);

}  // namespace recording
