#include "generator/tables/tables.h"

#include <algorithm>
#include <stdexcept>

#include "generator/tables/cuda_tables.h"
#include "generator/tables/no_driver.h"
#include "generator/tables/recorded_answers.h"
#include "generator/tables/reports.h"
#include "src/shared/yaml_source.h"

namespace torchada {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

const MusaLibrary& Tables::musa_library(const std::string& name) const {
  for (const MusaLibrary& library : musa) {
    if (library.name == name) return library;
  }
  throw TableError({directory + "/musa", 0}, "no table for the MUSA library '" + name + "'");
}

const MusaSymbol* Tables::musa_symbol(const std::string& library, const std::string& name) const {
  const auto& symbols = musa_library(library).symbols;
  const auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : &found->second;
}

std::vector<const MusaSymbol*> Tables::musa_symbols(const std::string& library,
                                                    const std::string& name) const {
  const MusaSymbol* first = musa_symbol(library, name);
  if (!first) return {};
  std::vector<const MusaSymbol*> out = {first};
  for (const std::string& other : first->also) out.push_back(musa_symbol(library, other));
  return out;
}

const CudaType* Tables::cuda_type(const std::string& name) const {
  for (const CudaLibrary& library : cuda) {
    const auto found = library.types.find(name);
    if (found != library.types.end()) return &found->second;
  }
  return nullptr;
}

const std::vector<MusaType>* Tables::musa_type(const std::string& name) const {
  for (const MusaLibrary& library : musa) {
    const auto found = library.types.find(name);
    if (found != library.types.end()) return &found->second;
  }
  return nullptr;
}

namespace {

// The registry states facts that extraction found too.
void check_sonames(const FakeLibrary& library, const CudaLibrary& table) {
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
  for (const FakeLibrary& library : out.registry.libraries) {
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
  for (const FakeLibrary& library : out.registry.libraries) {
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
  for (const FakeLibrary& library : out.registry.libraries) {
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

std::string Output::label() const { return library_name + "-" + std::to_string(abi); }

std::vector<Output> list_outputs(const Tables& tables) {
  std::vector<Output> out;
  for (std::size_t i = 0; i < tables.registry.libraries.size(); ++i) {
    const FakeLibrary& library = tables.registry.libraries[i];
    for (const auto& [soname, majors] : library.sonames) {
      Output output;
      output.library = i;
      output.library_name = library.name;
      output.abi = *majors.rbegin();
      output.majors = majors;
      output.soname = soname;
      // Several majors may share a SONAME; the exports are those of the newest.
      for (const CudaRelease& release : tables.cuda[i].releases) {
        if (release.soname != soname || release.abi != output.abi) continue;
        output.node = release.node;
        output.releases.push_back(release.name);
      }
      out.push_back(std::move(output));
    }
  }
  return out;
}

std::vector<const CudaSymbol*> exports_of(const Tables& tables, const Output& output) {
  std::vector<const CudaSymbol*> out;
  for (const auto& entry : tables.cuda[output.library].symbols) {
    const CudaSymbol& symbol = entry.second;
    const bool exported =
        std::any_of(output.releases.begin(), output.releases.end(),
                    [&](const std::string& release) { return contains(symbol.releases, release); });
    if (exported) out.push_back(&symbol);
  }
  return out;
}

const Prototype* prototype_in(const CudaSymbol& symbol, const Output& output) {
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const CudaSymbol::Variant& variant : symbol.prototypes) {
      if (contains(variant.releases, *release)) return &variant.prototype;
    }
  }
  return nullptr;
}

const TypeFact* fact_in(const CudaType& type, const Output& output) {
  for (auto release = output.releases.rbegin(); release != output.releases.rend(); ++release) {
    for (const CudaType::Variant& variant : type.variants) {
      if (contains(variant.releases, *release)) return &variant.fact;
    }
  }
  return nullptr;
}

const TypeFact* fact_in(const Tables& tables, const std::string& type, const Output& output) {
  const CudaType* known = tables.cuda_type(type);
  return known ? fact_in(*known, output) : nullptr;
}

const ForwardRow* row_of(const ForwardLibrary& library, const std::string& symbol, int abi) {
  const auto found = library.rows.find(symbol);
  if (found == library.rows.end()) return nullptr;
  for (const ForwardRow& row : found->second) {
    if (row.abis.empty() || std::find(row.abis.begin(), row.abis.end(), abi) != row.abis.end()) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace torchada
