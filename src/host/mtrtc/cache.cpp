#include "src/host/mtrtc/cache.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "src/host/mtrtc/files.h"
#include "src/host/shared/say.h"

namespace host_mtrtc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kLargestEntry = std::size_t{256} << 20;
constexpr char kFormat[] = "torchada mtrtc 1";
constexpr std::size_t kHash = 16;  // Before the rest.

// Fields with their lengths before them, so that no two lists give the same text.
void add(std::string* text, const std::string& field) {
  *text += std::to_string(field.size()) + ":" + field;
}

bool take(const std::string& text, std::size_t* at, std::string* field) {
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

// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

std::string in_hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

std::string stamp_of(const std::string& file) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0) return "none";
  std::ostringstream out;
  out << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec << ' '
      << status.st_ino;
  return out.str();
}

// The compiler that torchada-kernels takes.
std::string compiler_stamp() {
  const char* const set = std::getenv("CXX");
  const std::string words = set != nullptr && *set != '\0' ? set : "c++";
  std::string out = words;
  std::istringstream first(words);
  std::string program;
  first >> program;
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
  return in_hexadecimal(hash_of(all));
}

std::string key_of(const Input& input, const std::string& kernels) {
  std::string key;
  add(&key, stamp_of(kernels + "/torchada-kernels"));
  add(&key, headers_stamp(kernels + "/include"));
  add(&key, compiler_stamp());
  for (const char* const name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const char* const value = std::getenv(name);
    add(&key, value != nullptr ? value : "");
  }
  std::error_code error;
  add(&key, fs::current_path(error).string());  // for relative paths
  add(&key, input.source);
  add(&key, input.name);
  for (const auto* const list : {&input.flags, &input.expressions}) {
    add(&key, std::to_string(list->size()));
    for (const std::string& item : *list) add(&key, item);
  }
  for (const auto& [name, text] : input.headers) {
    add(&key, name);
    add(&key, text);
  }
  return key;
}

struct Entry {
  std::string key;
  std::vector<std::string> stamps;  // of output.files
  Output output;
};

bool is_current(const Entry& entry) {
  for (std::size_t i = 0; i < entry.stamps.size(); ++i) {
    if (stamp_of(entry.output.files[i]) != entry.stamps[i]) return false;
  }
  return true;
}

std::string text_of(const Entry& entry) {
  std::string text;
  add(&text, kFormat);
  add(&text, entry.key);
  add(&text, entry.output.log);
  add(&text, entry.output.image);
  add(&text, std::to_string(entry.output.names.size()));
  for (const std::string& name : entry.output.names) add(&text, name);
  for (std::size_t i = 0; i < entry.stamps.size(); ++i) {
    add(&text, entry.output.files[i]);
    add(&text, entry.stamps[i]);
  }
  return in_hexadecimal(hash_of(text)) + text;
}

bool read_entry(const std::string& text, Entry* entry) {
  if (text.size() < kHash || text.substr(0, kHash) != in_hexadecimal(hash_of(text.substr(kHash)))) {
    return false;
  }
  std::size_t at = kHash;
  std::string format, count;
  if (!take(text, &at, &format) || format != kFormat || !take(text, &at, &entry->key) ||
      !take(text, &at, &entry->output.log) || !take(text, &at, &entry->output.image) ||
      !take(text, &at, &count)) {
    return false;
  }
  for (unsigned long left = std::strtoul(count.c_str(), nullptr, 10); left > 0; --left) {
    std::string name;
    if (!take(text, &at, &name)) return false;
    entry->output.names.push_back(name);
  }
  while (at < text.size()) {
    std::string file, stamp;
    if (!take(text, &at, &file) || !take(text, &at, &stamp)) return false;
    entry->output.files.push_back(file);
    entry->stamps.push_back(stamp);
  }
  entry->output.success = true;
  return true;
}

// Another user's code would run with this user's rights. The hash is against damage alone: whoever
// writes a file can compute it.
void say_left_out(const std::string& file, const std::string& why) {
  host::say("TORCHADA_HOST_COMPILE_CACHE: " + file + " is not used: " + why);
}

// Of the process, the oldest first. Never destroyed.
struct Kept {
  std::mutex mutex;
  std::deque<Entry> entries;
  std::size_t bytes = 0;
};

Kept& kept();

// So that a child of fork() finds it whole.
Kept* make_kept() {
  pthread_atfork([] { kept().mutex.lock(); }, [] { kept().mutex.unlock(); },
                 [] { kept().mutex.unlock(); });
  return new Kept;
}

Kept& kept() {
  static Kept* const made = make_kept();
  return *made;
}

}  // namespace

Cache::Cache(const Input& input, const std::string& kernels) {
  const char* const set = secure_getenv("TORCHADA_HOST_COMPILE_CACHE");
  const std::string value = set != nullptr ? set : "";
  in_process_ = value != "off";
  if (!in_process_) return;
  key_ = key_of(input, kernels);
  if (value.find('/') == std::string::npos) return;
  folder_.emplace(value);
  name_ = in_hexadecimal(hash_of(key_)) + ".mtrtc";
  if (folder_->why().empty()) return;
  say_left_out(value, folder_->why());
  folder_.reset();
}

bool Cache::find(Output* output) const {
  if (!in_process_) return false;
  {
    const std::lock_guard lock(kept().mutex);
    for (const Entry& entry : kept().entries) {
      if (entry.key != key_ || !is_current(entry)) continue;
      *output = entry.output;
      return true;
    }
  }
  if (!folder_) return false;
  std::string text, why, start;
  Entry entry;
  add(&start, kFormat);
  const bool read = folder_->read(name_, kHash, start, kLargestEntry, &text, &why);
  if (!why.empty()) say_left_out(name_, why);
  if (!read || !read_entry(text, &entry) || entry.key != key_ || !is_current(entry)) return false;
  *output = std::move(entry.output);
  return true;
}

void Cache::keep(const Output& output) const {
  if (!in_process_) return;
  Entry entry{key_, {}, output};
  for (const std::string& file : output.files) entry.stamps.push_back(stamp_of(file));
  if (folder_) folder_->write(name_, text_of(entry));
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  const auto outdated =
      std::remove_if(all.entries.begin(), all.entries.end(), [&](const Entry& old) {
        if (old.key != key_) return false;
        all.bytes -= old.output.image.size();
        return true;
      });
  all.entries.erase(outdated, all.entries.end());
  all.bytes += entry.output.image.size();
  all.entries.push_back(std::move(entry));
  while (all.bytes > kMostBytes && all.entries.size() > 1) {
    all.bytes -= all.entries.front().output.image.size();
    all.entries.pop_front();
  }
}

}  // namespace host_mtrtc
