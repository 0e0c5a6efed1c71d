#pragma once

#include <string_view>

namespace torchada {

// Writes all of `text`, in one write() if the system allows. False if it cannot be written. Waits
// at most a second for a reader.
bool write_all(int descriptor, std::string_view text);

// The same for files that are not pipes or sockets and so cannot raise SIGPIPE: saves the calls
// that suppress the signal.
bool write_all_to_file(int descriptor, std::string_view text);

}  // namespace torchada
