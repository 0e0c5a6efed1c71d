#include "src/command/check/module_path.h"

#include <dirent.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "src/command/check/paths.h"
#include "src/command/check/standard_modules.h"
#include "src/command/variables.h"
#include "src/shared/split.h"

namespace torchada::check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 4096;
constexpr int kMostParents = 32;

// The value of `key` in pyvenv.cfg: "home = /usr/bin".
std::string venv_value(const std::string& path, const std::string& key) {
  if (!is_regular_file(path)) return "";
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find('=');
    if (line.size() > kLongestLine || equals == std::string::npos) continue;
    const auto trimmed = [](const std::string& text) {
      const std::size_t first = text.find_first_not_of(" \t");
      if (first == std::string::npos) return std::string();
      return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
    };
    if (trimmed(line.substr(0, equals)) == key) return trimmed(line.substr(equals + 1));
  }
  return "";
}

class Folders {
 public:
  void add(const std::string& folder) {
    std::error_code error;
    if (folder.empty() || !fs::is_directory(folder, error)) return;
    if (std::find(list.begin(), list.end(), folder) == list.end()) list.push_back(folder);
  }

  // A directory for packages, whose .pth files add others.
  void add_site(const std::string& folder) {
    const std::size_t had = list.size();
    add(folder);
    if (list.size() == had) return;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".pth") names.push_back(entry->path().string());
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (!is_regular_file(name)) continue;
      std::ifstream in(name);
      for (std::string line; std::getline(in, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        const bool code = line.starts_with("import ") || line.starts_with("import\t");
        if (line.empty() || line[0] == '#' || code || line.size() > kLongestLine) continue;
        add(line[0] == '/' ? line : folder + "/" + line);
      }
    }
  }

  // The directories for packages below an installation of Python. `version` is "python3.11" if it
  // is known.
  void add_prefix(const std::string& prefix, const std::string& version) {
    for (const char* lib : {"/lib", "/lib64", "/local/lib"}) {
      std::error_code error;
      std::vector<std::string> names;
      for (fs::directory_iterator entry(prefix + lib, error), end; !error && entry != end;
           entry.increment(error)) {
        const std::string name = entry->path().filename();
        const bool fits = version.empty() ? name.starts_with("python3") : name == version;
        if (fits || name == "python3") names.push_back(name);
      }
      std::sort(names.begin(), names.end());
      for (const std::string& name : names) {
        add_site(prefix + lib + "/" + name + "/site-packages");
        add_site(prefix + lib + "/" + name + "/dist-packages");
      }
    }
  }

  void add_interpreter(const std::string& path) {
    std::error_code error;
    const std::string real = fs::canonical(path, error);
    if (error) return;
    const std::string base = real.substr(real.rfind('/') + 1);
    const std::string version = base.starts_with("python3.") ? base : "";
    const std::string prefix = parent_of(parent_of(path));
    const std::string configuration = prefix + "/pyvenv.cfg";
    const bool venv = is_regular_file(configuration);
    if (venv) add_prefix(prefix, "");
    if (venv && venv_value(configuration, "include-system-site-packages") != "true") return;
    const std::string home = environment_variable("HOME");
    if (!home.empty()) add_prefix(home + "/.local", version);
    add_prefix(parent_of(parent_of(real)), version);
    if (!venv && prefix != parent_of(parent_of(real))) add_prefix(prefix, version);
  }

  std::vector<std::string> list;
};

std::string first_python() {
  const std::string own = environment_variable("VIRTUAL_ENV");
  if (!own.empty() && is_regular_file(own + "/bin/python3")) return own + "/bin/python3";
  for (const std::string& folder : split(environment_variable("PATH"), ":")) {
    if (is_regular_file(folder + "/python3")) return folder + "/python3";
  }
  return "";
}

