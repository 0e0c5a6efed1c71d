// mappings/cuda on disk: what is written reads back the same; bad tables are refused with their
// line.
#include "generator/tables/cuda_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "generator/extract/cuda_tables_write.h"
#include "src/shared/yaml_source.h"
#include "tests/generator/extract/temporary_folder.h"

namespace torchada {
namespace {

constexpr char kReleases[] = R"(releases:
  "11.8": {abi: 11, packages: [a==1]}
  "12.9": {abi: 12, packages: []}
  "13.0": {abi: 13, packages: []}
)";

// Every construct once, in the writer's layout.
constexpr char kTable[] =
    R"yaml(# Written by torchada-gen extract from the releases of releases.yaml. Do not edit.
library: probe
binaries:
  "11.8": {soname: libprobe.so.11.0, node: libprobe.so.11.0, needed: [libc.so.6], runpath: ""}
  "12.9": {soname: libprobe.so.12, node: "", needed: [], runpath: $ORIGIN}
symbols:
  probeCall:
    releases: ["11.8", "12.9"]
    removed: "13.0"
    prototypes:
    - {releases: ["11.8"], source: probe.h, returns: int, parameters: []}
    - {releases: ["12.9"], source: derived from 11.8, returns: void *, parameters: [["void (*)(void *, int)", callback], ["int *[4]", ""]]}
  probeNew:
    releases: ["12.9"]
    appeared: "12.9"
    removed: "13.0"
    weak: true
    alias_of: probeCall
types:
  probeBits:
  - releases: ["11.8"]
    kind: struct
    size: 8
    align: 4
    fields:
    - [first, "unsigned int:3", 0]
    - ["a[0].b", "char[4]", 4]
  - releases: ["12.9"]
    kind: union
    size: 0
    align: 0
    fields: []
  probeCallback:
  - {releases: ["11.8", "12.9"], kind: callback, returns: void, parameters: [[void *, user]]}
  probeEnum:
  - releases: ["11.8", "12.9"]
    kind: enum
    values:
      PROBE_LOW: -2147483648
      PROBE_HIGH: 4294967295
  probeHandle:
  - {releases: ["12.9"], kind: handle, underlying: probe_st *}
  probeMask:
  - {releases: ["12.9"], kind: scalar, underlying: unsigned long long}
)yaml";

class CudaTable : public testing::Test {
 protected:
  CudaTable() : releases_file_(folder_.write("releases.yaml", kReleases)) {}

  CudaLibrary read(const std::string& text) const {
    return read_cuda_library(folder_.write("probe.yaml", text), releases_file_);
  }
  std::string written(const CudaLibrary& library) const {
    return cuda_library_text(library, read_cuda_releases(releases_file_));
  }
  // The message without the folder: "probe.yaml:7: ...".
  std::string error_of(const std::string& text) const {
    try {
      read(text);
      return "";
    } catch (const TableError& error) {
      const std::string message = error.what();
      return message.substr(message.find("probe.yaml"));
    }
  }
  // The table with one piece of text replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kTable;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  const TemporaryFolder folder_;
  const std::string releases_file_;
};

TEST_F(CudaTable, ReadsEveryConstruct) {
  const CudaLibrary library = read(kTable);
  EXPECT_EQ(library.name, "probe");
  ASSERT_EQ(library.releases.size(), 2u);
  EXPECT_EQ(library.releases[0].abi, 11);
  EXPECT_EQ(library.releases[1].runpath, "$ORIGIN");
  const CudaSymbol& call = library.symbols.at("probeCall");
  EXPECT_EQ(call.place.line, 7);
  ASSERT_EQ(call.prototypes.size(), 2u);
  EXPECT_EQ(call.prototypes[1].prototype.parameters[0].type, "void (*)(void *, int)");
  EXPECT_EQ(call.prototypes[1].prototype.parameters[1].name, "");
  EXPECT_TRUE(library.symbols.at("probeNew").weak);
  EXPECT_EQ(library.symbols.at("probeNew").alias_of, "probeCall");
  const CudaType& bits = library.types.at("probeBits");
  EXPECT_EQ(bits.variants[0].fact.structure.fields[1].name, "a[0].b");
  EXPECT_TRUE(bits.variants[1].fact.structure.is_union);
  EXPECT_EQ(library.types.at("probeEnum").variants[0].fact.enumeration.values[1].value, 4294967295);
}

TEST_F(CudaTable, WritesWhatItRead) {
  const std::string first = written(read(kTable));
  EXPECT_EQ(first, kTable);
  EXPECT_EQ(written(read(first)), first);
}

TEST_F(CudaTable, CommittedTablesAreAsTheWriterWritesThem) {
  const CudaReleases releases = read_cuda_releases(MAPPINGS "/cuda/releases.yaml");
  for (const ReplacementLibrary& library : read_registry(MAPPINGS "/libraries.yaml").libraries) {
    const std::string file = std::string(MAPPINGS "/cuda/") + library.name + ".yaml";
    EXPECT_TRUE(cuda_library_text(read_cuda_library(file, releases), releases) == text_of(file))
        << file << " was edited by hand";
  }
}

// The toolkit has a link stub of the driver, which lacks what these headers declare.
bool is_left_out_of_link_stub(const CudaSymbol& symbol) {
  const std::set<std::string> headers = {"cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"};
  return !symbol.prototypes.empty() && headers.count(symbol.prototypes.back().source) != 0;
}

