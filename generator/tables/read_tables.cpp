#include "generator/tables/read_tables.h"

#include <algorithm>
#include <stdexcept>

#include "generator/tables/cuda_tables.h"
#include "generator/tables/no_driver.h"
#include "generator/tables/recorded_answers.h"
#include "generator/tables/reports.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

// The registry states facts that extraction found too.
void check_sonames(const ReplacementLibrary& library, const CudaLibrary& table) {
  for (const CudaRelease& release : table.releases) {
    if (release.soname.empty()) continue;
    const auto stated =
        std::find_if(library.sonames.begin(), library.sonames.end(), [&](const auto& item) {
          return item.first == release.soname && item.second.count(release.abi);
        });
    if (stated == library.sonames.end()) {
      throw TableError(library.place, library.name + ": CUDA " + release.name + " has " +
                                          release.soname + " (" + table.file +
                                          "), but 'sonames' does not give it to CUDA " +
                                          std::to_string(release.abi));
    }
  }
}

void check_functions(const BackendInfo& backend, const MusaLibrary& table) {
  for (const auto* list : {&backend.initialising, &backend.telling}) {
    for (const std::string& name : *list) {
      if (table.symbols.contains(name)) continue;
      throw TableError(backend.place,
                       backend.name + ": '" + name + "' is not a symbol of " + table.file);
    }
  }
}

// Reads tables, each of which may have a defect that says nothing about the others.
class Reading {
 public:
  template <class Read>
  void attempt(const Read& read) {
    try {
      read();
    } catch (const TableError& defect) {
      defects_ += (defects_.empty() ? "" : "\n") + std::string(defect.what());
    }
  }

  // Throws what was found.
  void finish() const {
    if (!defects_.empty()) throw std::runtime_error(defects_);
  }

 private:
  std::string defects_;
};

// Without the registry and the list of releases, the others cannot be read.
Tables read_facts(const std::string& directory, Reading* reading) {
  Tables out;
  out.directory = directory;
  out.registry = read_registry(directory + "/libraries.yaml");
  const CudaReleases releases = read_cuda_releases(directory + "/cuda/releases.yaml");
  for (const ReplacementLibrary& library : out.registry.libraries) {
    reading->attempt([&] {
      out.cuda.push_back(
          read_cuda_library(directory + "/cuda/" + library.name + ".yaml", releases));
      check_sonames(library, out.cuda.back());
    });
  }
  for (const BackendInfo& backend : out.registry.backends) {
    reading->attempt([&] {
      out.musa.push_back(read_musa_library(directory + "/musa/" + backend.name + ".yaml"));
      check_functions(backend, out.musa.back());
    });
  }
  for (const ReplacementLibrary& library : out.registry.libraries) {
    if (library.entry_points.empty()) continue;
    reading->attempt([&] {
      out.entry_points = read_entry_points(directory + "/cuda/" + kEntryPointsFile, releases);
      if (out.entry_points.library != library.name) {
        throw TableError({out.entry_points.file, 0},
                         "the library is '" + out.entry_points.library + "', but '" + library.name +
                             "' has entry_points in " + out.registry.file);
      }
    });
  }
  reading->attempt([&] { out.backend = read_musa_backend(directory + "/musa/backend.yaml"); });
  reading->attempt([&] { out.quirks = read_musa_quirks(directory + "/musa/quirks.yaml"); });
  reading->attempt([&] { out.probes = read_fact_probes(directory + "/musa/probes.csv"); });
  reading->attempt([&] { out.sources = SourceList::read(directory + "/musa/sources.yaml"); });
  reading->attempt(
      [&] { out.types = read_type_correspondence(directory + "/forward/types.yaml"); });
  return out;
}

}  // namespace

Tables read_facts(const std::string& directory) {
  Reading reading;
  Tables out = read_facts(directory, &reading);
  reading.finish();
  apply_reports(read_reports(directory), &out);
  return out;
}

Tables read_tables(const std::string& directory) {
  Reading reading;
  Tables out = read_facts(directory, &reading);
  const std::string cuda = directory + "/cuda/";
  reading.attempt([&] { out.answers = read_recorded_answers(cuda + "answers.yaml"); });
  reading.attempt([&] { out.no_driver = read_no_driver_answers(cuda + "no_driver.yaml"); });
  reading.attempt([&] { out.history = read_library_history(cuda + "nccl_history.yaml"); });
  reading.attempt([&] { out.probe_facts = read_probe_facts(directory + "/musa/probe_facts.csv"); });
  reading.attempt([&] { out.clients = read_client_ranking(directory + "/clients.csv"); });
  for (const ReplacementLibrary& library : out.registry.libraries) {
    reading.attempt([&] {
      out.forward.push_back(
          read_forward_library(directory + "/forward/" + library.name + ".yaml", library));
    });
  }
  reading.attempt([&] {
    out.conditions = read_conditions(directory + "/forward/conditions.yaml", out.registry);
  });
  reading.finish();
  apply_reports(read_reports(directory), &out);
  return out;
}

}  // namespace torchada
