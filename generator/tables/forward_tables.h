// Reads mappings/forward/: the decision for each CUDA symbol and the correspondence of types.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "generator/tables/attribute_values.h"
#include "generator/tables/model.h"
#include "generator/tables/registry.h"

namespace torchada {

enum class RowDecision {
  kDirect,    // Same prototype and types: the slot holds MUSA's function.
  kAdapted,   // The slot holds a generated adapter that converts what differs.
  kEmulated,  // Written by hand in stubs/.
  kRecorded,  // Answers what the real library was recorded to answer (mappings/cuda/answers.yaml).
  kUnsupported,  // MUSA has nothing; the reason is for users.
  kNoImage,      // Unsupported, because it needs device code that MUSA can run.
  kDelegated,    // Calls another export of the library, converting the arguments.
};

// How a kDelegated row fills what the two functions do not have in common.
struct Delegated {
  // Parameters of the target that the function lacks -> null, a number, or an enumerator.
  std::map<std::string, std::string> with;
  std::vector<std::string> ignores;  // Parameters of the function that the target lacks.
};

// A way to MUSA that several rows of a library share (`via`): a function or template in its via.h,
// which gets the names of the two functions, MUSA's function, and the arguments. For emulated rows
// there is no one function of MUSA.
struct Way {
  std::vector<std::string> calls, optional;  // Of adapted rows, beside MUSA's function.
  // CUDA types whose values it looks at -> the C++ type in which they come.
  std::map<std::string, std::string> types;
  std::string why;      // What it does, for users. Emulated rows have their own.
  std::string assumes;  // What no source says; its rows are then assumed. Else empty.
  Place place;
};

// What a direct or adapted symbol does if the opened MUSA lacks the target or has it with other
// arguments: a function written by hand, as for kEmulated, or another export, as for kDelegated.
struct Otherwise {
  std::string reason;
  std::string target;                 // The other export, which is then among `calls`; else empty.
  std::vector<std::string> calls;     // See calls.h.
  std::vector<std::string> optional;  // Those of `calls` without which the function works.
};

// When torchada_registered_NAME in stubs/ answers for device code instead of a refusal.
enum class Answered { kNever, kWithKernelLibraries, kAlways };

// A parameter that may name device code which the program brought for CUDA. Such code is refused
// before anything else in the row applies; see stubs/cudart/guard.h.
struct GuardRow {
  std::string parameter;   // "func", or "params.func" for a struct member; empty for no guard.
  bool is_kernel = false;  // Otherwise a variable.
  Answered answered = Answered::kNever;
};

struct ForwardRow {
  std::vector<int> abis;  // The ABIs this row is for; empty for all.
  RowDecision decision = RowDecision::kUnsupported;
  // MUSA symbol for kDirect, kAdapted and for `via`; CUDA symbol for kDelegated.
  std::string target;
  // For kEmulated, a name in ForwardLibrary::ways, if the adapter is emitted; else empty.
  std::string via;
  bool leads_by_way() const { return !via.empty() && !target.empty(); }
  std::vector<std::string> given;  // With `via`: constants that the template gets.
  // Parameter of an adapted row: an object whose kept values are forgotten before MUSA is called.
  std::string forgets;
  // Why it is unsupported; for others, why they are as they are.
  std::string reason;
  Delegated delegated;             // For kDelegated.
  Otherwise otherwise;             // For kDirect and kAdapted; without a reason if there is none.
  std::vector<std::string> calls;  // What a kEmulated adapter calls; see calls.h.
  std::vector<std::string> optional;  // Those of `calls` without which the adapter works.
  GuardRow guard;
  // The status without MUSA, if it is neither the library's own nor recorded; else empty.
  std::string no_backend;
  // What an unsupported function answers, if it is not the library's usual status; else empty.
  std::string status;
  // Whether the refusal of an unsupported function is written by hand in stubs/, as it says more.
  bool refused_by_hand = false;
  // Whether the program passes device code, and what becomes of the call depends on whose it is.
  bool brings_code = false;
  // What torchada_text_NAME(code), which is emitted for the adapter, returns: the names of this
  // enumeration, or the texts recorded of this function. Empty if nothing is emitted.
  std::string texts;
  Place place;
};

// What one library returns if it cannot serve a call, in its own status type.
struct StatusNames {
  std::string type;
  std::string unsupported;
  std::vector<std::string> also_unsupported;  // Of MUSA: other statuses that say the same.
  std::string no_backend;                     // No MUSA was found.
  std::string no_image;   // Needs device code. Equals `unsupported` if a library launches nothing.
  std::string unloading;  // The process is exiting.
  std::string forked;     // In a child of fork() after use.
  std::string failed;     // MUSA returned an unknown status. Empty if the types are the same.
  // For any enumerator that MUSA lacks, if that is not `invalid` or `unsupported`.
  std::string bad_enum;
  std::string invalid;    // A null pointer for a result. Empty if not needed.
  std::string no_memory;  // The replacement library got no memory from the system. Empty if it asks
                          // for none.
};

// Which device attributes provide the members of the device properties struct.
struct PropertySources {
  std::string type;                                            // cudaDeviceProp
  std::string attribute_type;                                  // musaDeviceAttr
  std::map<std::string, std::vector<std::string>> attributes;  // Member -> one per element.
  Place place;
};

struct ForwardLibrary {
  std::string name;
  std::string file;
  std::string backend;         // MUSA library of the targets.
  StatusNames status;          // CUDA's statuses.
  StatusNames backend_status;  // MUSA's statuses.
  bool records_errors = false;
  bool tells_only = false;  // Tells about devices and does no work on them.
  // MUSA's functions that read and clear the thread's last error, for a backend that may succeed
  // and leave one. Empty for others.
  std::string peek_error, clear_error;
  // Types of objects that no export makes: what takes one serves nobody, whatever MUSA has.
  std::vector<std::string> without_maker;
  // What stubs/ calls for code from kernel libraries, whichever row the call comes from. See
  // calls.h.
  std::vector<std::string> kernel_calls;
  PropertySources properties;  // Empty for libraries without such a struct.
  AttributeValues attributes;  // Empty for libraries without attributes in buffers.
  // Letters that kDelegated rows take for an enumeration of their target, by its type.
  std::map<std::string, std::map<char, std::string>> characters;
  std::map<std::string, Way> ways;  // By name.
  std::map<std::string, std::vector<ForwardRow>> rows;
  Place rows_place;
};

enum class NumberDecision {
  kPassed,    // Goes to MUSA unchanged, and counts as assumed.
  kAccepted,  // A mode that only permits something, or a hint: remembered, and MUSA is not told.
  kTold,      // The same, but it demands something: one line says that it has no effect.
  kRefused,   // The call fails, and one line says why.
};

struct EnumeratorDecision {
  NumberDecision decision = NumberDecision::kRefused;
  std::string reason;
  bool is_flag = false;  // Of a mode: programs combine it with the other enumerators.
  Place place;
};

// Stands for every enumerator of a type whose number in MUSA is only assumed.
inline constexpr char kAllAssumed[] = "all";

// mappings/forward/types.yaml
struct TypeCorrespondence {
  std::string file;
  std::map<std::string, std::string> types;    // CUDA type -> MUSA type.
  std::map<std::string, std::string> names;    // Enumerators that are not just a prefix swap.
  std::map<std::string, std::string> results;  // MUSA statuses that stand for another name.
  // CUDA enums whose enumerators are refused if MUSA's number is not known.
  std::set<std::string> refuse_unknown;
  // MUSA libraries in whose enumerations a number that no source gives passes unchanged.
  std::vector<std::string> numbered_as_cuda;
  // By CUDA enumeration and enumerator, or kAllAssumed: what becomes of a number of which no source
  // says what it means in MUSA.
  std::map<std::string, std::map<std::string, EnumeratorDecision>> decided;
  // The reason of each enumerator that `decided` refuses, and of each that it tells about.
  std::map<std::string, std::string> refused, told;
  std::vector<std::string> combined;  // Enumerations whose bits programs combine.
  // Structs of which several lie behind a pointer -> names of the parameters that say how many.
  std::map<std::string, std::set<std::string>> counted;
  // Structs that no generated adapter copies into a longer buffer, with the reason.
  std::map<std::string, std::string> unbuffered;
  // By CUDA enumeration: a call that fails with the first enumerator is made again with the second.
  std::map<std::string, std::map<std::string, std::string>> fallbacks;
  std::vector<std::pair<std::string, std::string>> prefixes;  // Of enumerators, longest first.
  // The MUSA name that corresponds to an enumerator.
  std::string enumerator(const std::string& cuda_name) const;
  // What `decided` says about an enumerator of `type`, or null.
  const EnumeratorDecision* decision(const std::string& type, const std::string& enumerator) const;
};

// Both throw TableError.
// `library` gives the backend and the type of statuses.
ForwardLibrary read_forward_library(const std::string& file, const ReplacementLibrary& library);
TypeCorrespondence read_type_correspondence(const std::string& file);

const char* decision_name(RowDecision decision);
const char* decision_name(const ForwardRow& row);  // As the table has it.

}  // namespace torchada
