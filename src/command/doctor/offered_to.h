// Which of our libraries that not every program finds the subject does find.
#pragma once

#include <string>

#include "src/command/doctor/subject.h"

namespace torchada::doctor {

// The first of our libraries that is offered in that way, "by run" or "on request", as a path of
// the tree. Empty if the program finds none, or another one.
std::string offered_to(const Subject& subject, const std::string& offered);

}  // namespace torchada::doctor
