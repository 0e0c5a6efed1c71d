// The file that TORCHADA_LOG_FILE names: %p in it is the process, %h the host, %% a percent sign. A
// path that is not absolute counts from the folder in which the process was when the first line
// came.
//
// The file is opened for each line. There are few of them, and so the child of a fork has its own,
// a file that was moved away begins anew, and a program that closes all descriptors loses nothing.
#pragma once

#include <string_view>

#include "environment.h"

namespace torchada {

bool has_log_file();

// Appends one line with time, process, thread, level and library. False where that cannot be done,
// which is said once on stderr.
bool log_to_file(LogLevel level, const char* library, std::string_view text);

}  // namespace torchada
