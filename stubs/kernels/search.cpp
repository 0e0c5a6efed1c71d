#include "stubs/kernels/search.h"

#include <string.h>

#include "facts.h"
#include "stubs/kernels/any_clang_name.h"
#include "stubs/kernels/files.h"
#include "stubs/kernels/made.h"
#include "stubs/kernels/names.h"
#include "stubs/kernels/on_demand.h"
#include "stubs/reporting/log.h"

namespace torchada::kernels {
namespace {

// A line that begins with a kernel's or a variable's name.
struct NameLine : Line {
  explicit NameLine(const char* name) {
    Text<400> shown;
    shown << name;
    *this << shown.c_str() << (shown.truncated() ? "..." : "");
  }
};

// Several libraries may serve a name, which is told once.
bool is_told(uint32_t number) {
  const Lock hold;
  const bool was_told = name_of(number).told;
  name_of(number).told = true;
  return was_told;
}

TORCHADA_APART void say_double(uint32_t number, const char* name, size_t first, size_t second) {
  if (is_told(number)) return;
  NameLine line(name);
  line << " is in " << file(first) << ", which is used, and in " << file(second);
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_ambiguous(uint32_t number, const Name& name, size_t first, size_t second) {
  if (is_told(number)) return;
  NameLine line(name.text);
  line << (name.kind == Kind::kKernel ? " is a static kernel in both "
                                      : " is a static variable in both ")
       << file(first) << " and " << file(second) << ", so neither is used; name only one of them";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_doubtful(uint32_t number, const Name& name, size_t only) {
  if (is_told(number)) return;
  NameLine line(name.text);
  line << (name.kind == Kind::kKernel ? " is a static kernel in " : " is a static variable in ")
       << file(only)
       << ", but the program does not tell whether it is from the same source, so it is not used";
  log(LogLevel::kWarn, line);
}

TORCHADA_APART void say_taken(const char* name, size_t number) {
  NameLine line(name);
  line << " is taken from " << path_of(number);
  log(LogLevel::kDebug, line);
}

int look_up(const char* name, Kind kind, const Module& module, Entry* out) {
  return kind == Kind::kKernel
             ? muModuleGetFunction(&out->function, module.handle, name)
             : muModuleGetGlobal_v2(&out->address, &out->bytes, module.handle, name);
}

struct Search {
  Entry entry{};
  unsigned hits = 0;
  size_t first = 0;  // Number of the file; so is `second`.
  size_t second = 0;
  Module module{};  // Of the first.
};

// Which images are asked.
enum class Whom : uint8_t { kAll, kThatTellSources, kThatTellNone };

struct Ask {
  Whom whom = Whom::kAll;
  size_t first = 0;  // Numbers of files, up to `end`.
  size_t end = file_count();
};
constexpr auto kAll = Whom::kAll;

// Asks the libraries for `name`. Returns MUSA's status if they cannot be asked.
int search_named(const char* name, const Name& wanted, const Ask& ask, const Asker& asker,
                 Search* out) {
  for (size_t i = ask.first; i < ask.end; ++i) {
    int status = 0;
    const Module module = module_of(i, asker, &status);
    if (status != 0) return status;
    if (!module.handle) continue;
    if (ask.whom != kAll && module.tells_sources != (ask.whom == Whom::kThatTellSources)) continue;
    Entry found{nullptr, 0, 0, State::kPresent};
    status = look_up(name, wanted.kind, module, &found);
    if (says_not_found(status)) continue;
    if (status != 0) return status;
    if (out->hits++ == 0) {
      out->entry = found;
      out->first = i;
      out->module = module;
    } else if (out->hits == 2) {
      out->second = i;
    }
  }
  return 0;
}

// The same for each name that clang may have for one with internal linkage; `ending` is put behind
// it.
int search_internal(const Name& wanted, const char* ending, const Ask& ask, const Asker& asker,
                    Search* out) {
  const size_t more = strlen(ending) + 2;
  int status = 0;
  any_clang_name(wanted.text, more, [&](char* text, size_t length) {
    if (*ending) {
      text[length] = '@';
      memcpy(text + length + 1, ending, more - 1);
    }
    status = search_named(text, wanted, ask, asker, out);
    return status != 0;
  });
  return status;
}

// Whether the module has a kernel of that name, whatever its linkage.
bool has_kernel(const Module& module, const char* name) {
  Entry found{};
  if (look_up(name, Kind::kKernel, module, &found) == 0) return true;
  return any_clang_name(name, 0, [&](const char* text, size_t) {
    return look_up(text, Kind::kKernel, module, &found) == 0;
  });
}

// Of code with internal linkage whose source the program does not tell: whether a module may have
// it.
bool may_be_from(const Module& module, const Origin& origin) {
  if (origin.is_shared) return false;
  for (size_t i = 0; origin.kernel; ++i) {
    const char* const name = origin.kernel(origin.module, i);
    if (!name) break;
    if (!has_kernel(module, name)) return false;
  }
  return true;
}

// What has internal linkage and is not in an image that tells the source it should be from.
int search_without_source(uint32_t number, const Name& wanted, const Asker& asker, Search* out) {
  int status = search_internal(wanted, "", {Whom::kThatTellNone}, asker, out);
  const bool is_certain = out->hits != 0;
  if (status == 0 && !*wanted.source) {
    status = search_internal(wanted, "", {Whom::kThatTellSources}, asker, out);
  }
  if (status != 0 || out->hits != 1 || is_certain || may_be_from(out->module, wanted.origin)) {
    return status;
  }
  say_doubtful(number, wanted, out->first);
  *out = {};
  return 0;
}

// Looks into the image that is made for the name, now or earlier.
int search_made(uint32_t number, const Name& wanted, const Asker& asker, Search* out) {
  if (wanted.made == 0 && !wanted.failure && is_made_on_demand()) make(number, wanted);
  const size_t place = made_for(number);
  if (place == 0) return 0;
  const size_t file = file_count() + place - 1;
  int status = search_named(wanted.text, wanted, {kAll, file, file + 1}, asker, out);
  if (status == 0 && out->hits == 0) {
    const Ask ask{Whom::kThatTellSources, file, file + 1};
    status = search_internal(wanted, wanted.source, ask, asker, out);
  }
  if (status == 0 && out->hits == 0) {
    const Ask ask{Whom::kThatTellNone, file, file + 1};
    status = search_internal(wanted, "", ask, asker, out);
  }
  if (status == 0 && out->hits == 0) note_failure(number, "the image that was made does not serve");
  return status;
}

// The name, whose request is recorded if this is the first.
Name name_to_search(uint32_t number) {
  Name wanted;
  {
    const Lock hold;
    wanted = name_of(number);
    name_of(number).recorded = true;
  }
  if (!wanted.recorded && wanted.kind == Kind::kKernel && is_recorded()) {
    record(wanted.source, wanted.text);
  }
  return wanted;
}

}  // namespace

int search(uint32_t number, const Asker& asker, Entry* out) {
  const Name wanted = name_to_search(number);
  Search found;
  int status = 0;
  if (*wanted.source) {
    status = search_internal(wanted, wanted.source, {Whom::kThatTellSources}, asker, &found);
  }
  bool is_internal = found.hits != 0;
  if (status == 0 && found.hits == 0) {
    status = search_named(wanted.text, wanted, {}, asker, &found);
    if (found.hits > 1) say_double(number, wanted.text, found.first, found.second);
  }
  if (status == 0 && found.hits == 0) {
    is_internal = true;
    status = search_without_source(number, wanted, asker, &found);
  }
  if (status == 0 && found.hits == 0) {
    is_internal = false;
    status = search_made(number, wanted, asker, &found);
  }
  if (is_internal && found.hits > 1) {
    say_ambiguous(number, wanted, found.first, found.second);
    found = {};
  }
  if (status == 0 && found.hits != 0 && log_level() >= LogLevel::kDebug) {
    say_taken(wanted.text, found.first);
  }
  *out = found.entry;
  if (found.hits == 0) out->state = State::kMissing;
  return status;
}

}  // namespace torchada::kernels
