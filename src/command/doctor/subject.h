// What the doctor examines: a command before it is started, a process, or a container's files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elf_file.h"
#include "files.h"
#include "findings.h"
#include "tables.h"

namespace torchada::doctor {

enum class Mode { kHere, kProcess, kRoot };

// A library as the loader answers for it.
struct Object {
  std::string name;   // As asked for: "libcudart.so.12".
  std::string path;   // As in the tree; empty where it is not found.
  std::string asker;  // The file that is linked with it, or who asks for it by dlopen.
};

// An ELF file of the tree, or why it is none.
struct ReadElf {
  std::optional<ElfFile> elf;
  std::string error;
  bool unreadable = false;  // Permissions.
};

struct Subject {
  Mode mode = Mode::kHere;
  Files files;
  std::string installation;  // torchada's root, as a path of the tree.
  tables::Tables tables;
  int timeout = 60;

  bool knows_environment = true;
  std::map<std::string, std::string> environment;

  bool has_program = false;
  std::string word;     // The command as written.
  std::string program;  // Its file; empty where there is none.
  std::string started;  // The ELF file that the kernel starts: the interpreter of scripts.
  bool is_python = false;
  bool ignores_environment = false;  // setuid and the like.

  // Who answers for the loader, and the file that it is asked about; empty where it cannot be
  // asked.
  std::string loader, loaded;

  std::vector<Object> objects;  // Everything that the loader maps or finds.
  bool asked_by_name =
      false;  // Names were asked for as by dlopen; the program is linked with none.
  std::vector<std::string> replaced;  // Mapped by a process, but no longer what lies there.
  std::string loader_complains;       // What the loader said, where it could not answer.

  // Empty where it is unset.
  std::string variable(const std::string& name) const;
  const ReadElf& read(const std::string& path) const;  // Reads each file once.

 private:
  mutable std::map<std::string, std::unique_ptr<ReadElf>> read_;
};

std::vector<std::string> split(const std::string& list, const char* separators);
std::string base_name_of(const std::string& path);
std::string folder_of(const std::string& path);

// "libcudart" of a file name that NVIDIA's libraries of our names have, also as wheels rename it;
// empty for all others. Of paths the last part counts.
std::string stem_of(const Subject& subject, const std::string& path);
// What follows ".so.": "12"; empty for unversioned names.
std::string version_of_name(const std::string& path);
// Carries our ELF note.
bool is_ours(const Subject& subject, const std::string& path);
bool is_musart(const std::string& path);
// The SDK of what musaRuntimeGetVersion says.
int sdk_of_runtime(int version);

}  // namespace torchada::doctor
