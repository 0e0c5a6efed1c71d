// The dynamic loader's own answers: it lists what it would map, and runs nothing.
#pragma once

#include <string>
#include <vector>

#include "src/command/doctor/subject.h"

namespace torchada::doctor {

// Asks subject->loader about an ELF file and the libraries that it is linked with.
void ask_about_file(Subject* subject, const std::string& file);

// Where dlopen(NAME) would lead in subject->loaded: the loader searches for names in LD_PRELOAD in
// the same way. Returns one Object for each name, without a path if it is not found.
std::vector<Object> answers_for_names(const Subject& subject,
                                      const std::vector<std::string>& names);
void ask_about_names(Subject* subject, const std::vector<std::string>& names);

// Asks a Python interpreter for its sys.path and, by ctypes, for the names. Then asks the loader
// for PyTorch's libraries if they are installed. Returns false if the interpreter does not answer.
bool ask_python(Subject* subject, const std::vector<std::string>& names);

}  // namespace torchada::doctor