// m.py, m.pyx, m.so, m.cpython-311-x86_64-linux-gnu.so, m.abi3.so
bool is_file_of(const std::string& module, const std::string& file) {
  if (!file.starts_with(module) || file.size() == module.size()) return false;
  const std::string end = file.substr(module.size());
  if (end == ".py" || end == ".so" || end == ".abi3.so") return true;
  return (end.starts_with(".cpython-") || end.starts_with(".pypy")) && end.ends_with(".so");
}

}  // namespace

std::vector<std::string> module_folders(const std::string& words, const std::string& interpreter) {
  Folders out;
  for (const std::string& folder : split(words, ":")) out.add_site(folder);
  for (const std::string& folder : split(environment_variable("PYTHONPATH"), ":")) out.add(folder);
  const std::string python = interpreter.empty() ? first_python() : interpreter;
  if (!python.empty()) out.add_interpreter(python);
  return out.list;
}

const ModulePath::Names& ModulePath::names_in(const std::string& folder) {
  const auto [place, is_new] = names_.try_emplace(folder);
  if (!is_new) return place->second;
  DIR* handle = opendir(folder.c_str());
  if (handle == nullptr) return place->second;
  while (const dirent* entry = readdir(handle)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const bool told = entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK;
    place->second[name] = told ? entry->d_type == DT_DIR : is_folder(folder + "/" + name);
  }
  closedir(handle);
  return place->second;
}

bool ModulePath::is_package(const std::string& folder) {
  return names_in(folder).count("__init__.py") != 0;
}

bool ModulePath::step(const std::string& name, const std::vector<std::string>& folders, Step& out) {
  out = Step();
  for (const std::string& folder : folders) {
    const Names& names = names_in(folder);
    const std::string below = folder + "/" + name;
    if (const auto known = names.find(name); known != names.end() && known->second) {
      const Names& inside = names_in(below);
      for (auto file = inside.lower_bound("__init__."); file != inside.end(); ++file) {
        if (!file->first.starts_with("__init__.")) break;
        if (!is_file_of("__init__", file->first)) continue;
        out.file = below + "/" + file->first;
        out.folders = {below};
        return true;
      }
      out.folders.push_back(below);  // Part of a namespace package, if no directory has more.
    }
    for (auto file = names.lower_bound(name + "."); file != names.end(); ++file) {
      if (!file->first.starts_with(name)) break;
      if (!is_file_of(name, file->first)) continue;
      out.file = folder + "/" + file->first;
      out.folders.clear();
      return true;
    }
  }
  return !out.folders.empty();
}

// The same in each directory of a package, all that are found.
bool ModulePath::step_below(const std::string& name, const std::vector<std::string>& folders,
                            FoundModule& out, Step& last) {
  last = Step();
  for (const std::string& folder : folders) {
    if (!is_package(folder)) continue;
    for (const auto& [below, is_directory] : names_in(folder)) {
      Step found;
      if (!is_directory || !step(name, {folder + "/" + below}, found)) continue;
      if (!found.file.empty()) out.files.push_back(found.file);
      last.folders.insert(last.folders.end(), found.folders.begin(), found.folders.end());
      out.perhaps = true;
    }
  }
  return out.perhaps;
}

bool ModulePath::walk(const std::string& module, const std::vector<std::string>& folders,
                      FoundModule& out, Step& last) {
  std::vector<std::string> in = folders;
  std::string done;
  std::istringstream parts(module);
  for (std::string part; std::getline(parts, part, '.');) {
    done += (done.empty() ? "" : ".") + part;
    Step found;
    if (step(part, in, found)) {
      if (!found.file.empty()) out.files.push_back(found.file);
    } else if (!step_below(part, in, out, found)) {
      out.missing = done;
      return false;
    }
    in = found.folders;
    last = found;
  }
  return true;
}

// Each submodule that a computed name may mean.
void ModulePath::add_computed(const PythonImport& import, const Step& last, FoundModule& out) {
  std::set<std::string> names;
  for (const std::string& folder : last.folders) {
    for (const auto& [file, is_directory] : names_in(folder)) {
      const std::string name = file.substr(0, file.find('.'));
      if (!name.empty() && name != "__init__" && name.starts_with(import.begins)) {
        names.insert(name);
      }
    }
  }
  for (const std::string& name : names) {
    Step found;
    if (step(name, last.folders, found) && !found.file.empty()) out.files.push_back(found.file);
  }
}

