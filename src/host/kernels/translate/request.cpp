#include "src/host/kernels/translate/request.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <span>
#include <sstream>
#include <string_view>

#include "src/host/shared/cpu_level.h"
#include "src/shared/processor_count.h"

namespace kernels {
namespace {

// SIGTERM lets this process end the compilers and remove its folder.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(EXIT_FAILURE);
}

}  // namespace

unsigned int Request::cuda_arch() const {
  unsigned int least = 700;
  std::set<unsigned int> all;
  for (const std::string& flag : flags) {
    std::istringstream value(flag.substr(flag.find('=') + 1));
    if (flag.starts_with("-D__CUDA_ARCH__=")) value >> least;
    const bool is_list = flag.starts_with("-D__CUDA_ARCH_LIST__=");
    for (unsigned int number = 0; is_list && value >> number; value.ignore()) all.insert(number);
  }
  const auto found = all.lower_bound(least);
  return all.empty() ? least : found == all.end() ? *all.rbegin() : *found;
}

bool read_request(int count, char** words, Request* request) {
  std::string arch = "mp_31", level, jobs, seconds, parent, names_line;
  const std::map<std::string, std::string*> options = {{"--arch=", &arch},
                                                       {"--headers=", &request->headers},
                                                       {"--output=", &request->output},
                                                       {"-std=", &request->standard},
                                                       {"--cpu-level=", &level},
                                                       {"--cache=", &request->cache},
                                                       {"--jobs=", &jobs},
                                                       {"--seconds=", &seconds},
                                                       {"--report=", &request->report},
                                                       {"--parent=", &parent},
                                                       {"--names-line=", &names_line}};
  char** const end = words + count;
  char** const dashes = std::find(words, end, std::string_view("--"));
  for (const std::string word : std::span(words + 1, dashes)) {
    const std::size_t size = word.find('=') + 1;
    const auto option = options.find(word.substr(0, size));
    if (option != options.end()) {
      *option->second = word.substr(size);
    } else if (word == "--default-device") {
      request->default_device = true;
    } else if (word == "--front-end-only") {
      request->front_end_only = true;
    } else if (word == "--whole-if-variables") {
      request->wanted.whole_if_variables = true;
    } else if (word.starts_with("--kernel=")) {
      request->wanted.kernels.insert(word.substr(size));
    } else if (word.starts_with("--variable=")) {
      request->wanted.variables.insert(word.substr(size));
    } else if (word.starts_with("--name=")) {
      request->names.push_back(word.substr(size));
    } else {
      request->flags.push_back(word);
    }
  }
  if (dashes != end) request->sources.assign(dashes + 1, end);
  if (!parent.empty()) end_with(static_cast<pid_t>(std::strtol(parent.c_str(), nullptr, 10)));
  request->warp_size = arch == "mp_31" ? 32 : 128;
  request->cpu_level = level == "baseline" ? TORCHADA_CPU_BASELINE : host::cpu_level();
  const unsigned int most = torchada::processor_count();
  const auto wanted = static_cast<unsigned int>(std::strtoul(jobs.c_str(), nullptr, 10));
  request->jobs = wanted == 0 ? most : std::min(wanted, most);
  request->seconds = static_cast<unsigned int>(std::strtoul(seconds.c_str(), nullptr, 10));
  request->names_line = static_cast<unsigned int>(std::strtoul(names_line.c_str(), nullptr, 10));
  request->at_run_time = !names_line.empty();
  request->headers = std::filesystem::weakly_canonical(request->headers);
  return !request->sources.empty() && !request->headers.empty() &&
         !(request->front_end_only ? request->cache : request->output).empty();
}

}  // namespace kernels
