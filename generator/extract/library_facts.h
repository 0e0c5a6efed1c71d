// Facts of one release of an SDK, CUDA's or MUSA's: its libraries and headers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "clang_headers.h"
#include "elf_file.h"
#include "sdk_folders.h"

namespace torchada {

struct LibraryExport {
  bool weak = false;
  std::uint64_t address = 0;
};

struct LibraryFacts {
  std::string name;
  std::string soname;
  std::string node;  // Empty where exports have no version.
  std::vector<std::string> needed;
  std::string runpath;
  std::map<std::string, LibraryExport> exports;
  std::map<std::string, HeaderFunction> declared;  // Exported ones only.
};

// What to read for one library.
struct LibraryRequest {
  std::string name;                           // cudart
  std::string library;                        // libcudart
  std::vector<std::string> headers;           // Those that exist are parsed, one by one.
  std::vector<std::string> included_headers;  // Own ones that cannot be parsed alone.
  std::vector<std::string> compiler_headers;  // Parsed as C++ of a CUDA compiler, leniently.
  std::vector<std::string> defines;
};

struct ReleaseFacts {
  std::string name;
  std::vector<LibraryFacts> libraries;
  // By library: types of its own headers; the first library has those of all other headers too.
  std::map<std::string, std::map<std::string, TypeFact>> types;
  std::map<std::string, std::int64_t> macros;
  std::vector<std::string> notes;  // What a lenient reading passed over.
};

// Throws ExtractError (ElfError for a bad library) when a library or all its headers are missing,
// or when a header does not parse. Not `strict`, for SDKs whose files were never seen: takes what
// there is and notes the rest.
ReleaseFacts read_release(const std::string& name, const SdkFolders& folders,
                          const std::vector<LibraryRequest>& requests,
                          const std::vector<std::string>& macros, bool strict);

// The identifiers in a spelled type that are not words of C: "const cudaDeviceProp *" has one.
std::vector<std::string> names_in_type(const std::string& spelled);

}  // namespace torchada
