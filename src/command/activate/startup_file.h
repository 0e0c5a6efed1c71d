// The files that a login shell reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada::activate {

// Read by every user's login shells where the distribution's /etc/profile does so.
inline constexpr char kSystemFile[] = "/etc/profile.d/torchada.sh";

// The one that this user's login shell reads, by SHELL; it need not exist. Throws UsageError for a
// shell that reads none in sh's language, Failure where HOME is not known.
std::filesystem::path startup_file();

// All that startup_file() may ever have named and that exist.
std::vector<std::filesystem::path> startup_files();

// What the file has; nothing where it does not exist. Throws Failure.
std::string read_startup_file(const std::filesystem::path& file);

// Replaces the file in one step, with its mode and through symbolic links. Throws Failure, and
// leaves the file as it was.
void write_startup_file(const std::filesystem::path& file, const std::string& text);

// Of a symbolic link, which stays, the file is emptied instead. Throws Failure.
void remove_startup_file(const std::filesystem::path& file);

}  // namespace torchada::activate
