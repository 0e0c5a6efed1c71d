// The two forms of mthreads-gmi's answer. They are those of the real command's public output:
//   the table  vllm-project/vllm-omni pull request 2337 and musatop 0.2.1 on PyPI
//              (tests/fixtures/gmi_x10000_process.txt), both of SDKs since 4.3
//   JSON       musatop 0.2.1 (tests/fixtures/gmi_query.json). Only what libmtml tells is in it.
#pragma once

#include <string>
#include <vector>

#include "src/host/gmi/device.h"
#include "src/host/gmi/processes.h"

namespace gmi {

// `now` is the time as the command writes it.
std::string table(const Machine& machine, const std::vector<Process>& processes,
                  const std::string& now);
std::string json(const Machine& machine, const std::string& now);

}  // namespace gmi
