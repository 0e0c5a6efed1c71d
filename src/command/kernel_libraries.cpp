#include "src/command/kernel_libraries.h"

#include <algorithm>
#include <filesystem>

#include "src/command/command.h"
#include "src/command/messages.h"
#include "src/inspect/mapped_file.h"
#include "src/shared/clang_names.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

using Hits = std::vector<const KernelLibrary*>;

constexpr const char* kBeforeSource = "@";
constexpr const char* kBehindSources = "A";  // The next character.

void add_hits(const std::vector<KernelLibrary>& libraries, const std::string& name, Hits* hits) {
  for (const KernelLibrary& library : libraries) {
    if (library.image.kernels.count(name) != 0) hits->push_back(&library);
  }
}

// Each as often as sources have the kernel.
void add_hits_of_any_source(const KernelLibrary& library, const std::string& name, Hits* hits) {
  const NameSet& kernels = library.image.kernels;
  if (kernels.count(name) != 0) hits->push_back(&library);
  const auto end = kernels.lower_bound(name + kBehindSources);
  for (auto at = kernels.lower_bound(name + kBeforeSource); at != end; ++at) {
    hits->push_back(&library);
  }
}

// The one of `told` that has the base name `source`; empty if none has.
std::string told_source(std::string source, const NameSet& told) {
  std::transform(source.begin(), source.end(), source.begin(), kernels::in_source_name);
  const auto found = std::find_if(told.begin(), told.end(), [&source](const std::string& each) {
    return each.rfind('_') == source.size() && each.starts_with(source);
  });
  return found == told.end() ? "" : *found;
}

}  // namespace

KernelLibraries::KernelLibraries(const std::string& from, const std::string& names) {
  for (const std::string& name : split(names, ":")) {
    if (name.empty()) continue;
    if (!fs::exists(name)) {
      throw UsageError(from + ": " + name +
                       " does not exist; name files of device code for MUSA, or folders with such "
                       "files");
    }
    if (fs::is_directory(name)) {
      add_folder(name);
    } else {
      add_file(name);
    }
  }
  if (list_.empty()) throw UsageError(from + " names no kernel library");
  for (const KernelLibrary& library : list_) {
    for (const std::string& name : library.image.kernels) {
      if (!name.starts_with("_Z")) plain_names_.insert(name);
    }
  }
}

void KernelLibraries::add_file(const std::string& path) {
  KernelLibrary& library = list_.emplace_back();
  library.path = path;
  try {
    library.image = read_kernel_image(MappedFile(path).bytes());
  } catch (const std::runtime_error& error) {
    library.image.fault = error.what();
  }
}

void KernelLibraries::add_folder(const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) add_file(file);
}

const KernelLibrary* KernelLibraries::unread() const {
  const auto found = std::find_if(list_.begin(), list_.end(), [](const KernelLibrary& library) {
    return !library.image.fault.empty();
  });
  return found == list_.end() ? nullptr : &*found;
}

void KernelLibraries::warn_of_unread() const {
  for (const KernelLibrary& library : list_) {
    if (library.image.fault.empty()) continue;
    log_warning("{}: which kernels it has is not known: {}", library.path, library.image.fault);
  }
}

NameSet sources_in(const NameSet& names) {
  NameSet out;
  for (const std::string& name : names) {
    const kernels::SourceName source = kernels::source_in(name.c_str());
    if (source.text != nullptr) out.emplace(source.text, source.length);
  }
  return out;
}

KernelPlace KernelLibraries::find(const RegisteredKernel& kernel, const NameSet& told) const {
  NameSet sources = sources_in({kernel.name});
  if (sources.empty()) {
    for (const std::string& source : kernel.sources) sources.insert(told_source(source, told));
  }
  if (sources.empty()) return find_of("", false, kernel.name);
  KernelPlace out;
  for (const std::string& source : sources) {
    const KernelPlace place = find_of(source, kernel.sources.size() > 1, kernel.name);
    if (place.path.empty()) return place;
    if (out.path.empty()) out = place;
  }
  return out;
}

// Of one source, or of one that nothing tells if it is empty. `is_shared`: another source has a
// kernel of that name.
KernelPlace KernelLibraries::find_of(const std::string& source, bool is_shared,
                                     const std::string& name) const {
  const std::vector<std::string> others = kernels::clang_names(name);
  Hits hits;
  if (!source.empty()) {
    for (const std::string& other : others) add_hits(list_, other + kBeforeSource + source, &hits);
  }
  if (hits.empty()) {
    add_hits(list_, name, &hits);
    if (!hits.empty()) return {hits[0]->path, hits.size() > 1 ? hits[1]->path : "", ""};
    for (const std::string& other : others) {
      for (const KernelLibrary& library : list_) {
        if (!library.image.tells_sources || (source.empty() && !is_shared)) {
          add_hits_of_any_source(library, other, &hits);
        }
      }
    }
  }
  if (hits.size() > 1) {
    return {"", "",
            hits[0] == hits[1] ? "two sources in " + hits[0]->path
                               : hits[0]->path + " and " + hits[1]->path};
  }
  return {hits.empty() ? "" : hits[0]->path, "", ""};
}

}  // namespace torchada
