// How the driver's calls for batches say which of a few records is for which of many members.
#pragma once

#include <stddef.h>

namespace torchada::driver {

// Record k is for the members from first[k] to before first[k + 1], the last one for the rest.
struct BatchRecords {
  const size_t* first;
  size_t count;
};

// Whether every one of `members` has a record and every record has a member.
inline bool is_valid(const BatchRecords& records, size_t members) {
  if (!records.first || records.count == 0 || records.count > members || records.first[0] != 0) {
    return false;
  }
  for (size_t k = 1; k < records.count; ++k) {
    if (records.first[k] <= records.first[k - 1] || records.first[k] >= members) return false;
  }
  return true;
}

// Calls `act(member, record)` for the members in order until one returns a status, and returns it.
template <typename Act>
int for_each_member(const BatchRecords& records, size_t members, const Act& act) {
  size_t record = 0;
  for (size_t i = 0; i < members; ++i) {
    if (record + 1 < records.count && records.first[record + 1] == i) ++record;
    if (const int status = act(i, record)) return status;
  }
  return 0;
}

}  // namespace torchada::driver
