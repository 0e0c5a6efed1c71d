// Reads a MUSA SDK into tables of mappings/musa's form and compares it with the committed ones.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "library_facts.h"
#include "model.h"

namespace torchada {

struct MusaFacts {
  int version = 0;  // As SdkRange encodes it.
  ReleaseFacts release;
};

// "5.1.0" -> 50100; throws ExtractError.
int parse_sdk_version(const std::string& text);
std::string sdk_version_text(int version);

// `version_text` may be empty: then version.json of a root or the headers' MUSART_VERSION tell.
MusaFacts read_musa_facts(const std::vector<std::string>& roots, const std::string& version_text);

// The libraries found, as tables: tier `sdk`, range of exactly this version.
std::vector<MusaLibrary> musa_tables_of(const MusaFacts& facts);
std::string musa_library_text(const MusaLibrary& library, const LibraryFacts& binary, int version);

// The prototype that a `like:` stands for, spelled in MUSA's types; nothing where that is unknown.
using ExpandPrototype = std::function<std::optional<Prototype>(const MusaPrototype&)>;

struct MusaComparison {
  std::vector<std::string> lines;
  std::map<std::string, int> counts;  // By kind of difference, zeros included.
};

// Facts of the table that hold for this version against what was extracted: the symbols of
// `extracted`, and the types of `all` libraries, because a table may file a type elsewhere.
MusaComparison compare_musa(const MusaLibrary& table, const MusaLibrary& extracted,
                            const std::vector<MusaLibrary>& all, int version,
                            const ExpandPrototype& expand);

}  // namespace torchada
