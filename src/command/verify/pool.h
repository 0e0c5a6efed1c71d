// Runs probes in child processes, several at a time, each with its own time limit.
#pragma once

#include <functional>
#include <vector>

#include "src/command/verify/outcome.h"
#include "src/command/verify/probe.h"

namespace torchada::verify {

// The result of one probe, even if it crashed or hung.
struct ProbeEnd {
  std::vector<Outcome> outcomes;
  std::string broken;  // "ended with signal 11 (Segmentation fault)". Empty after a normal end.
};

// Results come in the order of `probes`. `timeout` is in seconds for each probe. Calls `step`
// whenever one ends.
std::vector<ProbeEnd> run_probes(const std::vector<Probe>& probes, const Facts& facts,
                                 const MusaFiles& files, int jobs, int timeout,
                                 const std::function<void()>& step);

}  // namespace torchada::verify
