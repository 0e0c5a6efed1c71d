// What a built library looks like from outside, as binutils see it.
#pragma once

#include <set>
#include <string>

namespace host_tests {

using Names = std::set<std::string>;

// The functions a header declares, recognised by how the names of its library begin.
Names declared_functions(const std::string& header, const std::string& prefix);

// Everything in the dynamic symbol table that the library defines.
Names exported_symbols(const std::string& library);

// The names with those of C++ functions outside of namespaces as they are written in C++.
Names without_cxx_parameters(const Names& symbols);

// Values of the dynamic section: "NEEDED", "SONAME", "RUNPATH".
Names dynamic_entries(const std::string& library, const std::string& tag);

// The libraries it needs, without those every process has anyway: the loader, libm, and the
// runtimes of the sanitizers in a build that uses them.
Names needed_libraries(const std::string& library);

}  // namespace host_tests
