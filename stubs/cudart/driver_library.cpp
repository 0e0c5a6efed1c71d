#include "stubs/cudart/driver_library.h"

#include <string.h>
#include <unistd.h>

#include <atomic>

#include "facts.h"
#include "stubs/loading/loaded_objects.h"
#include "stubs/loading/whole_file.h"
#include "stubs/reporting/log.h"
#include "stubs/system/environment.h"
#include "stubs/system/loader.h"
#include "stubs/system/mapped_path.h"
#include "stubs/system/signals_held.h"
#include "stubs/system/unfinished.h"

namespace torchada {
namespace {

// The function, once there is one.
std::atomic<void*> found{nullptr};

TORCHADA_APART void say(const char* path, const char* text) {
  Line line;
  line << path << text;
  log(LogLevel::kInfo, line);
}

// The file that the loader would find in these folders, which colons separate. False if there is
// none.
bool find_in(const char* folders, MappedPath* path) {
  while (folders && *folders) {
    const size_t length = strcspn(folders, ":;");
    path->clear();
    path->append(folders, length);
    *path << "/" << kDriverLibrary;
    if (length > 0 && !path->truncated() && access(path->c_str(), F_OK) == 0) return true;
    folders += length;
    folders += strspn(folders, ":;");
  }
  return false;
}

bool find_offered(MappedPath* path) {
  return find_loaded(kDriverStem, path) || find_in(environment("TORCHADA_AUDIT_LIB"), path) ||
         find_in(environment("LD_LIBRARY_PATH"), path);
}

void* find() {
  MappedPath path;
  if (!find_offered(&path)) return nullptr;
  if (!is_replacement_file(path.c_str())) {
    say(path.c_str(), ": not torchada's; no driver function is found");
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
    // Without one the next call asks again: the program may have loaded it since.
    function = find();
    found.store(function, std::memory_order_release);
  }
  return reinterpret_cast<GetProcAddress>(function);
}

}  // namespace torchada
