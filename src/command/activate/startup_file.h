// The files that a login shell reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada::activate {

// Every user's login shell reads it if the distribution's /etc/profile reads that directory.
inline constexpr char kSystemFile[] = "/etc/profile.d/torchada.sh";

// The file that this user's login shell reads, according to SHELL. The file need not exist. Throws
// UsageError for a shell that reads no file in sh's language, Failure if HOME is unknown.
std::filesystem::path startup_file();

// All existing files that startup_file() may ever have returned.
std::vector<std::filesystem::path> startup_files();

// The contents of the file, empty if it does not exist. Throws Failure.
std::string read_startup_file(const std::filesystem::path& file);

// Replaces the file in one step. Keeps its mode and follows symbolic links. On an error, throws
// Failure and leaves the file unchanged.
void write_startup_file(const std::filesystem::path& file, const std::string& text);

// Removes the file. A symbolic link stays and its target is emptied instead. Throws Failure.
void remove_startup_file(const std::filesystem::path& file);

}  // namespace torchada::activate
