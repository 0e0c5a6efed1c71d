#include "src/host/kernels/translate/source_cache.h"

#include <filesystem>

namespace kernels {

SourceCache::SourceCache(const Request& request) : request_(request) {
  if (request.cache.empty()) return;
  cache_.emplace("--cache", request.cache);
  key_ = host::compilers_key(std::filesystem::path(request.headers).parent_path());
  host::add_fields(&key_, {request.headers, request.standard, std::to_string(request.warp_size)});
  host::add_fields(&key_, request.flags);
}

std::string SourceCache::key_of(const std::string& source, const std::string& kind) const {
  std::string key = key_;
  host::add_fields(&key, {kind, source});
  return key;
}

std::optional<FrontEnd> SourceCache::find_bitcode(const std::string& source) const {
  host::Fields made;
  std::vector<host::ReadFile> files;
  if (!cache_ || !cache_->find(key_of(source, "bitcode"), &files, &made)) return std::nullopt;
  FrontEnd read;
  read.success = true;
  read.log = made.at(0);
  read.bitcode = std::move(made.at(1));
  for (const host::ReadFile& file : files) read.files.push_back(file.path);
  read.as_read = std::move(files);
  return read;
}

void SourceCache::keep_bitcode(const std::string& source, const FrontEnd& read) const {
  if (!cache_ || !request_.is_in_parts() || !read.as_read) return;
  cache_->keep(key_of(source, "bitcode"), *read.as_read, {read.log, read.bitcode});
}

std::optional<Outcome> SourceCache::find_object(const std::string& source,
                                                const std::string& folder) const {
  host::Fields made;
  std::vector<host::ReadFile> files;
  if (!cache_ || request_.is_in_parts() ||
      !cache_->find(key_of(source, std::to_string(request_.cpu_level)), &files, &made) ||
      !host::write_file(messages_in(folder), made.at(1)) ||
      !host::write_file(object_in(folder), made.at(2))) {
    return std::nullopt;
  }
  return made[0] == std::to_string(kCompiled) ? kCompiled : kWithoutKernel;
}

void SourceCache::keep_object(const std::string& source, const std::string& folder,
                              const FrontEnd& read, Outcome outcome) const {
  if (!cache_ || request_.is_in_parts() || !read.as_read) return;
  cache_->keep(
      key_of(source, std::to_string(request_.cpu_level)), *read.as_read,
      {std::to_string(outcome), content_of(messages_in(folder)), content_of(object_in(folder))});
}

}  // namespace kernels
