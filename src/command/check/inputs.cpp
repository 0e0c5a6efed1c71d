#include "src/command/check/inputs.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

namespace torchada::check {
namespace {

class Collector {
 public:
  std::vector<Input> files;
  std::vector<Input> unreadable;

  // No recursion: a deliberately deep tree would overflow the stack.
  void collect(const std::string& path) {
    add(path, true);
    while (!folders_.empty()) {
      const std::string folder = folders_.back();
      folders_.pop_back();
      list(folder);
    }
  }

 private:
  void add(const std::string& path, bool named) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      // A path that the user wrote always gets an answer. A dangling link in a directory is
      // ignored.
      if (named) files.push_back({path, true});
      return;
    }
    if (!seen_.insert({status.st_dev, status.st_ino}).second) return;
    if (S_ISDIR(status.st_mode)) {
      folders_.push_back(path);
    } else if (S_ISREG(status.st_mode) || named) {
      files.push_back({path, named});
    }
  }

  void list(const std::string& folder) {
    DIR* handle = opendir(folder.c_str());
    if (handle == nullptr) {
      unreadable.push_back({folder, true});
      return;
    }
    std::vector<std::string> names;
    while (const dirent* entry = readdir(handle)) names.emplace_back(entry->d_name);
    closedir(handle);
    // The name under which a file is reported must not depend on the order on disk.
    std::sort(names.begin(), names.end());
    const std::string below = folder.back() == '/' ? folder : folder + "/";
    for (const std::string& name : names) {
      if (name != "." && name != "..") add(below + name, false);
    }
  }

  std::vector<std::string> folders_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace

std::vector<Input> collect_inputs(const std::vector<std::string>& paths,
                                  std::vector<Input>& unreadable) {
  Collector collector;
  for (const std::string& path : paths) collector.collect(path);
  unreadable = collector.unreadable;
  std::stable_sort(collector.files.begin(), collector.files.end(),
                   [](const Input& a, const Input& b) { return a.path < b.path; });
  return collector.files;
}

}  // namespace torchada::check
