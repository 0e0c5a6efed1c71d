// Work in a process of its own: there the first call of a symbol is the first, whatever ran before,
// and a crash is a line in a report instead of the end of the test.
#pragma once

#include <functional>
#include <string>

namespace recording {

// What `work` returns, together with how the process ended if it did not end by itself.
std::string in_child(const std::function<std::string()>& work);

// Says what the child is about to do, for the report of a crash. Any thread may call it.
void announce(const std::string& step);

}  // namespace recording
