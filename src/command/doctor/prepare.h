// Makes a Subject from a command, a process or a directory. All throw Failure if it cannot be
// examined.
#pragma once

#include <string>
#include <vector>

#include "src/command/doctor/subject.h"

namespace torchada::doctor {

// `program` may be empty: then only the surroundings are examined. With `as_run`, examines the
// program as torchada run would start it and changes the environment of this process.
void prepare_here(const std::vector<std::string>& program, bool as_run, Subject* subject);
void prepare_process(int pid, Subject* subject);
// Looks only below `root` and starts nothing from there. Ignores this process's environment, which
// belongs to another system.
void prepare_root(const std::string& root, const std::vector<std::string>& program,
                  Subject* subject);

}  // namespace torchada::doctor
