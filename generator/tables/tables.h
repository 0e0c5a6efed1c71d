// All tables together, and queries across them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/tables/client_ranking.h"
#include "generator/tables/condition_tables.h"
#include "generator/tables/entry_points.h"
#include "generator/tables/fact_probes.h"
#include "generator/tables/forward_tables.h"
#include "generator/tables/history.h"
#include "generator/tables/model.h"
#include "generator/tables/musa_tables.h"
#include "generator/tables/registry.h"
#include "generator/tables/source_list.h"

namespace torchada {

struct RecordedString {
  std::optional<std::int64_t> code;  // None: the answer for any other code.
  std::vector<std::string> releases;
  std::string text;
};
using RecordedStrings = std::map<std::string, std::vector<RecordedString>>;  // By function.

// What a function that reports a version returns: one number, or major, minor and patch.
struct RecordedNumbers {
  std::vector<std::string> releases;
  std::vector<std::int64_t> values;
};
using RecordedVersions = std::map<std::string, std::vector<RecordedNumbers>>;  // By function.

// mappings/cuda/answers.yaml: what the real libraries return without a device.
struct RecordedAnswers {
  RecordedStrings strings;
  RecordedVersions versions;
};

// One function without a driver, called with zeros and with pointers to valid memory. Each answer
// is a status, or a word such as "void" or "SIGSEGV".
struct NoDriverAnswer {
  std::vector<std::string> releases;
  std::string zero;
  std::string pages;  // Empty if no prototype is known.
  bool writes = false;
};
using NoDriverAnswers =
    std::map<std::string,
             std::map<std::string, std::vector<NoDriverAnswer>>>;  // By library and function.

struct Tables {
  std::string directory;
  Registry registry;
  std::vector<CudaLibrary> cuda;        // In the order of registry.libraries.
  std::vector<ForwardLibrary> forward;  // The same order.
  std::vector<MusaLibrary> musa;        // In the order of registry.backends.
  MusaBackend backend;
  std::vector<MusaQuirk> quirks;
  FactProbes probes;
  ProbeFacts probe_facts;
  SourceList sources;
  TypeCorrespondence types;
  ConditionTable conditions;
  RecordedAnswers answers;
  NoDriverAnswers no_driver;
  LibraryHistory history;        // NCCL's, the only one.
  EntryPointTable entry_points;  // Of the one library that has them.
  std::vector<RankedSymbol> clients;

  const MusaLibrary& musa_library(const std::string& name) const;
  // The symbol of a MUSA library by name, or null.
  const MusaSymbol* musa_symbol(const std::string& library, const std::string& name) const;
  // The same, followed by the symbols that may stand in for it; empty for an unknown name.
  std::vector<const MusaSymbol*> musa_symbols(const std::string& library,
                                              const std::string& name) const;
  const CudaType* cuda_type(const std::string& name) const;
  const std::vector<MusaType>* musa_type(const std::string& name) const;
};

bool contains(const std::vector<std::string>& list, const std::string& item);

// One emitted shared library: a SONAME and the releases whose exports it has.
struct Output {
  std::size_t library = 0;  // Index into Tables::cuda and forward.
  int abi = 0;              // The newest of `majors`, whose rows and facts decide.
  std::set<int> majors;     // The CUDA majors that have this SONAME.
  std::string soname;
  std::string node;                   // Version node, empty for none.
  std::vector<std::string> releases;  // Newest last.
  std::string label() const;  // "cudart-12"; without "lib", so that nothing takes it for a library.
  std::string library_name;
};

std::vector<Output> list_outputs(const Tables& tables);

// The exports of one output, sorted by name.
std::vector<const CudaSymbol*> exports_of(const Tables& tables, const Output& output);

// The prototype of a symbol in an output (its newest release), or null if none is known.
const Prototype* prototype_in(const CudaSymbol& symbol, const Output& output);

// What is known of a type in an output (its newest release), or null.
const TypeFact* fact_in(const CudaType& type, const Output& output);
// The same by the name of the type; null also if no CUDA library has it.
const TypeFact* fact_in(const Tables& tables, const std::string& type, const Output& output);

// The row that decides a symbol in an output, or null.
const ForwardRow* row_of(const ForwardLibrary& library, const std::string& symbol, int abi);

}  // namespace torchada
