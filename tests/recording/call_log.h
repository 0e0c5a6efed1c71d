// The logs of the application and the backend, and their comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/recording/recording.h"

namespace recording {

struct LoggedCall {
  std::string cuda;  // What the application called; empty in the backend's log.
  std::string musa;  // What received the call; in the application's log, what should.
  recording_exchange exchange;
};

using CallLog = std::vector<LoggedCall>;

// What the backend received from `thread`, without version queries.
CallLog backend_log(std::uint64_t thread);
// The same from all threads.
CallLog backend_log();

// The log as text, one line per call.
std::string format_call(const LoggedCall& call);

// Empty if the logs are equal line by line, otherwise one line per difference.
std::string difference(const CallLog& application, const CallLog& backend);

}  // namespace recording
