// CUDA libraries that torchada does not replace, that the process asked for, and that the loader
// did not find. Each is said once per process, and only if the process uses one of our libraries.
//
// The loader announces what it searches, but not that it found nothing. Its last step for a bare
// name is the default directories: a search that gets there without finding a file has failed
// unless the object is mapped before the next search. Only hooks and the end of the process may
// call these functions.
#pragma once

#include <link.h>

#include "src/shared/other_libraries.h"
#include "src/shared/text.h"

namespace torchada {

class MissingLibraries {
 public:
  // The loader begins to search for `name`, a file of `library` (find_missing). `linked`: the
  // object that asks was linked with it and with one of our libraries, so it cannot be loaded
  // without it.
  void begin_search(const char* name, const OtherLibrary* library, bool linked);

  // The loader is about to try this file; `flag` is one of LA_SER_*.
  void try_candidate(const char* path, unsigned int flag);

  // An object was mapped; `own` if it is one of our libraries.
  void opened(const char* path, bool own);

  // The process ends: says what was held back, and the summary if the user asked for one.
  void end();

 private:
  struct Missing {
    bool opened = false;
    bool failed = false;
    bool said = false;
    Text<200> name;  // As the program asked for it.
  };

  void forget_parent();
  // `last`: the process has no further attempt, and uses one of our libraries.
  void fail(const OtherLibrary* library, const char* name, bool last);
  void settle();
  void say_missing(int index);
  void print_summary() const;

  Missing all_[kMostOtherLibraries];
  const OtherLibrary* searched_ = nullptr;  // The search under way; null if it has failed.
  const OtherLibrary* held_ = nullptr;      // Failed, but the program may yet find another file.
  Text<200> held_name_;
  bool linked_ = false;  // Of the search under way.
  bool uses_own_ = false;
  int process_ = 0;
};

}  // namespace torchada
