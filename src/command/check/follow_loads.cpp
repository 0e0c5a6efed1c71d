#include "src/command/check/follow_loads.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <fstream>

#include "src/command/check/paths.h"
#include "src/command/loader_folders.h"
#include "src/command/offered_libraries.h"
#include "src/command/run_path.h"
#include "src/shared/split.h"
#include "src/shared/system_folders.h"

namespace torchada::check {
namespace {

std::string base_of(const std::string& path) { return path.substr(path.find_last_of("/!") + 1); }

// "/a/b/../c": "/a/c". As the loader does not do it, only for paths without links that matter.
std::string shortened(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out = path.starts_with('/') ? "/" : "";
  for (const std::string& part : parts) out += (out.empty() || out == "/" ? "" : "/") + part;
  return out;
}

// "#!/opt/venv/bin/python3 -I": the path. Empty for "#!/usr/bin/env python3".
std::string interpreter_of(const std::string& path) {
  constexpr std::streamsize kLongest = 256;
  if (!is_regular_file(path)) return "";
  std::ifstream in(path, std::ios::binary);
  std::string line(kLongest, '\0');
  in.read(line.data(), kLongest);
  line.resize(static_cast<std::size_t>(in.gcount()));
  line.resize(std::min(line.size(), line.find('\n')));
  if (!line.starts_with("#!/")) return "";
  line = line.substr(2, line.find_first_of(" \t\r", 2) - 2);
  return base_of(line).starts_with("python") ? line : "";
}

// Where the loader looks for what no file's own path gives.
const std::vector<std::string>& loader_folders() {
  static const std::vector<std::string> all = [] {
    const char* first = std::getenv("LD_LIBRARY_PATH");
    std::vector<std::string> out = split(first == nullptr ? "" : first, ":;");
    for (const std::string& folder : configured_folders(Files())) out.push_back(folder);
    for (const SystemFolder& folder : kSystemFolders) {
      if (folder.is_default) out.push_back(folder.path);
    }
    return out;
  }();
  return all;
}

// The file that the loader takes for a name, which may be a path. Empty if it finds none.
std::string loader_finds(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_regular_file(name) ? name : "";
  for (const std::string& folder : loader_folders()) {
    const std::string path = folder + "/" + name;
    if (is_regular_file(path)) return path;
  }
  return "";
}

std::string shown_name(const PythonImport& import) {
  return std::string(static_cast<std::size_t>(import.level), '.') + import.module;
}

// Null if it is linked with none.
const Library* linked_on_request(const Report& report) {
  for (const NeededLibrary& needed : report.libraries) {
    if (needed.listed && needed.library != nullptr && is_offered_on_request(needed.library->name)) {
      return needed.library;
    }
  }
  return nullptr;
}

// What holds of the whole if it holds of a part.
void add_part(const Brought& part, Brought* whole) {
  whole->stops |= part.stops;
  whole->works |= part.works;
  whole->blind |= part.blind;
  whole->compiles |= part.compiles;
  if (whole->code.empty()) whole->code = part.code;
  if (whole->on_request == nullptr) whole->on_request = part.on_request;
}

}  // namespace

LoadFollower::LoadFollower(const std::vector<std::string>& files, const Standings& standings,
                           const Options& options)
    : standings_(standings), options_(options) {
  for (const std::string& file : files) {
    files_.insert(file);
    by_name_.emplace(base_of(file), file);
  }
}

void LoadFollower::add_members(const std::vector<Report>& reports) {
  for (const Report& report : reports) {
    const std::size_t mark = report.path.rfind('!');
    if (!report.in_archive || mark == std::string::npos) continue;
    by_name_.emplace(base_of(report.path), report.path);
    if (!report.soname.empty()) by_name_.emplace(report.soname, report.path);
    std::set<std::string>& names = members_[report.path.substr(0, mark)];
    std::string rest = report.path.substr(mark + 1);
    for (std::size_t slash = rest.find('/'); slash != std::string::npos; slash = rest.find('/')) {
      names.insert(rest.substr(0, slash));
      rest.erase(0, slash + 1);
    }
    names.insert(rest.substr(0, rest.find('.')));
  }
}

// The path of the file that the loader takes for a NEEDED entry. With `everywhere`, also where it
// looks for every file. Empty if none is known.
std::string LoadFollower::library_for(const Report& report, const std::string& name,
                                      bool everywhere) const {
  if (!report.in_archive) {
    const std::string& paths = report.runpath.empty() ? report.rpath : report.runpath;
    for (const std::string& folder : run_path(report.path, paths)) {
      const std::string path = shortened(folder + "/" + name);
      if (is_regular_file(path)) return path;
    }
  }
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  return everywhere ? loader_finds(name) : "";
}

void LoadFollower::find_others(Report& report) const {
  // A script may look for the file of a name that it does not open by itself.
  for (OtherNeeded& other : report.others) {
    if (other.listed) other.found = library_for(report, other.name, false);
    if (other.found.empty() && (other.listed || (report.is_python && other.required))) {
      other.found = loader_finds(other.name);
    }
  }
}

std::vector<std::pair<std::string, NamedFile>> LoadFollower::find_files(Report& report) {
  std::vector<std::pair<std::string, NamedFile>> out;
  if (report.in_archive) return out;
  std::vector<std::string> trees;    // With everything below.
  std::vector<std::string> folders;  // Their files alone.
  folders.push_back(parent_of(report.path));
  if (report.is_python && !report.files.empty()) {
    ModulePath& modules = modules_for(report);
    trees.push_back(modules.package_of(report.path));
    for (const std::string& name : report.located) {
      trees.push_back(modules.package_folder(name));
      folders.push_back(parent_of(trees.back()));
    }
  }
  for (const NamedFile& file : report.files) {
    std::string path;
    for (const std::string& folder : folders) {
      if (path.empty() && is_regular_file(folder + "/" + file.name))
        path = folder + "/" + file.name;
    }
    for (const std::string& tree : trees) {
      if (!path.empty() || tree.empty()) continue;
      const auto& known = packages_.libraries_below(tree);
      if (const auto found = known.find(file.name); found != known.end()) path = found->second;
    }
    if (path.empty() && report.is_python && file.name.find(".so") != std::string::npos) {
      path = loader_finds(file.name);
    }
    if (!path.empty() && path != report.path) out.emplace_back(path, file);
  }
  if (out.empty() && report.opens.empty()) {
    report.unexamined.insert(report.unexamined.end(), report.computed_libraries.begin(),
                             report.computed_libraries.end());
  }
  return out;
}

void LoadFollower::add_edges(const Report& report, const std::vector<std::string>& opened,
                             Node& node) {
  for (const PythonImport& import : report.imports) {
    if (import.deferred) continue;
    const bool sure = !import.optional && !import.computed;
    const FoundModule found = modules_for(report).find(import, report.path);
    for (const std::string& file : found.files) {
      node.loads.push_back({file, sure && !found.perhaps});
    }
    if (found.state == FoundModule::State::kMissing && sure &&
        node.verdict < Verdict::kUnexamined) {
      node.verdict = Verdict::kUnexamined;
      node.reason = report.path + ": it imports " + import.module + ", which was not found";
    }
  }
  for (const std::string& group : report.plugin_groups) {
    for (const std::string& file : modules_for(report).plugins(group)) {
      node.loads.push_back({file, false});
    }
  }
  for (const std::string& file : opened) node.loads.push_back({file, false});
  for (const std::string& name : report.needed) {
    const std::string library = library_for(report, name, false);
    if (!library.empty()) node.loads.push_back({library, true});
  }
}

const LoadFollower::Node& LoadFollower::node_of(const std::string& path) {
  const auto [place, is_new] = nodes_.try_emplace(path);
  Node& node = place->second;
  if (!is_new) return node;
  for (Report& report : examine_file(path, false, standings_, options_)) {
    if (report.path != path) continue;
    find_others(report);
    std::vector<std::string> opened;
    for (const auto& [file, name] : find_files(report)) opened.push_back(file);
    judge(report, Whose::kPart);
    node.verdict = report.verdict;
    node.stops = report.stops;
    node.works = report.works;
    node.blind = report.blind;
    node.compiles = report.compiles;
    if (!report.code.empty()) node.code = path + ": " + report.code;
    node.on_request = linked_on_request(report);
    if (!report.reasons.empty()) node.reason = path + ": " + report.reasons[0];
    if (report.verdict == Verdict::kReplaced) break;
    if (const OtherLibrary* own = find_other(report.soname); own != nullptr) {
      // It loads, whatever it can do without a driver. The file that needs it has the other part.
      if (!node.stops) node.verdict = Verdict::kPartly;
      if (!node.stops) node.reason = path + ": it is NVIDIA's library (" + own->what + ")";
      node.works = false;
      break;
    }
    add_edges(report, opened, node);
  }
  return node;
}

const Brought& LoadFollower::brought_by(const std::string& path) {
  const auto [place, is_new] = brought_.try_emplace(path);
  Brought& out = place->second;
  if (!is_new) return out;
  std::set<std::string> seen = {path};
  std::deque<std::string> next = {path};
  std::vector<std::string> perhaps;
  const auto follow = [&](bool sure) {
    while (!next.empty()) {
      const Node& node = node_of(next.front());
      next.pop_front();
      Brought part = node;
      part.stops &= sure;
      part.blind &= sure;
      // A damaged file among many modules says nothing about the program.
      if (part.verdict == Verdict::kUnreadable) part.verdict = Verdict::kUnexamined;
      // A module that may be absent may lack modules too.
      if (part.verdict == Verdict::kUnexamined && !sure) part.verdict = Verdict::kNothing;
      add_part(part, &out);
      const bool ends = part.stops || part.blind;
      if (part.verdict > out.verdict || (ends && part.verdict == out.verdict)) {
        out.verdict = part.verdict;
        out.reason = part.reason;
      }
      for (const Edge& load : node.loads) {
        if (sure && !load.sure) {
          perhaps.push_back(load.path);
        } else if (seen.insert(load.path).second) {
          next.push_back(load.path);
        }
      }
    }
  };
  follow(true);
  for (const std::string& file : perhaps) {
    if (seen.insert(file).second) next.push_back(file);
  }
  follow(false);
  if (out.stops || out.blind) out.works = false;
  // One way to CUDA does not work, and another does.
  if (out.verdict == Verdict::kCannot && out.works) out.verdict = Verdict::kPartly;
  return out;
}

ModulePath& LoadFollower::modules_for(const Report& report) {
  const std::string own = report.named ? interpreter_of(report.path) : "";
  const std::string interpreter = options_.python.empty() ? own : options_.python;
  std::unique_ptr<ModulePath>& modules = modules_[interpreter];
  if (modules == nullptr) {
    modules = std::make_unique<ModulePath>(module_folders(options_.python_path, interpreter));
  }
  return *modules;
}

bool LoadFollower::is_in_archive(const Report& report, const PythonImport& import) const {
  if (!report.in_archive) return false;
  const auto names = members_.find(report.path.substr(0, report.path.rfind('!')));
  return import.level > 0 || (names != members_.end() && names->second.count(import.module.substr(
                                                             0, import.module.find('.'))) != 0);
}

// Keeps the first of each name.
void LoadFollower::add_load(Report& report, const Loaded& load) const {
  if (load.verdict == Verdict::kNothing) return;
  for (Loaded& known : report.loads) {
    if (known.name != load.name) continue;
    Brought both = known;
    add_part(load, &both);
    if (load.verdict > known.verdict) known = load;
    both.verdict = known.verdict;
    both.reason = known.reason;
    static_cast<Brought&>(known) = both;
    return;
  }
  report.loads.push_back(load);
}

void LoadFollower::follow_imports(Report& report) {
  std::set<std::string> missing;
  for (const PythonImport& import : report.imports) {
    if (is_in_archive(report, import)) continue;
    const FoundModule found = modules_for(report).find(import, report.path);
    if (found.state == FoundModule::State::kMissing && !import.optional &&
        missing.insert(found.missing).second) {
      report.unexamined.push_back("line " + std::to_string(import.line) + " imports " +
                                  found.missing + ", which was not found");
    }
    const bool sure = !import.deferred && !import.optional && !import.computed && !found.perhaps;
    for (const std::string& file : found.files) {
      if (!report.named && files_.count(file) != 0) continue;
      const Brought& brought = brought_by(file);
      Loaded load{brought, shown_name(import), file, import.line, "imports"};
      load.stops &= sure;
      load.blind &= sure;
      add_load(report, load);
      if (!report.named || brought.verdict != Verdict::kNothing) continue;
      const std::string silent = packages_.library_with_cuda(file, standings_, options_.abi);
      if (silent.empty() || !missing.insert(silent).second) continue;
      report.unexamined.push_back("line " + std::to_string(import.line) + " imports " +
                                  shown_name(import) + ", whose package brings " + silent +
                                  ": whether and when it is loaded was not found");
    }
  }
}

void LoadFollower::follow_files(Report& report) {
  for (const auto& [path, file] : find_files(report)) {
    if (!report.named && files_.count(path) != 0) continue;
    Loaded load{brought_by(path), file.name, path, file.line, "opens"};
    load.stops = load.blind = false;
    add_load(report, load);
  }
}

void LoadFollower::follow_needed(Report& report) {
  for (const std::string& name : report.needed) {
    const bool known =
        std::any_of(report.libraries.begin(), report.libraries.end(),
                    [&name](const NeededLibrary& library) { return library.asked == name; });
    if (known || find_other(name) != nullptr) continue;
    const std::string path = library_for(report, name, true);
    if (path.empty()) continue;
    Loaded load{brought_by(path), name, path, 0, "loads"};
    load.blind = false;
    add_load(report, load);
  }
}

void LoadFollower::settle_code(Report& report) const {
  for (const Loaded& load : report.loads) report.compiles |= load.compiles;
  if (report.compiles || compiles_code(report)) return;
  const Verdict verdict = verdict_on_code(options_);
  for (Loaded& load : report.loads) {
    if (load.code.empty() || load.verdict >= verdict) continue;
    load.verdict = verdict;
    load.reason = load.code;
  }
}

void LoadFollower::follow(Report& report) {
  if (report.verdict == Verdict::kUnreadable || report.verdict == Verdict::kReplaced) return;
  find_others(report);
  follow_files(report);
  follow_imports(report);
  if (report.named) {
    for (const std::string& text : report.computed_imports) report.unexamined.push_back(text);
    follow_needed(report);
  }
  settle_code(report);
}

}  // namespace torchada::check
