#include "src/command/info/question.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "src/command/info/child.h"
#include "src/command/info/management.h"

namespace torchada::info {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

using Question = std::function<Json()>;

constexpr char kCapabilityVariable[] = "TORCHADA_COMPUTE_CAPABILITY";

[[noreturn]] void answer(int out, const Question& question, const BackendChoice& choice,
                         bool own_capability) {
  // A driver's output must not mix with the command's.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  if (!choice.root.empty()) setenv("TORCHADA_MUSA_PATH", choice.root.c_str(), 1);
  // The command itself reports that no MUSA was found.
  if (choice.backend == Backend::kNone) setenv("TORCHADA_LOG", "off", 0);
  if (own_capability) unsetenv(kCapabilityVariable);
  const std::string text = question().dump(-1, ' ', false, Json::error_handler_t::replace);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(out, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  _exit(0);  // Skips the destructors of drivers, some of which crash.
}

// Reads until the other end is closed. Returns false when the time is up.
bool read_all(int in, int timeout, std::string* text) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(timeout);
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd wanted = {in, POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char buffer[4096];
    const ssize_t got = read(in, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text->append(buffer, static_cast<std::size_t>(got));
  }
}

Json ask_in_child(const Question& question, const BackendChoice& choice, int timeout,
                  bool own_capability) {
  int ends[2];
  if (pipe(ends) != 0) return {{"error", std::strerror(errno)}};
  const pid_t child = fork();
  if (child < 0) return {{"error", std::strerror(errno)}};
  if (child == 0) {
    close(ends[0]);
    answer(ends[1], question, choice, own_capability);
  }
  close(ends[1]);
  std::string text;
  const bool in_time = read_all(ends[0], timeout, &text);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    return {{"error", "no answer within " + std::to_string(timeout) + " seconds"}};
  }
  if (WIFSIGNALED(status)) {
    return {{"error", std::string("the query process was killed by signal ") +
                          std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) +
                          ")"}};
  }
  Json out = Json::parse(text, nullptr, false);
  if (!out.is_object()) return {{"error", "the query process ended without an answer"}};
  return out;
}

std::string dotted(const Json& device) {
  return std::to_string(device.value("major", 0)) + "." + std::to_string(device.value("minor", 0));
}

Device device_of(const Json& record, const Json& own, bool on_cpu) {
  Device out;
  out.name = record.value("name", "");
  out.total_memory = record.value("total_memory", std::uint64_t{0});
  out.free_memory = record.value("free_memory", std::uint64_t{0});
  out.capability = dotted(record);
  out.multiprocessors = record.value("multiprocessors", 0);
  out.warp_size = record.value("warp_size", 0);
  if (!on_cpu && own.is_object() && own.value("major", 0) > 0) {
    out.architecture =
        "mp_" + std::to_string(own.value("major", 0)) + std::to_string(own.value("minor", 0));
  }
  return out;
}

// A libmtml that fails or hangs spoils nothing else.
void add_management(const Json& devices, const BackendChoice& choice, int timeout, Answer* out) {
  if (out->musart.empty()) return;
  std::vector<std::string> addresses;
  for (const Json& device : devices) addresses.push_back(device.value("address", ""));
  const Json told =
      ask_in_child([&] { return ask_management(out->musart, addresses); }, choice, timeout, false);
  out->management = told.value("version", "");
  const Json by_address = told.value("devices", Json::object());
  for (std::size_t i = 0; i < addresses.size() && i < out->devices.size(); ++i) {
    const Json device = by_address.value(addresses[i], Json::object());
    if (device.contains("used")) out->devices[i].used_memory = device["used"].get<std::uint64_t>();
    if (device.contains("busy")) out->devices[i].busy = device["busy"].get<int>();
  }
}

}  // namespace

Answer ask(const std::string& root, const BackendChoice& choice, int timeout) {
  const Question libraries = [&] { return ask_libraries(root); };
  const Json told = ask_in_child(libraries, choice, timeout, false);
  Answer out;
  out.error = told.value("error", "");
  if (!out.error.empty()) return out;
  // The user may have set a capability that differs from the device's.
  const char* given = std::getenv(kCapabilityVariable);
  const bool changed = given != nullptr && *given != '\0';
  const Json own = changed ? ask_in_child(libraries, choice, timeout, true) : told;
  const Json own_devices = own.value("devices", Json::array());
  const Json devices = told.value("devices", Json::array());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    out.devices.push_back(device_of(devices[i], i < own_devices.size() ? own_devices[i] : Json(),
                                    choice.backend == Backend::kStandIn));
  }
  out.no_devices = told.value("no_devices", "");
  for (const Json& item : told.value("versions", Json::array())) {
    out.versions.push_back(
        {item.value("library", ""), item.value("version", ""), item.value("by_run", false)});
  }
  out.musart = told.value("musart", "");
  out.sdk = told.value("sdk", 0);
  out.driver = told.value("driver", 0);
  add_management(devices, choice, timeout, &out);
  return out;
}

}  // namespace torchada::info
