// Facts of one release of an SDK (CUDA's or MUSA's): its libraries and headers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/extract/clang_headers.h"
#include "generator/extract/sdk_folders.h"
#include "src/inspect/elf_file.h"

namespace torchada {

struct LibraryExport {
  bool weak = false;
  std::uint64_t address = 0;
};

struct LibraryFacts {
  std::string name;
  std::string soname;
  std::string node;  // Empty if exports have no version.
  std::vector<std::string> needed;
  std::string runpath;
  std::map<std::string, LibraryExport> exports;
  std::map<std::string, HeaderFunction> declared;  // Exported ones only.
};

// What to read for one library.
struct LibraryRequest {
  std::string name;                  // cudart
  std::string library;               // libcudart
  std::vector<std::string> headers;  // Parsed one by one, if they exist.
  // The library's own headers that cannot be parsed alone.
  std::vector<std::string> included_headers;
  std::vector<std::string> compiler_headers;  // Parsed leniently, as C++ of a CUDA compiler.
  std::vector<std::string> defines;
  // What a header of `headers` needs and does not include itself.
  std::map<std::string, std::vector<std::string>> included_before = {};
  // Not empty for a library that is in no package: its SONAME. Its exports are the functions that
  // `headers` declare.
  std::string declared_soname = {};
  // Structs of its own headers that no prototype leads to: names, or what names begin with and "*".
  std::vector<std::string> structs = {};
};

struct ReleaseFacts {
  std::string name;
  std::vector<LibraryFacts> libraries;
  // By library: the types of its own headers. The first library also has those of all other
  // headers.
  std::map<std::string, std::map<std::string, TypeFact>> types;
  std::map<std::string, std::int64_t> macros;
  std::vector<std::string> notes;  // What a lenient reading skipped.
};

// Throws ExtractError (ElfError for a bad library) if a library or all its headers are missing, or
// if a header does not parse. Without `strict`, which suits SDKs that nobody has seen, takes what
// it finds and notes the rest.
ReleaseFacts read_release(const std::string& name, const SdkFolders& folders,
                          const std::vector<LibraryRequest>& requests,
                          const std::vector<std::string>& macros, bool strict);

// The identifiers in a spelled type that are not words of C: "const cudaDeviceProp *" has one.
std::vector<std::string> names_in_type(const std::string& spelled);

}  // namespace torchada
