// What torchada check and doctor say of programs for which torchada has a recipe.
#pragma once

#include <string>

namespace torchada::recipes {

// `path`: a file of the program, such as /.../torch/__init__.py. What it runs with, and what that
// still lacks on this machine. Empty if no recipe is for it.
std::string advice_for(const std::string& path);

}  // namespace torchada::recipes
