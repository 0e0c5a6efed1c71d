// Changes one number of a table at a time, in memory. The real comparison must notice.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace mutation {

// One number: an enumerator's value, a struct's size or alignment, an offset.
struct Cell {
  std::string library;
  std::string type;
  std::string member;             // enumerator or field, or "size", "alignment"
  std::string where;              // the releases or SDKs to which the number applies
  std::function<bool()> is_dead;  // changes it, compares, and returns whether the comparison
                                  // noticed

  std::string text() const { return library + " " + type + "." + member + " (" + where + ")"; }
};

struct Cells {
  std::vector<Cell> cells;
  std::size_t elsewhere = 0;  // numbers of releases that this machine does not have
};

// mappings/cuda, compared with the headers of some releases: RELEASE=FOLDER[:FOLDER...]. Throws if
// table and headers disagree before any change. With `only`, the table of that library alone.
Cells cuda_cells(const std::string& mappings, const std::vector<std::string>& releases,
                 const std::string& only);

// mappings/musa, compared with installations, namely trees of the CPU stand-in: their headers were
// written independently from the same evidence.
Cells musa_cells(const std::string& mappings, const std::vector<std::string>& trees);

}  // namespace mutation
