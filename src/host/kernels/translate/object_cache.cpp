#include "src/host/kernels/translate/object_cache.h"

#include <filesystem>

namespace kernels {

using host::add_field;
using host::take_field;

ObjectCache::ObjectCache(const Request& request) {
  if (request.cache.empty()) return;
  cache_.emplace("--cache", request.cache);
  key_ = host::compilers_key(std::filesystem::path(request.headers).parent_path());
  for (const std::string& field :
       {request.headers, request.standard, std::to_string(request.warp_size),
        std::to_string(request.cpu_level), std::to_string(request.flags.size())}) {
    add_field(&key_, field);
  }
  for (const std::string& flag : request.flags) add_field(&key_, flag);
  for (const std::string& kernel : request.only) add_field(&key_, kernel);
}

std::string ObjectCache::key_of(const std::string& source) const {
  std::string key = key_;
  add_field(&key, source);
  return key;
}

std::optional<Outcome> ObjectCache::find(const std::string& source,
                                         const std::string& folder) const {
  std::string value, outcome, messages, object;
  std::size_t at = 0;
  if (!cache_ || !cache_->find(key_of(source), &value) || !take_field(value, &at, &outcome) ||
      !take_field(value, &at, &messages) || !take_field(value, &at, &object) ||
      !host::write_file(messages_in(folder), messages) ||
      !host::write_file(object_in(folder), object)) {
    return std::nullopt;
  }
  return outcome == std::to_string(kCompiled) ? kCompiled : kWithoutKernel;
}

void ObjectCache::keep(const std::string& source, const std::string& folder,
                       const std::vector<std::string>& files, const timespec& begin,
                       Outcome outcome) const {
  std::string messages, object, value;
  if (!cache_ || outcome == kFailed || !host::read_file(messages_in(folder), &messages) ||
      !host::read_file(object_in(folder), &object)) {
    return;
  }
  const auto read = host::read_files(files, begin);
  for (const std::string& field : {std::to_string(outcome), messages, object}) {
    add_field(&value, field);
  }
  if (read) cache_->keep(key_of(source), *read, value);
}

}  // namespace kernels
