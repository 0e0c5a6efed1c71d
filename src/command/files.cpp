#include "src/command/files.h"

#include <algorithm>
#include <deque>
#include <filesystem>

namespace torchada {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // The kernel's limit.

}  // namespace

std::string base_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string Files::here(const std::string& path) const {
  std::error_code error;
  if (path.empty()) return "";
  if (is_own()) {
    const fs::path out = fs::canonical(path, error);
    return error ? "" : out.string();
  }
  const fs::path whole(path);
  std::deque<fs::path> parts(whole.begin(), whole.end());
  fs::path done = "/";
  int links = 0;
  while (!parts.empty()) {
    const fs::path part = parts.front();
    parts.pop_front();
    if (part.empty() || part == "." || part == "/") continue;
    if (part == "..") {
      done = done.parent_path();  // "/.." is "/".
      continue;
    }
    const fs::path next = done / part;
    const fs::path place = root_ + next.string();
    const fs::file_status status = fs::symlink_status(place, error);
    if (error || !fs::exists(status)) return "";
    if (!fs::is_symlink(status)) {
      done = next;
      continue;
    }
    if (++links > kMostLinks) return "";
    const fs::path target = fs::read_symlink(place, error);
    if (error) return "";
    if (target.is_absolute()) done = "/";
    parts.insert(parts.begin(), target.begin(), target.end());
  }
  return done == "/" ? root_ + "/" : root_ + done.string();
}

std::string Files::there(const std::string& path) const {
  return path.starts_with(root_ + "/") ? path.substr(root_.size()) : path;
}

std::vector<std::string> Files::names_in(const std::string& folder) const {
  std::vector<std::string> out;
  std::error_code error;
  const std::string place = here(folder);
  if (place.empty()) return out;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end;
       entry.increment(error)) {
    out.push_back(entry->path().filename());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace torchada