TEST_F(CudaTable, CommittedTablesHaveTheKnownNumberOfExports) {
  for (const ReplacementLibrary& item : read_registry(MAPPINGS "/libraries.yaml").libraries) {
    const std::string& name = item.name;
    const CudaLibrary library = read_cuda_library(std::string(MAPPINGS "/cuda/") + name + ".yaml",
                                                  MAPPINGS "/cuda/releases.yaml");
    const std::string soname = item.sonames.back().first;
    const std::size_t count = std::stoul(text_of(COUNTS "/" + soname + ".count"));
    std::size_t found = 0;
    for (const auto& [symbol, fact] : library.symbols) {
      const auto& releases = fact.releases;
      const bool is_in = std::find(releases.begin(), releases.end(), "13.0") != releases.end();
      found += is_in && !is_left_out_of_link_stub(fact) ? 1 : 0;
    }
    EXPECT_EQ(found, count) << name;
  }
}

struct Defect {
  const char* from;
  const char* to;
  const char* error;
};

TEST_F(CudaTable, RefusesEachDefectByLine) {
  const Defect kDefects[] = {
      {"library: probe\n", "library: probe\nlibrarry: x\n", ":3: unknown key 'librarry'"},
      {"library: probe\n", "", ":2: missing key 'library'"},
      {"soname: libprobe.so.11.0", "sonam: x", ":4: unknown key 'sonam'"},
      {"node: \"\", ", "", ":5: missing key 'node'"},
      {"  \"12.9\": {soname", "  \"12.8\": {soname", ":5: unknown release '12.8'"},
      {"  probeNew:", "  probeCall:", ":13: 'probeCall' appears twice"},
      {"releases: [\"11.8\", \"12.9\"]\n    removed", "releases: [\"11.9\", \"12.9\"]\n    removed",
       ":8: unknown release '11.9'"},
      {"releases: [\"11.8\", \"12.9\"]\n    removed", "releases: [\"12.9\", \"11.8\"]\n    removed",
       ":8: release '11.8' is repeated or out of order"},
      {"releases: [\"11.8\", \"12.9\"]\n    removed", "releases: []\n    removed",
       ":8: expected at least one release"},
      {"    removed: \"13.0\"\n    proto", "    removed: \"12.9\"\n    proto",
       ":9: 'removed' contradicts 'releases'"},
      {"    appeared: \"12.9\"\n", "", ":14: 'appeared' contradicts 'releases'"},
      {"weak: true", "weak: yes", ":17: expected true or false, found 'yes'"},
      {"alias_of: probeCall", "alias_of: probeGone",
       ":13: alias_of names 'probeGone', which is not a symbol of this table"},
      {"- {releases: [\"12.9\"], source", "- {releases: [\"11.8\"], source",
       ":12: two variants for release '11.8'"},
      {"- {releases: [\"12.9\"], source", "- {releases: [\"13.0\"], source",
       ":12: a prototype for release '13.0', but that release does not export the symbol"},
      {"returns: int, ", "", ":11: missing key 'returns'"},
      {"parameters: []", "parameters: none", ":11: expected a list"},
      {"parameters: []", "params: []", ":11: unknown key 'params'"},
      {"kind: callback", "kind: closure", "unknown kind of type 'closure'; expected scalar"},
      {"size: 8", "size: eight", ":23: expected an integer, found 'eight'"},
      {"0]\n    - [\"a", "900]\n    - [\"a", ":26: the offset is outside the struct"},
      {"[first, \"unsigned int:3\", 0]", "[first, 0]", ":26: expected [name, type, offset]"},
      {"  - releases: [\"12.9\"]\n    kind: union", "  - releases: [\"11.8\"]\n    kind: union",
       ":28: two variants for release '11.8'"},
      {"PROBE_HIGH: 4294967295", "PROBE_LOW: 1", "'PROBE_LOW' appears twice"},
      {"PROBE_HIGH: 4294967295", "PROBE_HIGH: many", "expected an integer, found 'many'"},
      {"kind: enum", "kind: scalar", "unknown key 'values'"},
      {"kind: handle, underlying: probe_st *", "kind: handle", "missing key 'underlying'"},
      {"types:\n", "types: [\n", "probe.yaml:"},
  };
  for (const Defect& defect : kDefects) {
    const std::string error = error_of(with(defect.from, defect.to));
    EXPECT_NE(error.find(defect.error), std::string::npos)
        << "expected: " << defect.error << "\nfound:    " << error;
    EXPECT_TRUE(error.starts_with("probe.yaml:")) << error;
  }
}

TEST_F(CudaTable, RefusesAMissingFile) {
  try {
    read_cuda_library(folder_.path("absent.yaml"), releases_file_);
    FAIL();
  } catch (const TableError& error) {
    EXPECT_EQ(error.what(), folder_.path("absent.yaml") + ": file not found");
  }
}

TEST_F(CudaTable, ReadsReleases) {
  const CudaReleases releases = read_cuda_releases(releases_file_);
  EXPECT_EQ(releases.index_of("13.0"), 2);
  EXPECT_EQ(releases.index_of("14.0"), -1);
  EXPECT_EQ(releases.releases[0].packages, (std::vector<std::string>{"a==1"}));
}

TEST_F(CudaTable, RefusesBadReleases) {
  const auto error_of_releases = [&](const std::string& text) -> std::string {
    try {
      read_cuda_releases(folder_.write("bad.yaml", text));
      return "";
    } catch (const TableError& error) {
      return error.what();
    }
  };
  const std::string file = folder_.path("bad.yaml");
  EXPECT_EQ(error_of_releases("releases: {}\n"), file + ":1: expected at least one release");
  EXPECT_EQ(error_of_releases("releases:\n  a: {abi: x, packages: []}\n"),
            file + ":2: expected an integer, found 'x'");
  EXPECT_EQ(error_of_releases("releases:\n  a: {abi: 1, packages: []}\nmore: 1\n"),
            file + ":3: unknown key 'more'");
}

}  // namespace
}  // namespace torchada
