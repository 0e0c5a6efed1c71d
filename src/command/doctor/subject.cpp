#include "src/command/doctor/subject.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "src/shared/backend_table.h"
#include "src/shared/library_name.h"

namespace torchada::doctor {

std::string Subject::variable(const std::string& name) const {
  if (ignores_environment) return "";
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

const ReadElf& Subject::read(const std::string& path) const {
  const std::string place = files.here(path);
  std::unique_ptr<ReadElf>& entry = read_[place];
  if (entry) return *entry;
  entry = std::make_unique<ReadElf>();
  if (place.empty()) {
    entry->error = "does not exist";
    return *entry;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(place, error)) {
    entry->error = "is not a regular file";  // Opening a FIFO would wait for somebody to write.
    return *entry;
  }
  if (access(place.c_str(), R_OK) != 0) {
    entry->error = std::strerror(errno);
    entry->unreadable = true;
    return *entry;
  }
  try {
    entry->elf = read_elf_file(place);
  } catch (const ElfError& damage) {
    const std::string text = damage.what();
    entry->error = text.starts_with(place + ": ") ? text.substr(place.size() + 2) : text;
  }
  return *entry;
}

std::string stem_of(const Subject& subject, const std::string& path) {
  LibraryName name;
  const std::string base = base_name_of(path);
  if (!parse_library_name(base.c_str(), &name)) return "";
  const std::string stem(name.stem, name.stem_length);
  const bool known =
      std::any_of(subject.tables->libraries.begin(), subject.tables->libraries.end(),
                  [&](const tables::Library& library) { return stem == "lib" + library.name; });
  return known ? stem : "";
}

std::string version_of_name(const std::string& path) {
  LibraryName name;
  const std::string base = base_name_of(path);
  if (!parse_library_name(base.c_str(), &name) || name.version == nullptr) return "";
  return {name.version, name.major_length};
}

bool is_ours(const Subject& subject, const std::string& path) {
  const ReadElf& read = subject.read(path);
  return read.elf && is_torchadas(*read.elf);
}

bool is_musart(const std::string& path) {
  const std::string name = base_name_of(path);
  const std::string stem = torchada_backend_table.names[static_cast<int>(kRuntimeLibrary)];
  return name.starts_with(stem + ".so");
}

int sdk_of_runtime(int version) { return torchada_sdk_of_runtime_version(version); }

}  // namespace torchada::doctor
