// How the launcher (src/launcher) hands the loader's variables on to the command: under another
// name, which the command changes back before it does anything else.
#pragma once

namespace torchada {

// The variables by which the loader puts code into a process.
constexpr const char* kLoaderVariables[] = {"LD_PRELOAD", "LD_AUDIT"};

// Stands before the name of a variable that was set aside.
constexpr char kSetAside[] = "TORCHADA_SET_ASIDE_";

}  // namespace torchada
