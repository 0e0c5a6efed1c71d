// Reads a MUSA SDK into tables in the form of mappings/musa and compares them with the committed
// ones.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/extract/library_facts.h"
#include "generator/tables/model.h"
#include "generator/tables/registry.h"

namespace torchada {

struct MusaFacts {
  int version = 0;  // Encoded as in SdkRange.
  ReleaseFacts release;
};

// "5.1.0" -> 50100; throws ExtractError.
int parse_sdk_version(const std::string& text);
std::string sdk_version_text(int version);

// If `version_text` is empty, version.json of a root or the headers' MUSART_VERSION gives the
// version.
MusaFacts read_musa_facts(const std::vector<std::string>& roots, const std::string& version_text,
                          const std::vector<BackendInfo>& backends);

// Tables of the libraries found, with tier `sdk` and a range of exactly this version.
std::vector<MusaLibrary> musa_tables_of(const MusaFacts& facts);
std::string musa_library_text(const MusaLibrary& library, const LibraryFacts& binary, int version);

// The prototype that a `like:` stands for, spelled in MUSA's types; nothing if it is unknown.
using ExpandPrototype = std::function<std::optional<Prototype>(const MusaPrototype&)>;

struct MusaComparison {
  std::vector<std::string> lines;
  std::map<std::string, int> counts;  // By kind of difference, zeros included.
};

// Compares the table's facts that hold for this version with the extracted ones: the symbols of
// `extracted`, and the types of `all` libraries, because a table may file a type under another one.
MusaComparison compare_musa(const MusaLibrary& table, const MusaLibrary& extracted,
                            const std::vector<MusaLibrary>& all, int version,
                            const ExpandPrototype& expand);

}  // namespace torchada
