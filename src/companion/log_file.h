// The file that TORCHADA_LOG_FILE names: %p stands for the process, %h for the host, %% for a
// percent sign. A relative path is relative to the working directory at the time of the first line.
//
// The file is opened for each line. There are few lines, and this way a child of fork() has its own
// file, a file that was moved away is created anew, and a program that closes all descriptors loses
// nothing.
#pragma once

#include <string_view>

#include "src/shared/log_level.h"

namespace torchada {

bool has_log_file();

// Appends one line with time, process, thread, level and library. Returns false on failure, which
// is reported once on stderr.
bool log_to_file(LogLevel level, const char* library, std::string_view text);

}  // namespace torchada
