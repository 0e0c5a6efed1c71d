// Where torchada itself lies, and whether a MUSA is there to be used.
#pragma once

#include <string>

namespace torchada {

// The folder above bin/ of this executable: the tree is relocatable.
std::string installation_root();

// The libmusart that the libraries would open, or an empty string. Asks the places that the
// libraries ask, in their order.
std::string find_musa();

// The same in one installation only.
std::string find_musa_in(const std::string& root);

}  // namespace torchada
