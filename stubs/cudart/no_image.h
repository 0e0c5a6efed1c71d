// The line about registered device code that cannot run.
#pragma once

#include "stubs/cudart/registered_code.h"

namespace torchada {

// Prints one line for each kernel and variable, up to a limit. `why`: null if it has no image, or
// what else is in the way, as "is ...".
void report_no_image(const char* function, const RegisteredCode& code, const char* why);

// The same for a managed variable that the host is about to use. The program fails there.
void report_no_memory(const char* function, const RegisteredCode& code);

}  // namespace torchada
