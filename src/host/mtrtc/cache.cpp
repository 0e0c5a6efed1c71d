#include "src/host/mtrtc/cache.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <mutex>

namespace host_mtrtc {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string key_of(const Input& input, const std::string& kernels) {
  std::string key = host::compilers_key(kernels);
  host::add_fields(&key, {input.source, input.name});
  host::add_fields(&key, input.flags);
  host::add_fields(&key, input.expressions);
  for (const auto& [name, text] : input.headers) host::add_fields(&key, {name, text});
  return key;
}

host::Fields fields_of(const Output& output) {
  host::Fields fields = {output.log, output.image};
  fields.insert(fields.end(), output.names.begin(), output.names.end());
  return fields;
}

struct Entry {
  std::string key;
  std::vector<host::ReadFile> files;
  Output output;
};

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

Cache::Cache(const Input& input, const std::string& kernels) : begin_(host::now()) {
  constexpr char kVariable[] = "TORCHADA_HOST_COMPILE_CACHE";
  const char* const set = secure_getenv(kVariable);
  const std::string value = set != nullptr ? set : "";
  in_process_ = value != "off";
  if (!in_process_) return;
  key_ = key_of(input, kernels);
  if (value.find('/') != std::string::npos) on_disk_.emplace(kVariable, value);
}

bool Cache::find(Output* output) const {
  if (!in_process_) return false;
  {
    const std::lock_guard lock(kept().mutex);
    for (const Entry& entry : kept().entries) {
      if (entry.key != key_ ||
          !std::all_of(entry.files.begin(), entry.files.end(), host::is_unchanged)) {
        continue;
      }
      *output = entry.output;
      return true;
    }
  }
  host::Fields fields;
  std::vector<host::ReadFile> files;
  if (!on_disk_ || !on_disk_->find(key_, &files, &fields) || fields.size() < 2) return false;
  *output = {};
  output->success = true;
  output->log = fields[0];
  output->image = fields[1];
  output->names.assign(fields.begin() + 2, fields.end());
  return true;
}

void Cache::keep(const Output& output) const {
  if (!in_process_) return;
  std::optional<std::vector<host::ReadFile>> files = host::read_files(output.files, begin_);
  if (!files) return;
  if (on_disk_) on_disk_->keep(key_, *files, fields_of(output));
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  const auto outdated =
      std::remove_if(all.entries.begin(), all.entries.end(), [&](const Entry& old) {
        if (old.key != key_) return false;
        all.bytes -= old.output.image.size();
        return true;
      });
  all.entries.erase(outdated, all.entries.end());
  all.bytes += output.image.size();
  all.entries.push_back({key_, std::move(*files), output});
  while (all.bytes > kMostBytes && all.entries.size() > 1) {
    all.bytes -= all.entries.front().output.image.size();
    all.entries.pop_front();
  }
}

}  // namespace host_mtrtc
