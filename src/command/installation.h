// Where torchada itself lies, and whether a MUSA is there to be used.
#pragma once

#include <string>

#include "files.h"

namespace torchada {

// The folder above bin/ of this executable: the tree is relocatable.
std::string installation_root();

// The libmusart that the libraries would open, or an empty string. Asks the places that the
// libraries ask, in their order.
std::string find_musa();

// The one in the places where SDKs are installed, or an empty string.
std::string find_installed_musa(const Files& files = {});

// The same in one installation only, of which the links lead nowhere out of `files`.
std::string find_musa_in(const std::string& root, const Files& files = {});

// The folder that is searched for one of the MUSA libraries lies below this one.
std::string root_of(const std::string& musart);

// What the installation's version.json says, or else the name of its folder: "5.1.0"; empty where
// neither tells.
std::string sdk_version_of(const std::string& root, const Files& files = {});

// Whether a libmusart is that of the CPU stand-in, by its version.json.
bool is_stand_in(const std::string& musart, const Files& files = {});

}  // namespace torchada
