// Where recipes and what is made of them are.
#pragma once

#include <string>
#include <vector>

namespace torchada::recipes {

// Of the recipes that torchada brings.
std::string installed_recipes();
// Their names.
std::vector<std::string> names_of_installed();

// TORCHADA_KERNELS_FOLDER, or torchada/kernels in the user's cache. Throws Failure if the user has
// neither.
std::string kernels_folder();
// Of what all recipes have made. It need not exist.
std::string objects_folder();

// What is kept depends on the working folder, so that all who make images work in this one.
void enter_objects_folder();

// Makes a folder that only this user may write to, and those above it. Throws Failure, with the
// reason, if it cannot be made or if others may write to it.
void make_own_folder(const std::string& path);

}  // namespace torchada::recipes
