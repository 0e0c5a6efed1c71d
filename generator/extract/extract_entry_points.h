// Which function a request for a name and a CUDA version means: the headers of each release declare
// a type PFN_NAME_vVERSION for it.
//
// A type says which name and which version, but not which function. The functions of a name (X,
// X_v2, X_v3) appeared in the order of their numbers, so the n-th version means the n-th function.
// The types must agree with that: each must be a pointer to its function's type. Functions per
// thread (X_ptsz) are matched among themselves in the same way.
//
// Up to CUDA 12, a macro PFN_NAME names the type for the function that NAME stands for in that
// release. If that is a function of another name, a request for NAME means it, too.
#pragma once

#include <string>
#include <vector>

#include "generator/extract/sdk_folders.h"
#include "generator/tables/entry_points.h"

namespace torchada {

// What one release says. `headers` (at least one) declare the types and include the functions' own
// headers; they are read together. `defines` are the macros that make them declare every version.
// An entry has version 0 if its type names none, which later releases mended. Throws ExtractError
// with header and name if functions and types of a name differ in number, or a function's type from
// its request's.
EntryPoints read_release_entry_points(const SdkFolders& folders,
                                      const std::vector<std::string>& headers,
                                      const std::vector<std::string>& defines);

// Joins releases, which come in the order of releases.yaml with their names. An entry without a
// version is the one of the same function in `known` or in another release. Throws ExtractError if
// two releases mean different functions, or if nothing tells a version.
EntryPoints join_entry_points(const std::vector<std::pair<std::string, EntryPoints>>& releases,
                              const EntryPoints& known);

// The table, as read_entry_points reads it. Same facts, same bytes.
std::string entry_points_text(const std::string& library, const EntryPoints& names);

// One line for each difference, of the releases that `extracted` was read from.
std::vector<std::string> compare_entry_points(const EntryPoints& table,
                                              const EntryPoints& extracted,
                                              const std::vector<std::string>& releases);

}  // namespace torchada
