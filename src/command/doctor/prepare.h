// From a command, a process or a folder to a Subject. All throw Failure where it cannot be
// examined.
#pragma once

#include <string>
#include <vector>

#include "subject.h"

namespace torchada::doctor {

// `program` may be empty: the surroundings alone. `as_run`: as torchada run would start it; changes
// the environment of this process.
void prepare_here(const std::vector<std::string>& program, bool as_run, Subject* subject);
void prepare_process(int pid, Subject* subject);
// Looks below `root` alone and starts nothing of it; reads no variable, which would be another's.
void prepare_root(const std::string& root, const std::vector<std::string>& program,
                  Subject* subject);

}  // namespace torchada::doctor
