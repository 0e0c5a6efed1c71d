// Symbols, file names, versions and variables: everything that needs no use of the device. The
// probes of the files alone load nothing of MUSA.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "src/command/verify/probes/memory.h"
#include "src/command/verify/probes/probes.h"
#include "src/shared/backend_table.h"

namespace torchada::verify {
namespace {

using Json = nlohmann::json;

constexpr char kDevice[] = "report:device";
constexpr char kDriver[] = "report:driver";
constexpr char kRuntime[] = "report:runtime";

int version_of(Probing& p, const std::string& function, const std::string& parameter) {
  OutBuffer buffer;
  p.good(function, {{parameter, &buffer}});
  return static_cast<int>(buffer.integer());
}

int attribute(Probing& p, const std::string& name, int device) {
  OutBuffer buffer;
  p.good("musaDeviceGetAttribute",
         {{"value", &buffer}, {"attr", p.value("musaDeviceAttr", name)}, {"device", device}});
  return static_cast<int>(buffer.integer());
}

void tell_device(Probing& p, int device) {
  OutBuffer properties;
  p.good(properties_function(p), {{"prop", &properties}, {"device", device}});
  // The name comes first in every known layout.
  const std::string name(reinterpret_cast<const char*>(properties.bytes()),
                         strnlen(reinterpret_cast<const char*>(properties.bytes()), 256));
  const int major = attribute(p, "musaDevAttrComputeCapabilityMajor", device);
  const int minor = attribute(p, "musaDevAttrComputeCapabilityMinor", device);
  const Json told = {{"name", name},
                     {"architecture", "mp_" + std::to_string(major) + std::to_string(minor)}};
  p.leave(kDevice, told.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Functions that the stand-in declares missing.
std::set<std::string> left_out(const std::string& root) {
  const std::string path = root + "/version.json";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};  // Reading a FIFO would block.
  std::ifstream in(path);
  const Json all = Json::parse(in, nullptr, false);
  if (!all.is_object()) return {};
  return all.value("left_out", std::set<std::string>());
}

void leave_symbols(Probing& p, const std::string& library, const std::string& why) {
  for (const Fact* fact : p.facts().all()) {
    if (fact->kind == "symbol" && fact->library == library) p.leave(fact->id, why);
  }
}

void judge_symbols(Probing& p, const std::string& library,
                   const std::function<bool(const Fact&)>& is_exported) {
  const std::set<std::string> not_here =
      p.is_stand_in() ? left_out(p.files().root) : std::set<std::string>();
  for (const Fact* fact : p.facts().all()) {
    if (fact->kind != "symbol" || fact->library != library) continue;
    const bool there = is_exported(*fact);
    if (fact->tier == "absent") {
      p.decide(fact->id, !there, fact->claim, there ? "exported" : "not exported");
    } else if (there) {
      p.confirm(fact->id, "exported");
    } else if (not_here.count(fact->name) != 0) {
      p.leave(fact->id, "the stand-in does not have it");
    } else if (fact->is_evident()) {
      p.contradict(fact->id, fact->claim, "not exported");
    } else {
      p.absent(fact->id, "not exported");
    }
  }
}

void probe_symbols(Probing& p, const std::string& library) {
  std::string error;
  if (!p.libraries().open(library, &error)) {
    leave_symbols(p, library, error);
    return;
  }
  judge_symbols(p, library,
                [&](const Fact& fact) { return p.libraries().function(fact, &error) != nullptr; });
}

void read_symbols(Probing& p, const std::string& library) {
  const auto file = p.files().libraries.find(library);
  if (file == p.files().libraries.end()) {
    leave_symbols(p, library, "lib" + library + " is not in this MUSA");
  } else if (!file->second.error.empty()) {
    leave_symbols(p, library, file->second.error);
  } else {
    judge_symbols(p, library,
                  [&](const Fact& fact) { return file->second.exports.count(fact.link) != 0; });
  }
}

void probe_sonames(Probing& p) {
  std::error_code error;
  for (const Fact* fact : p.facts().all()) {
    if (fact->kind != "soname") continue;
    const auto file = p.files().libraries.find(fact->library);
    // The packages of an SDK can be installed one by one.
    if (file == p.files().libraries.end()) {
      p.leave(fact->id, "lib" + fact->library + " is not in this MUSA");
      continue;
    }
    const std::filesystem::path folder = std::filesystem::path(file->second.path).parent_path();
    if (std::filesystem::exists(folder / fact->name.view(), error)) {
      p.confirm(fact->id, "there");
    } else if (fact->is_evident()) {
      p.contradict(fact->id, fact->claim, "no such file");
    } else {
      p.absent(fact->id, "no such file");
    }
  }
}

std::string dotted(int number) {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

// "2.28.9" for libmccl.so.2.28.9, with all links followed. Empty if the name has no version.
std::string version_in_name(const std::string& path) {
  std::error_code error;
  const std::string name = std::filesystem::canonical(path, error).filename();
  const std::size_t at = name.find(".so.");
  return at == std::string::npos ? "" : name.substr(at + 4);
}

void probe_runtime_version(Probing& p) {
  const int reported = version_of(p, "musaRuntimeGetVersion", "runtimeVersion");
  const int sdk = torchada_sdk_of_runtime_version(reported);
  p.expect(true, {"musaRuntimeGetVersion"}, "", std::to_string(reported));
  const std::string found = std::to_string(reported) + ", SDK " + dotted(sdk);
  const Fact* encoding = p.facts().find("version:musart");
  if (p.files().version == 0) {
    if (encoding)
      p.leave(encoding->id, "no other source names the SDK; this function returns " + found);
    return;
  }
  const bool holds = sdk / 100 == p.files().version / 100;
  if (encoding) p.decide(encoding->id, holds, "SDK " + p.files().sdk, found);
  for (const Fact* fact : p.facts().all()) {
    int from = 0;
    int to = INT_MAX;  // "20000-" has no end.
    if (fact->kind != "runtime" || std::sscanf(fact->name.c_str(), "%d-%d", &from, &to) < 1) {
      continue;
    }
    if (reported >= from && reported < to) p.decide(fact->id, holds, fact->claim, found);
  }
  p.expect(version_of(p, "musaDriverGetVersion", "driverVersion") > 0, {"musaDriverGetVersion"},
           "a version", "none");
}

void probe_collectives_version(Probing& p) {
  const int code = version_of(p, "mcclGetVersion", "version");
  const bool old = code < 10000;
  const std::string told = old ? std::to_string(code / 1000) + "." +
                                     std::to_string(code / 100 % 10) + "." +
                                     std::to_string(code % 100)
                               : dotted(code);
  p.expect(code >= 2000, {"mcclGetVersion"}, "a version of 2 or later", std::to_string(code));
  const std::string named = version_in_name(p.files().libraries.at("mccl").path);
  const Fact* fact = p.facts().find("version:mccl");
  if (!fact) return;
  const std::string found = std::to_string(code) + ", which means " + told;
  if (named.find('.') == std::string::npos) {
    p.leave(fact->id, "the file name holds no version; this function returns " + found);
  } else {
    p.decide(fact->id, named == told, named + ", as in the file name", found);
  }
}

// The encoding is unknown, so the report gets the number.
void tell_version(Probing& p, const std::string& library, int number) {
  const Fact* fact = p.facts().find("version:" + library);
  if (!fact) return;
  p.leave(fact->id, "says " + std::to_string(number) + ", the file is " +
                        version_in_name(p.files().libraries.at(library).path));
}

void probe_versions(Probing& p) {
  p.attempt([&] { probe_runtime_version(p); });
  p.attempt([&] { probe_collectives_version(p); });
  p.attempt([&] {
    const int number = version_of(p, "murandGetVersion", "version");
    p.expect(number > 0, {"murandGetVersion"}, "a version", std::to_string(number));
    tell_version(p, "murand", number);
  });
  p.attempt([&] {
    OutBuffer handle;
    p.good("mublasCreate", {{"handle", &handle}});
    OutBuffer version;
    p.good("mublasGetVersion", {{"handle", handle.pointer()}, {"version", &version}});
    p.expect(version.integer() > 0, {"mublasGetVersion"}, "a version",
             std::to_string(version.integer()));
    tell_version(p, "mublas", static_cast<int>(version.integer()));
    p.good("mublasDestroy", {{"handle", handle.pointer()}});
    p.expect(true, {"mublasCreate", "mublasDestroy"}, "", "a handle was created and destroyed");
  });
}

void probe_visible_devices(Probing& p, std::size_t devices) {
  const Fact* fact = p.facts().find("environment:MUSA_VISIBLE_DEVICES");
  if (!fact) return;
  if (devices < 2) {
    p.leave(fact->id, "needs two devices");
    return;
  }
  setenv("MUSA_VISIBLE_DEVICES", "1", 1);
  OutBuffer count;
  p.good("musaGetDeviceCount", {{"count", &count}});
  p.decide(fact->id, count.integer() == 1, "one device if MUSA_VISIBLE_DEVICES=1",
           std::to_string(count.integer()));
}

}  // namespace

Probe host_probe() {
  return {"host", [](Probing& p) {
            p.attempt([&] {
              p.leave(kRuntime,
                      std::to_string(version_of(p, "musaRuntimeGetVersion", "runtimeVersion")));
            });
            p.attempt([&] {
              p.leave(kDriver,
                      std::to_string(version_of(p, "musaDriverGetVersion", "driverVersion")));
            });
            OutBuffer count;
            p.good("musaGetDeviceCount", {{"count", &count}});
            if (count.integer() <= 0) throw Stop("musaGetDeviceCount returns no device");
            for (int i = 0; i < count.integer(); ++i) tell_device(p, i);
          }};
}

Host host_of(const std::vector<Outcome>& outcomes) {
  Host out;
  for (const Outcome& outcome : outcomes) {
    if (outcome.id == kRuntime) out.runtime = std::atoi(outcome.found.c_str());
    out.sdk = out.runtime == 0 ? 0 : torchada_sdk_of_runtime_version(out.runtime);
    if (outcome.id == kDriver) out.driver = std::atoi(outcome.found.c_str());
    if (outcome.id != kDevice) continue;
    const Json told = Json::parse(outcome.found);
    out.devices.push_back({told.value("name", ""), told.value("architecture", "")});
  }
  return out;
}

namespace {

// One probe for each library, and that of the file names.
std::vector<Probe> probes_of_files(void (*symbols)(Probing&, const std::string&)) {
  std::vector<Probe> out;
  for (const char* const stem : torchada_backend_table.names) {
    const std::string library = std::string(stem).substr(std::strlen("lib"));
    out.push_back({"symbols." + library, [=](Probing& p) { symbols(p, library); }});
  }
  out.push_back({"files.sonames", probe_sonames});
  return out;
}

}  // namespace

std::vector<Probe> reading_probes() { return probes_of_files(read_symbols); }

std::vector<Probe> file_probes(const Host& host) {
  std::vector<Probe> out = probes_of_files(probe_symbols);
  out.push_back({"files.versions", probe_versions});
  const std::size_t devices = host.devices.size();
  out.push_back({"environment.visible_devices",
                 [devices](Probing& p) { probe_visible_devices(p, devices); }});
  return out;
}

}  // namespace torchada::verify
