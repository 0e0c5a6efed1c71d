// Whole files.
#pragma once

#include <string>

namespace host_mtrtc {

// Both return false on failure; last_error() then tells why.
bool write_file(const std::string& path, const std::string& text);
bool read_file(const std::string& path, std::string* text);
std::string last_error();  // of errno

}  // namespace host_mtrtc
