#include "stubs/cudart/driver_library.h"

#include <atomic>

#include "facts.h"
#include "stubs/loader.h"
#include "stubs/log.h"
#include "stubs/mapped_path.h"
#include "stubs/signals_held.h"
#include "stubs/unfinished.h"
#include "stubs/whole_file.h"

namespace torchada {
namespace {

// The function after the first use, or `&absent` if there is none.
std::atomic<void*> found{nullptr};
char absent;

TORCHADA_APART void say(const char* path, const char* text) {
  Line line;
  line << path << text;
  log(LogLevel::kInfo, line);
}

void* find() {
  MappedPath path;
  if (!own_folder(&path)) return nullptr;
  path << "/" << kDriverLibrary;
  if (path.truncated()) return nullptr;
  if (!is_shim_file(path.c_str())) {
    say(path.c_str(), ": not there, or not torchada's; no driver function is found");
    return nullptr;
  }
  const HandlersHeld held;
  void* const library = open_library(path.c_str());
  if (!library) {
    say("driver functions are not found: ", why_not_opened());
    return nullptr;
  }
  return find_symbol(library, "cuGetProcAddress_v2");
}

}  // namespace

GetProcAddress driver_get_proc_address() {
  void* function = found.load(std::memory_order_acquire);
  if (!function) {
    // A child of fork() that may not ask the loader may be followed by no better answer.
    if (was_cut_off()) return nullptr;
    function = find();
    found.store(function ? function : &absent, std::memory_order_release);
  }
  return function == &absent ? nullptr : reinterpret_cast<GetProcAddress>(function);
}

}  // namespace torchada
