#include "src/command/recipes/kept.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "src/command/files.h"
#include "src/command/recipes/folders.h"
#include "src/host/shared/cpu_level.h"

namespace torchada::recipes {
namespace {

using host::add_field;
using host::take_field;

// FNV-1a: for names of files.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string text_of(const Record& record, const std::string& compiler) {
  std::string out;
  add_field(&out, compiler);
  add_field(&out, record.whole);
  for (const auto& [name, image] : record.images) {
    add_field(&out, name);
    add_field(&out, image);
  }
  return out;
}

bool read_text(const std::string& text, Record* record, std::string* compiler) {
  std::size_t at = 0;
  std::string name, image;
  if (!take_field(text, &at, compiler) || !take_field(text, &at, &record->whole)) return false;
  while (at < text.size()) {
    if (!take_field(text, &at, &name) || !take_field(text, &at, &image)) return false;
    record->images[name] = image;
  }
  return true;
}

// Somebody may have tidied up.
void forget_lost(Record* record) {
  const auto is_lost = [](const std::string& image) { return access(image.c_str(), R_OK) != 0; };
  if (!record->whole.empty() && is_lost(record->whole)) record->whole.clear();
  std::erase_if(record->images, [&](const auto& each) { return is_lost(each.second); });
}

}  // namespace

Keeper::Keeper(const Recipe& recipe, const std::string& arch, const std::string& compiler,
               bool has_compiler)
    : objects_(objects_folder()),
      folder_(objects_),
      cache_("kernels", objects_),
      has_compiler_(has_compiler) {
  if (has_compiler) compiler_ = host::compilers_key(compiler);
  add_field(&key_, "recipe");
  add_field(&key_, arch);
  add_field(&key_, std::to_string(host::cpu_level()));
  for (const std::string& flag : compiler_flags(recipe)) add_field(&key_, flag);
}

std::string Keeper::key_of(const std::string& source) const {
  std::string key = key_;
  add_field(&key, source);
  return key;
}

std::optional<Record> Keeper::find(const std::string& source) const {
  Record record;
  std::vector<host::ReadFile> files;
  std::string value, compiler;
  if (!cache_.read(key_of(source), &files, &value) || !read_text(value, &record, &compiler)) {
    return std::nullopt;
  }
  if (has_compiler_ && compiler != compiler_) return std::nullopt;
  // Without a compiler, its own headers are missing too, and nothing could be made anew.
  const bool is_same = std::all_of(files.begin(), files.end(), [this](const host::ReadFile& file) {
    return (!has_compiler_ && access(file.path.c_str(), F_OK) != 0) || is_unchanged(file);
  });
  if (!is_same) return std::nullopt;
  forget_lost(&record);
  return record;
}

void Keeper::keep(const std::string& source, const Record& record,
                  const std::vector<std::string>& files, const timespec& begin) const {
  const auto read = host::read_files(files, begin);
  if (read) cache_.keep(key_of(source), *read, text_of(record, compiler_));
}

std::string Keeper::take_image(const std::string& source, const std::string& made) const {
  std::string bytes;
  if (!host::read_file(made, &bytes)) return "";
  const std::string path = objects_ + "/" + base_name_of(source) + "." + hash_of(bytes) + ".image";
  return std::rename(made.c_str(), path.c_str()) == 0 ? path : "";
}

std::string Keeper::file_for(const std::string& source, const char* ending) const {
  return objects_ + "/" + base_name_of(source) + "." + hash_of(key_of(source)) + ending;
}

}  // namespace torchada::recipes
