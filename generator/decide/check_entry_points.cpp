#include "generator/decide/check_entry_points.h"

#include <algorithm>
#include <set>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

bool belongs_to(const EntryPoint& per_thread, const EntryPoint& plain) {
  return per_thread.per_thread && !plain.per_thread &&
         (per_thread.symbol == plain.symbol + "_ptsz" ||
          per_thread.symbol == plain.symbol + "_ptds");
}

class EntryPointCheck {
 public:
  EntryPointCheck(const Tables& tables, const Output& output)
      : newest_(newest_cuda_version(tables)) {
    for (const CudaSymbol* symbol : exports_of(tables, output)) exports_.insert(symbol->name);
    std::set<std::string> meant;
    for (const auto& [name, entries] : tables.entry_points.names) {
      for (const EntryPoint& entry : entries) {
        check(name, entry, entries);
        meant.insert(entry.symbol);
      }
    }
    for (const std::string& name : exports_) {
      if (meant.count(name) != 0) continue;
      add({tables.entry_points.file, 0},
          "no request means '" + name + "', which " + output.soname + " exports");
    }
  }

  std::vector<std::string> defects;

 private:
  void add(const Place& place, const std::string& text) {
    defects.emplace_back(TableError(place, text).what());
  }

  void check(const std::string& name, const EntryPoint& entry,
             const std::vector<EntryPoint>& entries) {
    if (exports_.count(entry.symbol) == 0) {
      add(entry.place, name + " means '" + entry.symbol + "', which is not exported");
    }
    if (entry.version <= 0 || entry.version > newest_) {
      add(entry.place,
          name + ": no release of the tables has version " + std::to_string(entry.version));
    }
    if (entry.per_thread) check_per_thread(name, entry, entries);
  }

  // A request with the per-thread flag means the per-thread form of what the same request means
  // without it. So that form must have come while its function was the newest of the name.
  void check_per_thread(const std::string& name, const EntryPoint& entry,
                        const std::vector<EntryPoint>& entries) {
    const EntryPoint* current = nullptr;
    for (const EntryPoint& plain : entries) {
      if (!plain.per_thread && plain.version <= entry.version) current = &plain;
    }
    if (current && belongs_to(entry, *current)) return;
    add(entry.place, name + ": '" + entry.symbol + "' is not the per-thread form of '" +
                         (current ? current->symbol : "nothing") + "', which version " +
                         std::to_string(entry.version) + " means");
  }

  const int newest_;
  std::set<std::string> exports_;
};

}  // namespace

std::vector<std::string> entry_point_defects(const Tables& tables, const Output& output) {
  if (output.library_name != tables.entry_points.library) return {};
  return EntryPointCheck(tables, output).defects;
}

const EntryPoint* per_thread_of(const std::vector<EntryPoint>& entries, const EntryPoint& plain) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const EntryPoint& entry) {
    return belongs_to(entry, plain);
  });
  return found == entries.end() ? nullptr : &*found;
}

int cuda_version_number(const std::string& release) {
  const std::size_t dot = release.find('.');
  return std::stoi(release.substr(0, dot)) * 1000 + std::stoi(release.substr(dot + 1)) * 10;
}

int newest_cuda_version(const Tables& tables) {
  int newest = 0;
  for (const CudaLibrary& library : tables.cuda) {
    for (const CudaRelease& release : library.releases) {
      newest = std::max(newest, cuda_version_number(release.name));
    }
  }
  return newest;
}

}  // namespace torchada
