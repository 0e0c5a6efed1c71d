// Merges traces of several processes by time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace torchada::trace {

struct Merged {
  std::vector<nlohmann::ordered_json> records;  // In the companion's line format, sorted by time.
  std::vector<nlohmann::ordered_json> events;   // From files in Chrome's format, sorted by time.
};

// Reads files of either format. Throws Failure naming file and line. If a process was killed, drops
// its incomplete last line with a warning. With files from several machines, converts all times to
// wall clock time.
Merged merge(const std::vector<std::string>& files);

// A record in Chrome's event format.
nlohmann::ordered_json chrome_event(const nlohmann::ordered_json& record);

// A record as readable text: one line, with a line feed.
std::string text_line(const nlohmann::ordered_json& record);

// Totals of all calls: a table, or one JSON object.
std::string summary_of(const Merged& merged, bool as_json);

}  // namespace torchada::trace
