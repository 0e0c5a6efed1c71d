#include "src/command/doctor/search.h"

#include <deque>
#include <set>

#include "src/command/loader_folders.h"
#include "src/command/run_path.h"
#include "src/shared/split.h"
#include "src/shared/system_folders.h"

namespace torchada::doctor {
namespace {

bool fits(const Subject& subject, const std::string& path) {
  if (!subject.files.has(path)) return false;
  const ReadElf& read = subject.read(path);
  return !read.elf || read.elf->bits == 64;  // The loader skips others, but not damaged files.
}

}  // namespace

std::vector<SearchFolder> search_folders(const Subject& subject, const std::string& file) {
  std::vector<SearchFolder> out;
  const ReadElf& read = subject.read(file);
  const auto add_all = [&](const std::vector<std::string>& folders, const std::string& why) {
    for (const std::string& folder : folders) out.push_back({folder, why});
  };
  if (read.elf && read.elf->rpath && !read.elf->runpath) {
    add_all(run_path(file, *read.elf->rpath), "DT_RPATH of " + file);
  }
  add_all(split(subject.variable("LD_LIBRARY_PATH"), ":;"), "LD_LIBRARY_PATH");
  if (read.elf && read.elf->runpath) {
    add_all(run_path(file, *read.elf->runpath), "DT_RUNPATH of " + file);
  }
  add_all(configured_folders(subject.files), "/etc/ld.so.conf");
  for (const SystemFolder& folder : kSystemFolders) {
    if (folder.is_default) out.push_back({folder.path, "the loader's default directories"});
  }
  return out;
}

std::string search(const Subject& subject, const std::string& file, const std::string& name) {
  if (name.find('/') != std::string::npos) return subject.files.has(name) ? name : "";
  for (const SearchFolder& folder : search_folders(subject, file)) {
    const std::string path = folder.folder + "/" + name;
    if (fits(subject, path)) return path;
  }
  return "";
}

void search_all(Subject* subject, const std::string& file) {
  std::set<std::string> seen;
  std::deque<std::string> waiting = {file};
  while (!waiting.empty()) {
    const std::string asker = waiting.front();
    waiting.pop_front();
    const ReadElf& read = subject->read(asker);
    if (!read.elf) continue;
    for (const std::string& needed : read.elf->needed) {
      if (!seen.insert(needed).second) continue;
      std::string path = search(*subject, asker, needed);
      // DT_RPATH of the program also applies to its libraries' dependencies.
      if (path.empty() && asker != file) path = search(*subject, file, needed);
      subject->objects.push_back({needed, path, asker});
      if (!path.empty()) waiting.push_back(path);
    }
  }
}

}  // namespace torchada::doctor
