// Whether a process is the program that a recipe is for.
#pragma once

#include <sys/types.h>

#include <string>

#include "src/command/recipes/recipe.h"

namespace torchada::recipes {

// Why not; empty if it is, or if that cannot be seen.
std::string wrong_program(const Recipe& recipe, pid_t process);

// Whether the path is that of the program's file, in the recipe's version.
bool is_right_file(const Recipe& recipe, const std::string& path);

// The same as the first of a file of the program, such as /.../torch/lib/libtorch_cuda.so.
std::string wrong_file(const Recipe& recipe, const std::string& path);

}  // namespace torchada::recipes
