// The two logs, the application's and the backend's, and how they are compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recording.h"

namespace recording {

struct LoggedCall {
  std::string cuda;  // What the application called; empty in the backend's log.
  std::string musa;  // What received it, or by the application: what should.
  recording_exchange exchange;
};

using CallLog = std::vector<LoggedCall>;

// What the backend received from `thread`, without version probes.
CallLog backend_log(std::uint64_t thread);
// The same from all threads.
CallLog backend_log();

// The log as text, one line per call.
std::string format_call(const LoggedCall& call);

// Empty where the logs are equal line by line, otherwise one line per difference.
std::string difference(const CallLog& application, const CallLog& backend);

}  // namespace recording
