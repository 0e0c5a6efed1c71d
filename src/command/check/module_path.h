// Finds the files of Python modules as an interpreter would, by reading directories. Nothing is
// imported or run.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/inspect/python_source.h"

namespace torchada::check {

// The directories in which the interpreter looks for modules: those in `words` (separated by
// colons), PYTHONPATH, and the site-packages of `interpreter`, a path. Without one, of
// VIRTUAL_ENV's or else of the first python3 in PATH. Lines of .pth files that name a directory
// count; lines of code in them are not run.
std::vector<std::string> module_folders(const std::string& words, const std::string& interpreter);

struct FoundModule {
  enum class State { kFound, kStandard, kMissing };
  State state = State::kMissing;
  std::vector<std::string> files;  // Those that the import runs: a/__init__.py, a/b.py.
  std::string missing;             // The part of the name that no directory has: "a".
  // Some files lie in directories that the package may add to its __path__, as wheels for several
  // versions of CUDA do. There may be more of them than the import runs.
  bool perhaps = false;
};

// Remembers the directories that it has read. Not for several threads.
class ModulePath {
 public:
  explicit ModulePath(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // What an import in the file `importer` runs. The directories above the file count too: its own
  // first, the others after the module path.
  FoundModule find(const PythonImport& import, const std::string& importer);

  // The files of the modules that installed packages offer as entry points of a group.
  std::vector<std::string> plugins(const std::string& group);

  // The directory of a package. Empty if it is not found.
  std::string package_folder(const std::string& name);

  // The outermost package that contains the file: its directory. Empty if none does.
  std::string package_of(const std::string& file);

 private:
  struct Step {
    std::string file;                  // The module's file; __init__ of a package. May be empty.
    std::vector<std::string> folders;  // Where its submodules are.
  };
  // The names in a directory, and whether each is a directory.
  using Names = std::map<std::string, bool>;
  const Names& names_in(const std::string& folder);
  bool is_package(const std::string& folder);
  // One component of a name, in these directories.
  bool step(const std::string& name, const std::vector<std::string>& folders, Step& out);
  bool step_below(const std::string& name, const std::vector<std::string>& folders,
                  FoundModule& out, Step& last);
  bool walk(const std::string& module, const std::vector<std::string>& folders, FoundModule& out,
            Step& last);
  void add_submodules(const PythonImport& import, const Step& last, FoundModule& out);
  void add_computed(const PythonImport& import, const Step& last, FoundModule& out);

  void read_entry_points(const std::string& path);

  std::vector<std::string> folders_;
  std::map<std::string, Names> names_;
  std::map<std::string, std::set<std::string>> entry_points_;  // Group: modules.
  bool has_entry_points_ = false;
};

}  // namespace torchada::check
