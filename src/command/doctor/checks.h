// The parts of an examination, in order of execution.
#pragma once

#include "src/command/doctor/findings.h"
#include "src/command/doctor/subject.h"

namespace torchada::doctor {

// Returns false if the program itself leaves nothing more to check.
bool check_program(Subject* subject, Report* report);
void check_installation(const Subject& subject, Report* report);
// What `torchada check` says of a script. Notes what the script imports.
void check_script(Subject* subject, Report* report);
void check_libraries(const Subject& subject, Report* report);
// Whether the program's libraries find room for their static TLS beside the audit module.
void check_static_tls(const Subject& subject, Report* report);
// Which parts behave differently because the program finds torchada's driver.
void check_offered_driver(const Subject& subject, Report* report);
void check_offered_nvml(const Subject& subject, Report* report);
void check_environment(const Subject& subject, Report* report);
void check_musa(const Subject& subject, Report* report);

// The libmusart that would be used, as a path of the tree. Empty if none is found. Reports problems
// of the searched places.
std::string find_musart(const Subject& subject, Report* report);
// The file of a driver's library (an index of torchada_backend_table) that `musart` would use, as a
// path of the tree. Empty if none is found.
std::string find_driver(const Subject& subject, const std::string& musart, int library);
// Asks MUSA for its devices, in a child process. Returns true if any exist.
bool check_devices(const Subject& subject, const std::string& musart, bool stand_in,
                   Report* report);
// For a real MUSA. `answers` means that it has devices, so anything missing was not needed.
void check_driver(const Subject& subject, const std::string& musart, bool answers, Report* report);

}  // namespace torchada::doctor
