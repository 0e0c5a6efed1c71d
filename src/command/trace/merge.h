// Traces of several processes, merged by time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace torchada::trace {

struct Merged {
  std::vector<nlohmann::ordered_json> records;  // As the companion writes them in lines, by time.
  std::vector<nlohmann::ordered_json> events;   // Of files in Chrome's format, by time.
};

// Reads files of either format. Throws Failure naming file and line. A last line that was cut off
// when its process was killed is left out, with a warning. With files of several machines the
// times become those of the wall clocks.
Merged merge(const std::vector<std::string>& files);

// A record as an event of Chrome's format.
nlohmann::ordered_json chrome_event(const nlohmann::ordered_json& record);

// A record for people: one line, with a line feed.
std::string text_line(const nlohmann::ordered_json& record);

// Totals of all calls: a table, or one object.
std::string summary_of(const Merged& merged, bool as_json);

}  // namespace torchada::trace
