// Runs probes in child processes, several at a time, each with its own time limit.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "src/command/verify/outcome.h"
#include "src/command/verify/probe.h"

namespace torchada::verify {

// The result of one probe, even if it crashed or hung.
struct ProbeEnd {
  std::vector<Outcome> outcomes;
  std::string broken;  // "ended with signal 11 (Segmentation fault)". Empty after a normal end.
  bool is_left_out = false;  // Not started, because the time was up.
};

struct Limits {
  int jobs = 1;      // Probes at the same time.
  int timeout = 10;  // Seconds for each probe.
  std::chrono::steady_clock::time_point last_start = std::chrono::steady_clock::time_point::max();
};

// Results come in the order of `probes`. Calls `step` whenever a probe ends.
std::vector<ProbeEnd> run_probes(const std::vector<Probe>& probes, const Facts& facts,
                                 const MusaFiles& files, const Limits& limits,
                                 const std::function<void()>& step);

}  // namespace torchada::verify
