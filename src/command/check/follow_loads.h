// What the examined files load: the modules that scripts import and the libraries that programs
// need. All found by reading files; nothing is run.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/command/check/check.h"
#include "src/command/check/module_path.h"
#include "src/command/check/package_libraries.h"

namespace torchada::check {

class LoadFollower {
 public:
  // `files`: the paths of all examined files. Archives add their members with add_members().
  LoadFollower(const std::vector<std::string>& files, const Standings& standings,
               const Options& options);

  // The names of files in archives, from the reports on them.
  void add_members(const std::vector<Report>& reports);

  // Completes `others`, `loads` and `unexamined` of a report. Modules that are among the examined
  // files are followed only from files that the user named: they have reports of their own.
  void follow(Report& report);

 private:
  // What a file loads. Sure: when it is loaded itself, and it has no way without.
  struct Edge {
    std::string path;
    bool sure = true;
  };
  // One file that something loads, and what it brings without that which it loads.
  struct Node : Brought {
    std::vector<Edge> loads;
  };

  const Node& node_of(const std::string& path);
  void add_edges(const Report& report, const std::vector<std::string>& opened, Node& node);
  const Brought& brought_by(const std::string& path);
  std::string library_for(const Report& report, const std::string& name, bool everywhere) const;
  void find_others(Report& report) const;
  // The files that the report names and that lie where its program would look: beside a binary, in
  // a module's package. Notes a library under a computed name if nothing else tells its name.
  std::vector<std::pair<std::string, NamedFile>> find_files(Report& report);
  void follow_files(Report& report);
  void follow_imports(Report& report);
  void follow_needed(Report& report);
  void add_load(Report& report, const Loaded& load) const;
  // What the parts of a program load at run time counts unless a part compiles it.
  void settle_code(Report& report) const;
  bool is_in_archive(const Report& report, const PythonImport& import) const;
  ModulePath& modules_for(const Report& report);

  const Standings& standings_;
  const Options& options_;
  std::set<std::string> files_;
  std::map<std::string, std::string> by_name_;            // Base name: path.
  std::map<std::string, std::set<std::string>> members_;  // Archive: names of modules and files.
  std::map<std::string, std::unique_ptr<ModulePath>> modules_;  // By interpreter.
  std::map<std::string, Node> nodes_;
  std::map<std::string, Brought> brought_;
  PackageLibraries packages_;
};

}  // namespace torchada::check
