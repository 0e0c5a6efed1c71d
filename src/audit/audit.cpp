// LD_AUDIT module: whoever asks the loader for one of our libraries gets ours, by whatever path or
// name. Active in every process that inherits LD_AUDIT; setuid programs ignore it.
//
// The loader calls the hooks with its lock held, and copies what they return before it calls
// another one, so the state below needs no lock. Hooks must not call back into the loader.
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/audit/link_maps.h"
#include "src/audit/own_libraries.h"
#include "src/shared/library_name.h"
#include "src/shared/text.h"

namespace torchada {
namespace {

enum class LogLevel { kWarn, kInfo, kDebug };

OwnLibraries own;  // Only la_version writes it, except for its buffer.
bool has_folder = false;
LogLevel log_level = LogLevel::kWarn;

void read_log_level() {
  const char* value = secure_getenv("TORCHADA_LOG");
  if (!value) return;
  if (strcmp(value, "info") == 0) log_level = LogLevel::kInfo;
  if (strcmp(value, "debug") == 0) log_level = LogLevel::kDebug;
}

void say(const char* name, const char* arrow, const char* what) {
  Text<2048> line;
  line << "torchada: audit: " << name << arrow << what << "\n";
  if (write(STDERR_FILENO, line.c_str(), line.size()) < 0) return;
}

// See la_objopen.
const link_map* map_of(const uintptr_t* cookie) {
  return reinterpret_cast<const link_map*>(*cookie);
}

// Programs that work with either of two majors ask for both by bare name, and some refuse to run if
// they find both. Once one major is in the process, a probe for the other is not redirected; an
// object that is linked with the other still gets it.
bool is_probe_for_another_major(const char* name, const LibraryName& parsed,
                                const BoundMajors& bound, const link_map* asking) {
  return parsed.version && parsed.stem_is("libcudart") && bound.any() && !bound.has(parsed) &&
         !strchr(name, '/') && !needs(asking, name);
}

// One search of the loader. It first asks about the requested name. If that is a bare name and we
// did not replace it, it then asks about each candidate file.
struct Search {
  const char* name = nullptr;  // One of our names; null if the search does not concern us.
  const char* file = nullptr;  // The only file to be found; null means any but ours.
};
Search search;

const char* begin_search(const char* name, const link_map* asking) {
  search = Search();
  LibraryName parsed;
  const char* base = base_name(name);
  if (!parse_library_name(base, &parsed)) return name;
  const BoundMajors bound(asking);
  const char* file = own.file_for(parsed, name, bound.sole());
  if (!file || strcmp(file, name) == 0) return name;
  if (is_probe_for_another_major(name, parsed, bound, asking)) {
    if (log_level >= LogLevel::kInfo) {
      say(name, " is not redirected: this process already uses ", bound.first_file());
    }
    search = {base, nullptr};
    return name;
  }
  if (log_level >= LogLevel::kDebug) say(name, " -> ", file);
  // A file that is already mapped would be known by its path alone. When the loader then checks the
  // symbol versions of an object linked with the bare name, it stops the program because it does
  // not know that name. A file that it finds by searching folders also gets the bare name.
  if (base == name && is_mapped(asking, file)) {
    search = {base, file};
    return name;
  }
  return file;
}

const char* go_on(const char* candidate) {
  if (!search.name || strcmp(base_name(candidate), search.name) != 0) return candidate;
  if (search.file) return search.file;
  return own.contains(candidate) ? nullptr : candidate;  // LD_LIBRARY_PATH leads here too.
}

}  // namespace
}  // namespace torchada

#define TORCHADA_HOOK extern "C" __attribute__((visibility("default")))

// Without a folder nothing is redirected. Returning zero would ask the loader to unload this
// module, but glibc 2.36 then ends the process with a failed assertion.
TORCHADA_HOOK unsigned int la_version(unsigned int offered) {
  torchada::has_folder = torchada::own.find_folder();
  torchada::read_log_level();
  return offered < LAV_CURRENT ? offered : LAV_CURRENT;
}

// An object's cookie is its link map. The loader initialises it that way, except for the program
// itself on glibc versions that create its cookie before they load auditors. Returns 0: no symbol
// bindings of the object are audited.
TORCHADA_HOOK unsigned int la_objopen(link_map* map, Lmid_t, uintptr_t* cookie) {
  *cookie = reinterpret_cast<uintptr_t>(map);
  return 0;
}

TORCHADA_HOOK char* la_objsearch(const char* name, uintptr_t* cookie, unsigned int flag) {
  if (!torchada::has_folder) return const_cast<char*>(name);
  const char* answer = flag == LA_SER_ORIG ? torchada::begin_search(name, torchada::map_of(cookie))
                                           : torchada::go_on(name);
  // The interface wants char*, but the loader does not write to it.
  return const_cast<char*>(answer);
}
