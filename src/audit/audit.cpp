// LD_AUDIT module: whoever asks the loader for one of our libraries gets ours, by whatever path or
// name. Active in every process that inherits LD_AUDIT; setuid programs ignore it.
//
// The loader calls the hooks with its lock held, and copies what they return before it calls
// another one, so the state below needs no lock. Hooks must not call back into the loader.
#include <link.h>
#include <string.h>

#include "src/audit/link_maps.h"
#include "src/audit/messages.h"
#include "src/audit/missing_libraries.h"
#include "src/audit/own_libraries.h"
#include "src/audit/runtime_page.h"
#include "src/audit/said_names.h"
#include "src/shared/library_name.h"
#include "src/shared/text.h"

namespace torchada {
namespace {

OwnLibraries own;  // Only la_version writes it, except for its buffer.
MissingLibraries missing;
RuntimePage runtime_page;
bool has_folders = false;

// See la_objopen.
const link_map* map_of(const uintptr_t* cookie) {
  return reinterpret_cast<const link_map*>(*cookie);
}

// Programs that work with either of two majors ask for both by bare name, and some refuse to run if
// they find both (cudnn-frontend). Once the program has loaded one major, a probe for another finds
// nothing; an object that is linked with the other still gets it.
bool is_probe_for_another_major(const LibraryName& parsed, const BoundMajors& bound) {
  return parsed.version && parsed.stem_is("libcudart") && bound.any() && !bound.has(parsed);
}

// One search of the loader. It first asks about the requested name. If that is a bare name and we
// did not replace it, it then asks about each candidate file.
struct Search {
  const char* name = nullptr;  // One of our names; null if the search does not concern us.
  const char* file = nullptr;  // The only file to be found; null means none.
};
Search search;

SaidNames not_opened;
SaidNames not_offered;

void say_not_opened(const char* name, const BoundMajors& bound) {
  if (!not_opened.is_first(name)) return;
  Text<2048> line;
  line << name << " is not opened: this process already uses " << bound.first_file()
       << "; torchada run --abi chooses the CUDA major version";
  say(LogLevel::kWarn, line);
}

void say_other_major(const char* name, bool nothing_else) {
  if (!not_offered.is_first(name)) return;
  Text<2048> line;
  line << name << " is not offered: torchada run --abi offers only the libraries in ";
  own.write_first(&line);
  line << "; " << (nothing_else ? "the request fails" : "the loader looks for another file");
  say(LogLevel::kWarn, line);
}

void say_left_out(const char* name) {
  if (!not_offered.is_first(name)) return;
  Text<2048> line;
  line << name
       << " is not offered: torchada run --only leaves it out; the loader looks for another file";
  say(LogLevel::kWarn, line);
}

const char* begin_search(const char* name, const link_map* asking) {
  search = Search();
  LibraryName parsed;
  const char* base = base_name(name);
  if (!parse_library_name(base, &parsed)) return name;
  const BoundMajors bound(asking, own, environment("LD_PRELOAD"));
  // A name without a path, from dlopen.
  const bool opened_by_name = base == name && !needs(asking, name);
  const char* file = own.file_for(parsed, name, bound.sole());
  if (!file && own.is_left_out(parsed)) {
    if (!own.has_another_major(parsed)) {
      say_left_out(name);
    } else {
      say_other_major(name, opened_by_name);
      if (opened_by_name) search = {base, nullptr};
    }
  }
  if (!file || strcmp(file, name) == 0) return name;
  if (opened_by_name && is_probe_for_another_major(parsed, bound)) {
    say_not_opened(name, bound);
    search = {base, nullptr};
    return name;
  }
  Text<2048> line;
  line << name << " -> " << file;
  say(LogLevel::kDebug, line);
  // A file that is already mapped would be known by its path alone. When the loader then checks the
  // symbol versions of an object linked with the bare name, it stops the program because it does
  // not know that name. A file that it finds by searching folders also gets the bare name.
  if (base == name && is_mapped(asking, file)) {
    search = {base, file};
    return name;
  }
  return file;
}

// An empty name fails with ENOENT. A null pointer would leave an old errno in the loader, which
// then may stop searching or report another cause.
const char* go_on(const char* candidate) {
  if (!search.name || strcmp(base_name(candidate), search.name) != 0) return candidate;
  return search.file ? search.file : "";
}

bool is_own_name(const char* name) {
  LibraryName parsed;
  return parse_library_name(base_name(name), &parsed) &&
         own.file_for(parsed, name, LibraryName()) != nullptr;
}

void watch_search(const char* name, const link_map* asking) {
  const OtherLibrary* library = find_missing(name);
  const bool linked = library && needs(asking, name) && needs_any(asking, is_own_name);
  missing.begin_search(name, library, linked);
}

// `torchada run` sets this variable for interpreters and scripts, whose libraries look for the
// runtime there or in the map of the process.
void map_runtime_page() {
  const char* file = environment("VLLM_CUDART_SO_PATH");
  if (file && own.contains(file)) runtime_page.map(file);
}

void opened(const char* path) {
  const bool is_own = own.contains(path);
  missing.opened(path, is_own);
  LibraryName name;
  if (parse_library_name(base_name(path), &name) && name.stem_is("libcudart")) runtime_page.unmap();
}

// Runs after the destructors of the program and its libraries.
__attribute__((destructor)) void end() {
  if (!has_folders) return;
  missing.end();
  if (is_on("TORCHADA_SUMMARY")) not_offered.print("asked for and not offered");
}

}  // namespace
}  // namespace torchada

#define TORCHADA_HOOK extern "C" __attribute__((visibility("default")))

// Without folders nothing is redirected. Returning zero would ask the loader to unload this
// module, but glibc 2.36 then ends the process with a failed assertion.
TORCHADA_HOOK unsigned int la_version(unsigned int offered) {
  torchada::read_log_level();
  torchada::has_folders = torchada::own.find_folders();
  if (torchada::has_folders) torchada::map_runtime_page();
  return offered < LAV_CURRENT ? offered : LAV_CURRENT;
}

// An object's cookie is its link map. The loader initialises it that way, except for the program
// itself on glibc versions that create its cookie before they load auditors. Returns 0: no symbol
// bindings of the object are audited.
TORCHADA_HOOK unsigned int la_objopen(link_map* map, Lmid_t, uintptr_t* cookie) {
  *cookie = reinterpret_cast<uintptr_t>(map);
  if (torchada::has_folders && map->l_name) torchada::opened(map->l_name);
  return 0;
}

TORCHADA_HOOK char* la_objsearch(const char* name, uintptr_t* cookie, unsigned int flag) {
  // While glibc 2.31 loads the auditors after this one, it asks for no object: the cookie is a
  // place within a null object.
  constexpr uintptr_t kFirstPage = 4096;
  if (!torchada::has_folders || reinterpret_cast<uintptr_t>(cookie) < kFirstPage) {
    return const_cast<char*>(name);
  }
  const char* answer;
  if (flag == LA_SER_ORIG) {
    torchada::watch_search(name, torchada::map_of(cookie));
    answer = torchada::begin_search(name, torchada::map_of(cookie));
  } else {
    torchada::missing.try_candidate(name, flag);
    answer = torchada::go_on(name);
  }
  // The interface wants char*, but the loader does not write to it.
  return const_cast<char*>(answer);
}
