// A built library seen from outside, with binutils.
#pragma once

#include <set>
#include <string>

namespace host_tests {

using Names = std::set<std::string>;

// The functions that a header declares, recognised by their library's prefix.
Names declared_functions(const std::string& header, const std::string& prefix);

// Everything in the dynamic symbol table that the library defines.
Names exported_symbols(const std::string& library);

// The names, with C++ functions outside namespaces reduced to their plain names.
Names without_cxx_parameters(const Names& symbols);

// Values of the dynamic section: "NEEDED", "SONAME", "RUNPATH".
Names dynamic_entries(const std::string& library, const std::string& tag);

// The libraries it needs, except those of every process: the loader, libm, and the runtimes of the
// sanitizers in a sanitizer build.
Names needed_libraries(const std::string& library);

}  // namespace host_tests
