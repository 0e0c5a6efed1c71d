#include "src/command/recipes/kept.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "src/command/files.h"
#include "src/command/recipes/folders.h"
#include "src/host/shared/cpu_level.h"

namespace torchada::recipes {
namespace {

host::Fields fields_of(const Record& record, const std::string& compiler) {
  host::Fields fields = {compiler, record.whole};
  for (const auto& [name, image] : record.images) fields.insert(fields.end(), {name, image});
  return fields;
}

bool read_fields(const host::Fields& fields, Record* record, std::string* compiler) {
  if (fields.size() < 2 || fields.size() % 2 != 0) return false;
  *compiler = fields[0];
  record->whole = fields[1];
  for (std::size_t i = 2; i < fields.size(); i += 2) record->images[fields[i]] = fields[i + 1];
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
  host::add_fields(&key_, {"recipe", arch, std::to_string(host::cpu_level())});
  host::add_fields(&key_, compiler_flags(recipe));
}

std::string Keeper::key_of(const std::string& source) const {
  std::string key = key_;
  host::add_fields(&key, {source});
  return key;
}

std::optional<Record> Keeper::find(const std::string& source) const {
  Record record;
  std::vector<host::ReadFile> files;
  host::Fields value;
  std::string compiler;
  if (!cache_.read(key_of(source), &files, &value) || !read_fields(value, &record, &compiler)) {
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
  if (read) cache_.keep(key_of(source), *read, fields_of(record, compiler_));
}

std::string Keeper::take_image(const std::string& source, const std::string& made) const {
  std::string bytes;
  if (!host::read_file(made, &bytes)) return "";
  const std::string path =
      objects_ + "/" + base_name_of(source) + "." + host::hash_of(bytes) + ".image";
  return std::rename(made.c_str(), path.c_str()) == 0 ? path : "";
}

std::string Keeper::file_for(const std::string& source, const char* ending) const {
  return objects_ + "/" + base_name_of(source) + "." + host::hash_of(key_of(source)) + ending;
}

}  // namespace torchada::recipes
