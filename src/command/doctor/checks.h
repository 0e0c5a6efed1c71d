// The parts of an examination, in the order in which they are made.
#pragma once

#include "findings.h"
#include "subject.h"

namespace torchada::doctor {

// False where what is found about the program itself leaves nothing else to ask.
bool check_program(Subject* subject, Report* report);
void check_installation(const Subject& subject, Report* report);
void check_libraries(const Subject& subject, Report* report);
void check_environment(const Subject& subject, Report* report);
void check_musa(const Subject& subject, Report* report);

// The libmusart that would be used, as a path of the tree; empty where there is none. What is wrong
// with the places that are asked goes into the report.
std::string find_musart(const Subject& subject, Report* report);
// Asks MUSA for its devices, in a child process. True where there are some.
bool check_devices(const Subject& subject, const std::string& musart, bool stand_in,
                   Report* report);
// Of a real MUSA; `answers`: it has devices, so that what is missing was not needed.
void check_driver(const Subject& subject, const std::string& musart, bool answers, Report* report);

}  // namespace torchada::doctor
