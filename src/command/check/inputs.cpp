#include "src/command/check/inputs.h"

#include <dirent.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace torchada::check {
namespace {

// File systems whose files the kernel makes up when they are read: without end, or different each
// time. Null for all others.
const char* made_up_file_system(const std::string& folder) {
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0) return nullptr;
  switch (static_cast<unsigned long>(status.f_type)) {
    case PROC_SUPER_MAGIC:
      return "proc";
    case SYSFS_MAGIC:
      return "sysfs";
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
      return "cgroup";
    case DEBUGFS_MAGIC:
      return "debugfs";
    case TRACEFS_MAGIC:
      return "tracefs";
    case SECURITYFS_MAGIC:
      return "securityfs";
    case DEVPTS_SUPER_MAGIC:
      return "devpts";
    case BPF_FS_MAGIC:
      return "bpf";
    case EFIVARFS_MAGIC:
      return "efivarfs";
    case BINFMTFS_MAGIC:
      return "binfmt_misc";
    default:
      return nullptr;
  }
}

class Collector {
 public:
  std::vector<Input> files;
  std::vector<SkippedFolder> skipped;

  // No recursion: a deliberately deep tree would overflow the stack.
  void collect(const std::string& path) {
    std::error_code error;
    root_ = std::filesystem::canonical(path, error).string();
    add(path, true, kNoDevice);
    while (!folders_.empty()) {
      const Folder folder = folders_.back();
      folders_.pop_back();
      list(folder);
    }
  }

 private:
  static constexpr dev_t kNoDevice = 0;
  struct Folder {
    std::string path;
    dev_t device;
  };

  // `device` is that of the directory above.
  void add(const std::string& path, bool named, dev_t device) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      // A path that the user wrote always gets an answer. A dangling link in a directory is
      // ignored.
      if (named) files.push_back({path, true});
      return;
    }
    if (S_ISDIR(status.st_mode)) {
      // Before the directory counts as seen: it may be reached by its own name later.
      if (!named && leads_outside(path)) return;
      if (!seen_.insert({status.st_dev, status.st_ino}).second) return;
      const char* made_up = status.st_dev == device ? nullptr : made_up_file_system(path);
      if (made_up == nullptr) {
        folders_.push_back({path, status.st_dev});
      } else {
        skipped.push_back(
            {path, std::string("its files are made up by the kernel (file system ") + made_up + ")",
             false});
      }
      return;
    }
    if (!seen_.insert({status.st_dev, status.st_ino}).second) return;
    if (S_ISREG(status.st_mode) || named) files.push_back({path, named});
  }

  bool leads_outside(const std::string& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return false;
    std::error_code error;
    const std::string target = std::filesystem::canonical(path, error).string();
    const std::string below = root_ == "/" ? root_ : root_ + "/";
    if (!error && (target == root_ || target.starts_with(below))) return false;
    skipped.push_back({path, "a link to " + target + ", outside the directory", false});
    return true;
  }

  void list(const Folder& folder) {
    DIR* handle = opendir(folder.path.c_str());
    if (handle == nullptr) {
      skipped.push_back({folder.path, std::strerror(errno), true});
      return;
    }
    std::vector<std::string> names;
    while (const dirent* entry = readdir(handle)) names.emplace_back(entry->d_name);
    closedir(handle);
    // The name under which a file is reported must not depend on the order on disk.
    std::sort(names.begin(), names.end());
    const std::string below = folder.path.back() == '/' ? folder.path : folder.path + "/";
    for (const std::string& name : names) {
      if (name != "." && name != "..") add(below + name, false, folder.device);
    }
  }

  std::string root_;  // The path that the user named, without links.
  std::vector<Folder> folders_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace

std::vector<Input> collect_inputs(const std::vector<std::string>& paths,
                                  std::vector<SkippedFolder>& skipped) {
  Collector collector;
  for (const std::string& path : paths) collector.collect(path);
  skipped = collector.skipped;
  std::stable_sort(collector.files.begin(), collector.files.end(),
                   [](const Input& a, const Input& b) { return a.path < b.path; });
  return collector.files;
}

}  // namespace torchada::check
