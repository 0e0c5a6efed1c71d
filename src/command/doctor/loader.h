// The dynamic loader's own answers: it is asked to list what it would map, and maps nothing to run.
#pragma once

#include <string>
#include <vector>

#include "subject.h"

namespace torchada::doctor {

// Asks subject->loader about an ELF file with what it is linked with.
void ask_about_file(Subject* subject, const std::string& file);

// Where dlopen(NAME) would lead in subject->loaded: the same search is made for names in
// LD_PRELOAD. One Object for each name; without a path where it is not found.
std::vector<Object> answers_for_names(const Subject& subject,
                                      const std::vector<std::string>& names);
void ask_about_names(Subject* subject, const std::vector<std::string>& names);

// Asks a Python interpreter for its sys.path and, by ctypes, for the names; then the loader for
// PyTorch's libraries where they are installed. False where it does not answer.
bool ask_python(Subject* subject, const std::vector<std::string>& names);

}  // namespace torchada::doctor
