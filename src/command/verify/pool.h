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
  bool is_left_out = false;  // Not started or not finished, because the time was up.
};

struct Limits {
  using Time = std::chrono::steady_clock::time_point;

  int jobs = 1;            // Probes at the same time.
  int timeout = 10;        // Seconds for each probe.
  Time end = Time::max();  // No probe runs longer.
};

// The indexes of the probes, in the order in which they start: those first on whose facts most
// programs rest.
std::vector<std::size_t> order_by_use(const std::vector<Probe>& probes, const Facts& facts);

// Results come in the order of `probes`. Calls `step` whenever a probe ends.
std::vector<ProbeEnd> run_probes(const std::vector<Probe>& probes, const Facts& facts,
                                 const MusaFiles& files, const Limits& limits,
                                 const std::function<void()>& step);

}  // namespace torchada::verify
