// Runs probes in child processes, several at a time, each with its own time.
#pragma once

#include <functional>
#include <vector>

#include "outcome.h"
#include "probe.h"

namespace torchada::verify {

// What came of one probe, crash and hang included.
struct ProbeEnd {
  std::vector<Outcome> outcomes;
  std::string broken;  // "ended with signal 11 (Segmentation fault)"; empty where it ended well.
};

// In the order of `probes`. `timeout` is in seconds, for each. `step` is called as each ends.
std::vector<ProbeEnd> run_probes(const std::vector<Probe>& probes, const Facts& facts,
                                 const MusaFiles& files, int jobs, int timeout,
                                 const std::function<void()>& step);

}  // namespace torchada::verify
