// One number of a table at a time made wrong, in memory, for the real comparison to notice.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model.h"

namespace mutation {

// One number: an enumerator's value, a struct's size or alignment, an offset.
struct Cell {
  std::string library;
  std::string type;
  std::string member;             // Enumerator or field, or "size", "alignment".
  std::string where;              // The releases or SDKs that the number is for.
  std::function<bool()> is_dead;  // Makes it wrong, compares; whether the comparison said so.

  std::string text() const { return library + " " + type + "." + member + " (" + where + ")"; }
};

struct Cells {
  std::vector<Cell> cells;
  std::size_t elsewhere = 0;  // Numbers of releases that are not on this machine.
};

// Of mappings/cuda against the headers of some releases: RELEASE=FOLDER[:FOLDER...].
// Throws where table and headers disagree before anything was changed.
Cells cuda_cells(const std::string& mappings, const std::vector<std::string>& releases);

// Of mappings/musa against installations, which are trees of the CPU stand-in: their headers were
// written down from the evidence by other hands.
Cells musa_cells(const std::string& mappings, const std::vector<std::string>& trees);

}  // namespace mutation
