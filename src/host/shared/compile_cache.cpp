#include "src/host/shared/compile_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "src/host/shared/cpu_level.h"
#include "src/host/shared/say.h"

namespace host {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestEntry = std::size_t{256} << 20;
constexpr char kFormat[] = "torchada compiled 2";
constexpr std::size_t kHash = 16;  // before the rest

std::string stamp_of(const std::string& file) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return "none";
  std::ostringstream out;
  out << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec << ' '
      << status.st_ino;
  return out.str();
}

std::string content_hash(const std::string& file) {
  std::string text;
  return read_file(file, &text) ? hash_of(text) : "none";
}

// The compiler that torchada-kernels takes.
std::string compiler_stamp() {
  std::string out;
  const Fields words = clang_words();
  add_fields(&out, words);
  const std::string& program = words.front();
  const char* const path = std::getenv("PATH");
  std::istringstream folders(program.find('/') != std::string::npos || path == nullptr ? "" : path);
  if (program.find('/') != std::string::npos) return out + stamp_of(program);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/" + program;
    if (access(file.c_str(), X_OK) == 0) return out + file + stamp_of(file);
  }
  return out;
}

std::string headers_stamp(const std::string& folder) {
  std::string all;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) all += entry->path().string() + stamp_of(entry->path());
  }
  return hash_of(all);
}

bool is_newer(const std::string& file, const timespec& time) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return true;
  const timespec& changed = status.st_mtim;
  return changed.tv_sec != time.tv_sec ? changed.tv_sec > time.tv_sec
                                       : changed.tv_nsec > time.tv_nsec;
}

std::string entry_of(const std::string& key, const std::vector<ReadFile>& files,
                     const Fields& value) {
  std::string text;
  add_field(&text, kFormat);
  add_field(&text, key);
  add_fields(&text, value);
  for (const ReadFile& file : files) add_fields(&text, {file.path, file.stamp, file.content});
  return hash_of(text) + text;
}

bool take_field(const std::string& text, std::size_t* at, std::string* field) {
  std::size_t size = 0;
  std::size_t end = *at;
  for (; end < text.size() && text[end] >= '0' && text[end] <= '9' && size <= text.size(); ++end) {
    size = size * 10 + static_cast<std::size_t>(text[end] - '0');
  }
  if (end == *at || end >= text.size() || text[end] != ':' || size > text.size() - end - 1) {
    return false;
  }
  *field = text.substr(end + 1, size);
  *at = end + 1 + size;
  return true;
}

bool take_fields(const std::string& text, std::size_t* at, Fields* fields) {
  std::string count;
  if (!take_field(text, at, &count)) return false;
  fields->resize(std::min<std::size_t>(std::strtoul(count.c_str(), nullptr, 10), text.size()));
  return std::all_of(fields->begin(), fields->end(),
                     [&](std::string& field) { return take_field(text, at, &field); });
}

bool read_entry(const std::string& text, std::string* key, std::vector<ReadFile>* files,
                Fields* value) {
  if (text.substr(0, kHash) != hash_of(text.substr(kHash))) return false;
  std::size_t at = kHash;
  std::string format;
  if (!take_field(text, &at, &format) || !take_field(text, &at, key) ||
      !take_fields(text, &at, value)) {
    return false;
  }
  while (at < text.size()) {
    Fields file;
    if (!take_fields(text, &at, &file) || file.size() != 3) return false;
    files->push_back({file[0], file[1], file[2]});
  }
  return true;
}

std::string name_of(const std::string& key) { return hash_of(key) + ".compiled"; }

}  // namespace

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  char digits[kHash + 1];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

void add_field(std::string* text, const std::string& field) {
  *text += std::to_string(field.size()) + ":" + field;
}

void add_fields(std::string* text, const Fields& fields) {
  add_field(text, std::to_string(fields.size()));
  for (const std::string& field : fields) add_field(text, field);
}

std::vector<std::string> clang_words() {
  const char* const set = std::getenv("TORCHADA_CLANG");
  std::istringstream words(set != nullptr ? set : "");
  const std::vector<std::string> named{std::istream_iterator<std::string>(words), {}};
  return named.empty() ? std::vector<std::string>{"clang++-19"} : named;
}

std::string compilers_key(const std::string& kernels) {
  std::string key;
  for (const char* const part :
       {"/torchada-kernels", "/torchada-closures.so", "/device_runtime.bc", "/assembly.bc"}) {
    add_field(&key, stamp_of(kernels + part));
  }
  add_field(&key, headers_stamp(kernels + "/include"));
  add_field(&key, compiler_stamp());
  add_field(&key, std::to_string(cpu_level()));
  for (const char* const name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const char* const value = std::getenv(name);
    add_field(&key, value != nullptr ? value : "");
  }
  std::error_code error;
  add_field(&key, fs::current_path(error).string());  // for relative paths
  return key;
}

bool is_unchanged(const ReadFile& file) {
  return stamp_of(file.path) == file.stamp || content_hash(file.path) == file.content;
}

std::optional<std::vector<ReadFile>> read_files(const std::vector<std::string>& paths,
                                                const timespec& begin) {
  std::vector<ReadFile> files;
  for (const std::string& path : paths) {
    files.push_back({path, stamp_of(path), content_hash(path)});
    if (is_newer(path, begin)) return std::nullopt;
  }
  return files;
}

timespec now() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

CompileCache::CompileCache(const std::string& name, const std::string& folder)
    : name_(name), folder_(folder) {
  if (!folder_.why().empty()) say_unused(folder, folder_.why());
}

bool CompileCache::find(const std::string& key, std::vector<ReadFile>* files, Fields* value) const {
  return read(key, files, value) && std::all_of(files->begin(), files->end(), is_unchanged);
}

bool CompileCache::read(const std::string& key, std::vector<ReadFile>* files, Fields* value) const {
  if (!folder_.why().empty()) return false;
  const std::string file = name_of(key);
  std::string text, why, start, kept_key;
  add_field(&start, kFormat);
  const bool read = folder_.read(file, kHash, start, kLargestEntry, &text, &why);
  if (read && !read_entry(text, &kept_key, files, value)) why = "it is damaged";
  if (!why.empty()) say_unused(file, why);
  return read && why.empty() && kept_key == key;
}

void CompileCache::keep(const std::string& key, const std::vector<ReadFile>& files,
                        const Fields& value) const {
  if (folder_.why().empty()) folder_.write(name_of(key), entry_of(key, files, value));
}

void CompileCache::say_unused(const std::string& what, const std::string& why) const {
  say(name_ + ": " + what + " is not used: " + why);
}

}  // namespace host
