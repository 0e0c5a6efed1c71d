// The report that users send back (JSON; described in mappings/musa/reports/README.md), and the
// text for a terminal.
#pragma once

#include <string>

#include "src/command/verify/judge.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {

struct Subject {
  MusaFiles files;
  Host host;
  bool is_stand_in = false;  // By version.json or by a device's name.
  std::string date;          // UTC, "2026-11-21T12:00:00Z"
  std::string no_device;     // Why only the files were checked. Empty if there is a device.
  struct Turn {
    std::string probe;
    int filled = 0;  // As ProbeUse of src/shared/records.h.
    int programs = 0;
    bool ran = false;  // To its end.
  };
  std::vector<Turn> order;   // The probes in the order in which they were started.
  std::size_t left_out = 0;  // Probes that the time limit left out.
};

// One line for each fact. Names no host, no folder, no user and no serial number.
std::string write_report(const Subject& subject, const Judgements& judgements);
std::string write_text(const Subject& subject, const Judgements& judgements, bool all);

}  // namespace torchada::verify
