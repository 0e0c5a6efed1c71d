#include "src/command/doctor/static_runtimes.h"

#include <stdexcept>

#include "src/inspect/mapped_file.h"
#include "src/inspect/static_runtime.h"

namespace torchada::doctor {

bool contains_static_runtime(const Subject& subject, const std::string& path) {
  const ReadElf& read = subject.read(path);
  if (!read.elf) return false;
  try {
    return has_static_runtime(*read.elf, MappedFile(subject.files.here(path)).bytes());
  } catch (const std::runtime_error&) {
    return false;  // The process or file has disappeared.
  }
}

bool is_nvidia_name(const Subject& subject, const std::string& path) {
  const std::string name = base_name_of(path);
  return !stem_of(subject, path).empty() || name.starts_with("libcu") ||
         name.starts_with("libnv") || name.starts_with("libnpp");
}

}  // namespace torchada::doctor
