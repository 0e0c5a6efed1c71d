#include "tests/trace/traced.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <set>
#include <stdexcept>

#include "src/shared/companion_interface.h"

namespace tracing {
namespace {

std::string* path;

void remove_records() { unlink(path->c_str()); }

// The companion reads its environment at its first use, so set it before.
std::ifstream& records() {
  static std::ifstream* const kRecords = [] {
    const char* folder = getenv("TMPDIR");
    path = new std::string(std::string(folder ? folder : "/tmp") + "/trace.XXXXXX");
    close(mkstemp(path->data()));
    setenv("TORCHADA_TRACE", ("json:" + *path).c_str(), 1);
    atexit(remove_records);
    return new std::ifstream(*path);
  }();
  return *kRecords;
}

decltype(&torchada_companion_trace) companion() {
  static const auto kTrace = [] {
    records();
    void* handle = dlopen(COMPANION, RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::runtime_error(dlerror());
    return reinterpret_cast<decltype(&torchada_companion_trace)>(
        dlsym(handle, "torchada_companion_trace"));
  }();
  return kTrace;
}

}  // namespace

void* traced_address(const std::string& library, const std::string& function, void* address) {
  static std::set<std::string> kNames;  // The names must stay valid.
  std::int32_t settled = 0;
  void* out = companion()(kNames.insert(library).first->c_str(),
                          kNames.insert(function).first->c_str(), address, &settled);
  if (out == address || settled == 0) throw std::runtime_error(function + " is not traced");
  return out;
}

nlohmann::json next_call() {
  records().clear();
  for (std::string line; std::getline(records(), line);) {
    nlohmann::json record = nlohmann::json::parse(line);
    if (record["event"] == "call") return record;
  }
  return {};
}

}  // namespace tracing
