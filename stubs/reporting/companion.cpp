#include "stubs/reporting/companion.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "src/shared/companion_interface.h"
#include "stubs/process/own_address.h"
#include "stubs/process/peers.h"
#include "stubs/reporting/stderr_line.h"
#include "stubs/system/loader.h"
#include "stubs/system/mapped_path.h"
#include "stubs/table.h"

namespace torchada {
namespace {

uint8_t missing_reported;

// The companion's handle after the first use, or `&absent` if it is missing.
std::atomic<void*> opened{nullptr};
char absent;

// Appends the folder of this library's file, without a slash at the end. Programs may load the
// library through a link: it is followed. False, and nothing appended, if that fails.
bool own_folder(MappedPath* path) {
  MappedPath loaded, own;
  object_of(&torchada_library, &loaded);
  if (!own.resolve(loaded.c_str())) return false;
  path->append(own.c_str(), static_cast<size_t>(strrchr(own.c_str(), '/') - own.c_str()));
  return true;
}

// The path is relative to this library, which lies in lib, lib/cu12 or lib/only/cudart-12.
bool companion_path(int folders_up, MappedPath* path) {
  path->clear();
  if (!own_folder(path)) return false;
  for (int i = 0; i < folders_up; ++i) *path << "/..";
  *path << "/libexec/torchada_companion.so";
  return !path->truncated();
}

TORCHADA_APART void report_missing(const char* why) {
  if (__atomic_exchange_n(&missing_reported, 1, __ATOMIC_RELAXED) != 0) return;
  Line line;
  line << "tracing, backtraces, the summary, the log file and kernels on demand are not available: "
       << why;
  warn(line);  // Not by log(): the log file needs the companion.
}

TORCHADA_APART void report_lacking(const char* name) {
  Line why;
  why << "libexec/torchada_companion.so does not export " << name << "; reinstall torchada";
  report_missing(why.c_str());
}

void* open_first() {
  MappedPath path;
  for (int folders_up = 1; folders_up <= 3; ++folders_up) {
    if (!companion_path(folders_up, &path) || access(path.c_str(), F_OK) != 0) continue;
    void* const handle = open_library(path.c_str());
    if (!handle) report_missing(why_not_opened());
    return handle;
  }
  report_missing("libexec/torchada_companion.so not found; reinstall torchada");
  return nullptr;
}

// Null if it is missing; one line says so.
void* open_companion() {
  void* handle = opened.load(std::memory_order_acquire);
  if (!handle) {
    handle = open_first();
    opened.store(handle ? handle : &absent, std::memory_order_release);
  }
  return handle == &absent ? nullptr : handle;
}

}  // namespace

void* companion_function(const char* name) {
  if (was_cut_off() || is_cut_off_elsewhere()) return nullptr;
  void* handle = open_companion();
  if (!handle) return nullptr;
  using Interface = int32_t (*)();
  const auto interface =
      reinterpret_cast<Interface>(find_symbol(handle, "torchada_companion_interface"));
  if (!interface || interface() != kCompanionInterface) {
    report_missing("libexec/torchada_companion.so is from another release; reinstall torchada");
    return nullptr;
  }
  void* function = find_symbol(handle, name);
  if (!function) report_lacking(name);
  return function;
}

}  // namespace torchada