void ModulePath::add_submodules(const PythonImport& import, const Step& last, FoundModule& out) {
  if (import.computed) add_computed(import, last, out);
  for (const std::string& name : import.names) {
    Step found;
    if (step(name, last.folders, found) && !found.file.empty()) out.files.push_back(found.file);
  }
}

std::string ModulePath::package_folder(const std::string& name) {
  FoundModule found;
  Step last;
  return walk(name, folders_, found, last) && !last.folders.empty() ? last.folders[0] : "";
}

std::string ModulePath::package_of(const std::string& file) {
  std::string out;
  std::string folder = parent_of(file);
  for (int up = 0; up < kMostParents && is_package(folder); ++up) {
    out = folder;
    folder = parent_of(folder);
  }
  return out;
}

// An INI file: "[group]", then lines "name = module:object".
void ModulePath::read_entry_points(const std::string& path) {
  if (!is_regular_file(path)) return;
  std::ifstream in(path);
  std::string group;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('[')) group = line.substr(1, line.find(']') - 1);
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || line.size() > kLongestLine) continue;
    const std::size_t first = line.find_first_not_of(" \t", equals + 1);
    if (first == std::string::npos) continue;
    entry_points_[group].insert(line.substr(first, line.find_first_of(": \t\r[", first) - first));
  }
}

std::vector<std::string> ModulePath::plugins(const std::string& group) {
  if (!has_entry_points_) {
    has_entry_points_ = true;
    for (const std::string& folder : folders_) {
      for (const auto& [name, is_directory] : names_in(folder)) {
        if (is_directory && name.ends_with("-info"))
          read_entry_points(folder + "/" + name + "/entry_points.txt");
      }
    }
  }
  FoundModule found;
  const auto modules = entry_points_.find(group);
  if (modules == entry_points_.end()) return {};
  for (const std::string& module : modules->second) {
    Step last;
    walk(module, folders_, found, last);
  }
  return found.files;
}

FoundModule ModulePath::find(const PythonImport& import, const std::string& importer) {
  FoundModule out;
  Step last;
  if (import.level > 0) {
    std::string folder = parent_of(importer);
    for (int up = 1; up < import.level && up < kMostParents; ++up) folder = parent_of(folder);
    last.folders = {folder};
    const bool found = import.module.empty() || walk(import.module, {folder}, out, last);
    if (found) add_submodules(import, last, out);
    // A name that a package makes at run time is not missing: the package itself was found.
    out.state = FoundModule::State::kFound;
    return out;
  }
  const std::string top = import.module.substr(0, import.module.find('.'));
  const auto try_in = [&](const std::vector<std::string>& folders) {
    out = FoundModule();
    last = Step();
    const bool whole = walk(import.module, folders, out, last);
    if (whole) add_submodules(import, last, out);
    // Directories without any file of the module prove nothing: any directory may have its name.
    return !out.files.empty();
  };
  // A directory with __init__.py is a package: its modules are found by their full names only.
  std::vector<std::string> own;
  std::vector<std::string> above;
  std::string folder = parent_of(importer);
  if (!is_package(folder)) own.push_back(folder);
  for (int up = 0; up < kMostParents && folder != "." && folder != "/"; ++up) {
    folder = parent_of(folder);
    if (!is_package(folder)) above.push_back(folder);
  }
  if (try_in(own)) {
    out.state = FoundModule::State::kFound;
    return out;
  }
  if (is_standard_module(top)) {
    out.state = FoundModule::State::kStandard;
    return out;
  }
  if (try_in(folders_) || try_in(above)) {
    out.state = FoundModule::State::kFound;
    return out;
  }
  out.missing = top;
  return out;
}

}  // namespace torchada::check
