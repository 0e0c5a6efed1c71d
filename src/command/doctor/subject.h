// What the doctor examines: a command before its start, a process, or a container's files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/command/doctor/findings.h"
#include "src/command/files.h"
#include "src/command/tables.h"
#include "src/inspect/elf_file.h"

namespace torchada::doctor {

enum class Mode { kHere, kProcess, kRoot };

// A library, as the loader answers for it.
struct Object {
  std::string name;   // As requested: "libcudart.so.12".
  std::string path;   // A path of the tree. Empty if not found.
  std::string asker;  // The file that is linked with it, or "dlopen".
};

// An ELF file of the tree, or why it could not be read.
struct ReadElf {
  std::optional<ElfFile> elf;
  std::string error;
  bool unreadable = false;  // Because of its permissions.
};

struct Subject {
  Mode mode = Mode::kHere;
  int timeout = 60;
  bool knows_environment = true;
  bool has_program = false;
  bool is_python = false;
  bool ignores_environment = false;  // setuid and similar.
  // Names were looked up as for dlopen, because the program is linked with none.
  bool asked_by_name = false;

  Files files;
  std::string installation;  // torchada's root, as a path of the tree.
  const tables::Tables* tables = nullptr;
  std::map<std::string, std::string> environment;

  std::vector<std::string> wrappers;  // What starts the program: "env", "/opt/start.sh".
  std::string unknown;  // Why what the program starts was not examined. Empty if nothing is open.
  bool as_run = false;  // As torchada run would start it.
  bool stand_in_by_run = false;  // And run takes the stand-in, because no MUSA is installed.

  std::string word;     // The command as the user wrote it.
  std::string program;  // Its file. Empty if not found.
  std::string started;  // The ELF file that the kernel starts. For a script, its interpreter.
  std::string script;   // Of Python, as a path. Empty if none is named.
  std::vector<std::string> module_folders;  // Where Python looks for modules.
  std::vector<std::string> imported;        // The modules that the script imports, without dots.

  // The loader to ask, and the file to ask it about. Both are empty if it cannot be asked.
  std::string loader, loaded;

  std::vector<Object> objects;        // Everything that the loader maps or finds.
  std::vector<std::string> replaced;  // Mapped by a process, but replaced on disk since.
  std::string loader_complains;       // The loader's message, if it could not answer.

  // Empty if unset.
  std::string variable(const std::string& name) const;
  const ReadElf& read(const std::string& path) const;  // Reads each file once.

 private:
  mutable std::map<std::string, std::unique_ptr<ReadElf>> read_;
};

// "libcudart" for a file name that NVIDIA uses for one of our libraries, even if a wheel renamed
// it. Empty for all others. For a path, the file name counts.
std::string stem_of(const Subject& subject, const std::string& path);
// The part after ".so.": "12". Empty for unversioned names.
std::string version_of_name(const std::string& path);
// Whether the file has our ELF note.
bool is_ours(const Subject& subject, const std::string& path);
bool is_musart(const std::string& path);
// The SDK version for a result of kRuntimeVersionCall.
int sdk_of_runtime(int version);

}  // namespace torchada::doctor
