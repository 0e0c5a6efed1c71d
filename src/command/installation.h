// Finds torchada's own installation and a usable MUSA.
#pragma once

#include <string>

#include "src/command/files.h"

namespace torchada {

// This executable. Throws std::runtime_error if it cannot be found, which needs /proc only if the
// kernel did not pass its name.
std::string own_path();

// The directory above this executable's libexec/. The installation is relocatable. Throws as
// own_path.
std::string installation_root();

// The libmusart that the libraries would open, or an empty string. Searches the same places in the
// same order.
std::string find_musa();

// The libmusart in the usual places for SDKs, or an empty string.
std::string find_installed_musa(const Files& files = {});

// The libmusart of the newest installation in a directory that is named like one of the usual
// places with a version, such as /usr/local/musa-5.2, or an empty string.
std::string find_versioned_musa();

// The libmusart of one installation. Its links do not lead out of `files`.
std::string find_musa_in(const std::string& root, const Files& files = {});

// The root of an installation: the directory that contains the subfolder of this libmusart.
std::string root_of(const std::string& musart);

// The version in the installation's version.json, or else in its directory name: "5.1.0". Empty if
// unknown.
std::string sdk_version_of(const std::string& root, const Files& files = {});

// Whether version.json says that this libmusart belongs to the CPU stand-in.
bool is_stand_in(const std::string& musart, const Files& files = {});

}  // namespace torchada
