// mappings/musa/sources.yaml: every source that the tables cite, when it was read, and the
// strongest evidence that it can be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/tables/model.h"

namespace torchada {

struct CitedSource {
  std::string read;         // The commit, or the day for a page.
  Tier names = Tier::kMap;  // Of names that it shows to exist,
  Tier rest = Tier::kMap;   // and of anything else.
  std::vector<int> sdks;    // The releases of which it is; empty if nothing tells.
  Place place;
};

class SourceList {
 public:
  // Throws TableError for a source without a commit or a day.
  static SourceList read(const std::string& file);

  // By what the tables cite: "owner/name:path" or an address. Null if it is not listed.
  const CitedSource* find(const std::string& cited) const;
  // "owner/name@COMMIT:path" or "ADDRESS (DAY)"; what is not listed stays as it is.
  std::string with_reading(const std::string& cited) const;
  std::vector<std::string> with_reading(const std::vector<std::string>& cited) const;

  const std::map<std::string, CitedSource>& all() const { return sources_; }

 private:
  std::map<std::string, CitedSource> sources_;
};

}  // namespace torchada
