// Reads mappings/libraries.yaml: every library that torchada replaces, NVIDIA's others, and every
// MUSA library that torchada calls. Nothing else lists them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

// How the functions of a library reach the thread's own stream.
struct OwnStream {
  std::string type;    // Of a stream: "cudaStream_t".
  std::string handle;  // MUSA's constant that stands for the thread's own: "musaStreamPerThread".
  std::string wait;    // MUSA's function that waits for a stream: "musaStreamSynchronize".
};

// Who finds a library.
enum class Offered { kByDefault, kByRun, kOnRequest };
const char* offered_name(Offered offered);  // "by default", as the registry writes it.

// A library that torchada replaces.
struct ReplacementLibrary {
  std::string name;  // Of its tables and of its folder in stubs/: "cudart".
  std::string stem;  // "libcudart"
  // Each SONAME with the CUDA majors that have it, in the order of the file.
  std::vector<std::pair<std::string, std::set<int>>> sonames;
  std::vector<std::string> needs;  // Other libraries of the registry, by name.
  std::string prefix;              // Of its functions: "cuda"
  std::string musa_prefix;         // Of MUSA's: "musa"
  std::string status;              // The type that its functions return.
  std::string backend;             // The MUSA library that most functions lead to.
  std::vector<std::string> calls;  // Others whose functions its adapters may call.
  Offered offered = Offered::kByDefault;
  std::string what;                  // Of one on request: what it is, in a few words.
  std::string folder;                // Below lib/. Empty for lib/ itself.
  std::vector<std::string> headers;  // Parsed one by one, in this order.
  // What a header of `headers` needs and does not include itself.
  std::map<std::string, std::vector<std::string>> included_before;
  // Its own headers that only other headers include.
  std::vector<std::string> included_headers;
  // For code that nvcc writes: C++ only, parsed leniently.
  std::vector<std::string> compiler_headers;
  std::vector<std::string> defines;  // Macros for `headers`: NAME or NAME=VALUE.
  // MUSA has no counterpart of it: torchada itself does the work.
  bool answers_alone = false;
  // Structs that no prototype leads to: names, or what names begin with and "*".
  std::vector<std::string> structs;
  // Declare a type PFN_NAME_vVERSION for each function that programs ask for by name and version.
  std::vector<std::string> entry_points;
  // No package has the library itself: its exports are the functions that `headers` declare.
  bool exports_declared = false;
  OwnStream own_stream;  // Empty if none of its functions ends in _ptsz or _ptds.
  Place place;
};

// A library of NVIDIA's that torchada does not replace.
struct OtherInfo {
  std::string stem;    // "libcudnn"
  std::string what;    // What it is, in a few words.
  std::string advice;  // What a user can do without it.
  std::string prefix;  // Of its functions; empty if no prefix tells.
  std::vector<std::string> headers;
  std::string parts;  // Each may follow the stem in the name of a part.
  Place place;
};

// One file name of a MUSA library.
struct MusaSoname {
  std::string name;
  SdkRange sdk;
  MusaEvidence evidence;
  std::string assumed_range;  // Why it is taken to be in SDKs in which no source shows it.
};

enum class BackendHome { kSdk, kDriver };

// A MUSA library that the replaced ones call.
struct BackendInfo {
  std::string name;  // Of its table: "musart".
  std::string stem;  // "libmusart"
  BackendHome home = BackendHome::kSdk;
  bool is_runtime = false;           // Opened first; its place decides about the others.
  std::vector<MusaSoname> sonames;   // Newest first.
  std::vector<std::string> headers;  // As for ReplacementLibrary; SDKs differ in which they have.
  std::vector<std::string> included_headers;
  // The only functions that initialise something, if the table names them; otherwise all others
  // than `telling` do.
  bool names_initialising = false;
  std::vector<std::string> initialising;
  std::vector<std::string> telling;
  Place place;

  // Whether the function leaves the process as it was, so that a child of fork() may use MUSA.
  bool only_tells(const std::string& function) const;
  // Whether all its functions do.
  bool initialises_nothing() const { return names_initialising && initialising.empty(); }
};

struct Registry {
  std::string file;
  int default_major = 0;  // Of CUDA: the one to which unversioned file names lead.
  std::vector<ReplacementLibrary> libraries;
  std::vector<OtherInfo> others;
  std::vector<BackendInfo> backends;

  // Null for an unknown name.
  const ReplacementLibrary* library(const std::string& name) const;
  const BackendInfo* backend(const std::string& name) const;
  const BackendInfo& runtime() const;
  std::set<int> majors() const;  // Of all SONAMEs.
};

// Throws TableError for unknown keys and names, a SONAME without its stem, a major that two SONAMEs
// of a library claim, a library that is replaced and listed among the others, a folder that is
// missing or too many, and unless exactly one backend is the runtime.
Registry read_registry(const std::string& file);

}  // namespace torchada
