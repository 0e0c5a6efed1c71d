#include "src/audit/missing_libraries.h"

#include <string.h>
#include <unistd.h>

#include "src/audit/messages.h"
#include "src/shared/library_name.h"
#include "src/shared/system_folders.h"

namespace torchada {
namespace {

bool exists(const char* path) { return access(path, F_OK) == 0; }

bool in_default_folders(const char* base) {
  for (const SystemFolder& folder : kSystemFolders) {
    if (!folder.is_default) continue;
    Path path;
    path << folder.path << "/" << base;
    if (exists(path.c_str())) return true;
  }
  return false;
}

}  // namespace

// Programs first ask with RTLD_NOLOAD, or try one name after another. What failed is therefore held
// back until the program asks for another library.
void MissingLibraries::begin_search(const char* name, const OtherLibrary* library, bool linked) {
  forget_parent();
  if (held_ && held_ != library) settle();
  searched_ = library;
  linked_ = linked;
  if (library && strchr(name, '/') && !exists(name)) fail(library, name, linked);
}

// If another default directory has the file, `opened` follows before the next search. No search may
// follow if an object is linked with the library: the loader then ends a program that starts.
void MissingLibraries::try_candidate(const char* path, unsigned int flag) {
  if (!searched_ || flag != LA_SER_DEFAULT || exists(path)) return;
  const char* base = base_name(path);
  fail(searched_, base, linked_ && !in_default_folders(base));
}

void MissingLibraries::opened(const char* path, bool own) {
  forget_parent();
  if (const OtherLibrary* library = find_missing(path)) {
    all_[index_of(library)].opened = true;
    if (held_ == library) held_ = nullptr;
  }
  if (!own || uses_own_) return;
  uses_own_ = true;
  for (int i = 0; i < kMostOtherLibraries; ++i) say_missing(i);
}

// A child of fork() inherits this object. What its parent failed to load is the parent's to say.
void MissingLibraries::forget_parent() {
  const int process = getpid();
  if (process == process_) return;
  if (process_ != 0) {
    held_ = nullptr;
    for (Missing& item : all_) item.failed = false;
  }
  process_ = process;
}

void MissingLibraries::fail(const OtherLibrary* library, const char* name, bool last) {
  searched_ = nullptr;
  if (held_ != library) {
    held_ = library;
    held_name_.clear();
    held_name_ << name;
  }
  if (!last) return;
  uses_own_ = true;
  settle();
}

void MissingLibraries::settle() {
  if (!held_) return;
  const int index = index_of(held_);
  held_ = nullptr;
  if (all_[index].opened) return;
  if (!all_[index].failed) {
    all_[index].failed = true;
    all_[index].name.clear();
    all_[index].name << held_name_.c_str();
  }
  say_missing(index);
}

void MissingLibraries::say_missing(int index) {
  Missing& item = all_[index];
  if (!uses_own_ || !item.failed || item.said) return;
  item.said = true;
  const OtherLibrary* library = other_library(index);
  Text<2048> line;
  line << item.name.c_str() << " was not found (" << library->what << "): ";
  if (library->option) {
    line << "torchada offers it on request only; if the program needs it: torchada run "
         << library->option;
  } else {
    line << "torchada does not replace it, and what the program does with it fails; "
         << library->advice;
  }
  say(LogLevel::kWarn, line);
}

void MissingLibraries::print_summary() const {
  int count = 0;
  for (const Missing& item : all_) count += item.failed ? 1 : 0;
  if (count == 0) return;
  Text<2048> line;
  line << "summary of process " << static_cast<int64_t>(process_) << ": " << int64_t{count}
       << (count == 1 ? " CUDA library was" : " CUDA libraries were") << " not found";
  say_always(line);
  for (int i = 0; i < kMostOtherLibraries; ++i) {
    if (!all_[i].failed) continue;
    line.clear();
    line << "  " << all_[i].name.c_str() << " (" << other_library(i)->what << ")";
    say_always(line);
  }
}

void MissingLibraries::end() {
  forget_parent();
  settle();
  if (uses_own_ && is_on("TORCHADA_SUMMARY")) print_summary();
}

}  // namespace torchada
