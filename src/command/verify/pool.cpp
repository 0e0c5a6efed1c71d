#include "src/command/verify/pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "src/command/command.h"

namespace torchada::verify {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr std::chrono::seconds kPatience{2};  // The driver may hold a killed process back.

struct Running {
  std::size_t index = 0;
  pid_t child = -1;
  int in = -1;
  Clock::time_point end;
  std::string text;
};

[[noreturn]] void be_probe(const Probe& probe, const Facts& facts, const MusaFiles& files,
                           pid_t parent, int out) {
  // Nothing may be left behind: no process when the command is stopped, no core file after a crash.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // A driver's output must not mix with the command's.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  Probing probing(facts, files, out);
  probing.attempt([&] { probe.run(probing); });
  _exit(0);  // Skips the destructors of drivers, some of which crash.
}

Running start(std::size_t index, const Probe& probe, const Facts& facts, const MusaFiles& files,
              const Limits& limits) {
  Running out;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(std::string("pipe: ") + std::strerror(errno));
  out.index = index;
  out.in = ends[0];
  out.end = std::min(Clock::now() + std::chrono::seconds(limits.timeout), limits.end);
  const pid_t self = getpid();
  out.child = fork();
  if (out.child < 0) throw Failure(std::string("fork: ") + std::strerror(errno));
  if (out.child == 0) {
    close(ends[0]);
    be_probe(probe, facts, files, self, ends[1]);
  }
  close(ends[1]);
  return out;
}

ProbeEnd read_end(const std::string& name, const std::string& text, const std::string& broken) {
  ProbeEnd out;
  out.broken = broken;
  std::string calling;
  std::vector<std::string> rests_on;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line, nullptr, false);
    if (!record.is_object()) continue;  // Cut off when the process ended.
    if (record.contains("calling")) {
      calling = record.at("calling").get<std::string>();
      rests_on = record.value("rests_on", std::vector<std::string>());
      continue;
    }
    out.outcomes.push_back(
        {record.at("id").get<std::string>(), static_cast<Verdict>(record.at("verdict").get<int>()),
         record.at("expected").get<std::string>(), record.at("found").get<std::string>(), name,
         record.at("rests_on").get<std::vector<std::string>>()});
  }
  if (!broken.empty() && !calling.empty()) {
    out.outcomes.push_back({calling, Verdict::kContradicted, "the call returns",
                            "the process " + broken + " in this call", name, rests_on});
  }
  return out;
}

std::string how_it_ended(int status, bool in_time, int timeout) {
  if (!in_time) return "did not answer within " + std::to_string(timeout) + " seconds";
  if (WIFSIGNALED(status)) {
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  }
  return WEXITSTATUS(status) == 0 ? "" : "ended with status " + std::to_string(WEXITSTATUS(status));
}

// Reads the available data. Returns true when the child has closed its end.
bool read_some(Running* running) {
  char buffer[16384];
  const ssize_t got = read(running->in, buffer, sizeof buffer);
  if (got < 0) return errno != EINTR;
  running->text.append(buffer, static_cast<std::size_t>(got));
  return got == 0;
}

// The status of an ended child. 0 if it has not ended by `patience` although it was killed.
int status_of(const Running& one, bool in_time, Clock::time_point patience) {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(one.child, &status, in_time ? 0 : WNOHANG);
    if (ended == one.child) return status;
    if (ended < 0 && errno != EINTR) return 0;
    if (ended == 0 && Clock::now() >= patience) return 0;
    if (ended == 0) usleep(10000);
  }
}

}  // namespace

std::vector<std::size_t> order_by_use(const std::vector<Probe>& probes, const Facts& facts) {
  std::map<std::string, std::size_t> places;
  for (const ProbeUse& use : facts.probes()) places.emplace(use.probe, places.size());
  std::vector<std::size_t> out(probes.size());
  std::iota(out.begin(), out.end(), 0);
  const auto place = [&](std::size_t index) {
    const auto found = places.find(probes[index].name);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return out;
}

std::vector<ProbeEnd> run_probes(const std::vector<Probe>& probes, const Facts& facts,
                                 const MusaFiles& files, const Limits& limits,
                                 const std::function<void()>& step) {
  const std::vector<std::size_t> order = order_by_use(probes, facts);
  std::vector<ProbeEnd> out(probes.size());
  std::vector<Running> running;
  std::size_t next = 0;
  while (next < order.size() || !running.empty()) {
    const bool is_over = Clock::now() >= limits.end;
    for (; is_over && next < order.size(); ++next) out[order[next]].is_left_out = true;
    while (next < order.size() && running.size() < static_cast<std::size_t>(limits.jobs)) {
      const std::size_t index = order[next++];
      running.push_back(start(index, probes[index], facts, files, limits));
    }
    if (running.empty()) break;
    std::vector<pollfd> wanted;
    Clock::time_point first = Clock::time_point::max();
    for (const Running& one : running) {
      wanted.push_back({one.in, POLLIN, 0});
      first = std::min(first, one.end);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now());
    poll(wanted.data(), wanted.size(), static_cast<int>(std::max<long>(left.count(), 0) + 1));
    // All are killed before one is waited for: a driver may hold each of them back.
    const Clock::time_point now = Clock::now();
    for (const Running& one : running) {
      if (now >= one.end) kill(one.child, SIGKILL);
    }
    for (std::size_t i = running.size(); i-- > 0;) {
      Running& one = running[i];
      const bool ended = wanted[i].revents != 0 && read_some(&one);
      const bool is_late = now >= one.end;
      if (!ended && !is_late) continue;
      close(one.in);
      const int status = status_of(one, ended, now + kPatience);
      const bool is_cut = !ended && now >= limits.end;  // By the limit: no finding.
      out[one.index] = read_end(probes[one.index].name, one.text,
                                is_cut ? "" : how_it_ended(status, ended, limits.timeout));
      out[one.index].is_left_out = is_cut;
      step();
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return out;
}

}  // namespace torchada::verify
