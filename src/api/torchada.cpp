#include "src/api/torchada.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "src/api/standing_table.h"
#include "src/shared/backend_table.h"
#include "src/shared/own_descriptor.h"
#include "src/shared/text.h"
#include "stubs/process/own_address.h"
#include "stubs/system/glibc_compat.h"
#include "stubs/system/loader.h"

TORCHADA_OLD_GLIBC(dlopen);
TORCHADA_OLD_GLIBC(dlclose);
TORCHADA_OLD_GLIBC(dlsym);

#define TORCHADA_API extern "C" __attribute__((visibility("default")))

namespace torchada {

// For own_address.cpp. The replacement libraries link it with their own loader.cpp instead.
void visit_objects(VisitObject visit, void* data) { dl_iterate_phdr(visit, data); }

namespace {

// By Standing.
constexpr torchada_standing_t kPublicStandings[kStandings] = {
    TORCHADA_SUPPORTED, TORCHADA_ASSUMED, TORCHADA_EMULATED, TORCHADA_UNSUPPORTED};

constexpr int kDefaultMajor = 12;  // For names without a version.
constexpr size_t kVersionFileBytes = 4096;

const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What our libraries in this process say about themselves.
struct Replacements {
  bool any = false;
  uint16_t majors = 0xffff;  // Those that all of them have; see StandingEntry.
};

// The majors that have the library of this file name: all of them if it is not one of ours.
uint16_t majors_of(const char* name) {
  for (const SonameMajors* known = torchada_soname_majors; known->soname; ++known) {
    if (strcmp(known->soname, name) == 0) return known->majors;
  }
  return 0xffff;
}

// The only major in `majors`; the default one if there are several or none.
int only_major(uint16_t majors) {
  const bool is_one = majors != 0 && (majors & (majors - 1)) == 0;
  return is_one ? torchada_oldest_major + __builtin_ctz(majors) : kDefaultMajor;
}

int visit_replacement(dl_phdr_info* object, size_t, void* data) {
  if (!is_replacement(object)) return 0;
  auto* replacements = static_cast<Replacements*>(data);
  replacements->any = true;
  if (object->dlpi_name) replacements->majors &= majors_of(base_name(object->dlpi_name));
  return 0;
}

Replacements find_replacements() {
  Replacements replacements;
  dl_iterate_phdr(visit_replacement, &replacements);
  return replacements;
}

int visit_runtime(dl_phdr_info* object, size_t, void* data) {
  const char* stem = torchada_backend_table.names[static_cast<int>(kRuntimeLibrary)];
  const char* path = object->dlpi_name;
  const size_t length = strlen(stem);
  if (!path || strncmp(base_name(path), stem, length) != 0) return 0;
  if (strncmp(base_name(path) + length, ".so", 3) != 0) return 0;
  *static_cast<const char**>(data) = path;
  return 1;
}

// Points to the loader's own string. Searched for in each call, because MUSA may be opened at any
// time.
const char* runtime_path() {
  const char* path = "";
  dl_iterate_phdr(visit_runtime, &path);
  return path;
}

// Whether the version.json at `path` says that the installation is the CPU stand-in.
bool says_host(const char* path) {
  const int file = above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file < 0) return false;
  char text[kVersionFileBytes + 1];
  const ssize_t size = read(file, text, kVersionFileBytes);
  close(file);
  if (size <= 0) return false;
  text[size] = '\0';
  return strstr(text, "torchada host") != nullptr;
}

// DIR/lib/libmusart.so.5 -> DIR/version.json
bool is_host(const char* runtime) {
  const char* end = base_name(runtime);
  Path path;
  path.append(runtime, static_cast<size_t>(end - runtime));
  path << "../version.json";
  return !path.truncated() && says_host(path.c_str());
}

}  // namespace
}  // namespace torchada

using torchada::StandingEntry;
using torchada::torchada_oldest_major;
using torchada::torchada_standing_count;
using torchada::torchada_standing_names;
using torchada::torchada_standings;

TORCHADA_API const char* torchada_version() { return TORCHADA_VERSION; }

TORCHADA_API int torchada_active(void) { return torchada::find_replacements().any ? 1 : 0; }

TORCHADA_API const char* torchada_backend_path(void) { return torchada::runtime_path(); }

TORCHADA_API const char* torchada_backend(void) {
  const char* path = torchada::runtime_path();
  if (!*path) return "none";
  return torchada::is_host(path) ? "host" : "musa";
}

TORCHADA_API int torchada_sdk(void) {
  const char* path = torchada::runtime_path();
  void* handle = *path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  if (!handle) return 0;
  using GetVersion = int (*)(int*);
  const auto ask = reinterpret_cast<GetVersion>(dlsym(handle, torchada::kRuntimeVersionCall));
  int version = 0;
  const bool told = ask && ask(&version) == 0;
  dlclose(handle);  // Only undoes the count of RTLD_NOLOAD.
  return told ? torchada::torchada_sdk_of_runtime_version(version) : 0;
}

TORCHADA_API torchada_standing_t torchada_standing_in(const char* symbol, int major) {
  if (!symbol) return TORCHADA_UNKNOWN;
  uint32_t first = 0;
  uint32_t last = torchada_standing_count;
  while (first < last) {
    const uint32_t middle = first + (last - first) / 2;
    if (strcmp(torchada_standing_names + torchada_standings[middle].name, symbol) < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  for (; first < torchada_standing_count; ++first) {
    const StandingEntry& entry = torchada_standings[first];
    if (strcmp(torchada_standing_names + entry.name, symbol) != 0) break;
    const int bit = major - torchada_oldest_major;
    if (bit >= 0 && bit < 16 && (entry.majors >> bit & 1) != 0) {
      return torchada::kPublicStandings[static_cast<int>(entry.standing)];
    }
  }
  return TORCHADA_UNKNOWN;
}

TORCHADA_API torchada_standing_t torchada_standing(const char* symbol) {
  return torchada_standing_in(symbol, torchada::only_major(torchada::find_replacements().majors));
}

TORCHADA_API const char* torchada_standing_name(torchada_standing_t standing) {
  for (int i = 0; i < torchada::kStandings; ++i) {
    if (torchada::kPublicStandings[i] == standing) return torchada::kStandingNames[i];
  }
  return "unknown";
}
