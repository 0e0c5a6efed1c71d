// Writes tables of mappings/cuda. Same facts, same bytes; reading a table back gives the same
// facts.
#pragma once

#include <string>

#include "generator/tables/cuda_tables.h"

namespace torchada {

// "[[void **, devPtr], [size_t, size]]"
std::string parameters_text(const Prototype& prototype);

std::string cuda_library_text(const CudaLibrary& library, const CudaReleases& releases);
// Replaces the file in one step, so that a failure leaves the old one. Throws ExtractError.
void write_text_file(const std::string& file, const std::string& text);

}  // namespace torchada
