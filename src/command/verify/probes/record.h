// A struct of MUSA's that a probe fills and reads by the names of its members.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "src/command/verify/probe.h"

namespace torchada::verify {

class Record {
 public:
  // Zeroes, and room behind them, in case the struct is longer than the table says. Stops if its
  // size is not known.
  Record(Probing& probing, std::string type) : probing_(probing), type_(std::move(type)) {
    const Fact* size = probing_.facts().size(type_);
    if (!size || !size->size) throw Stop("the size of " + type_ + " is not known");
    size_ = static_cast<std::size_t>(*size->size);
    bytes_.assign(size_ + kRoom, 0);
  }

  // As many bytes as the member has.
  template <typename Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  Record& set(const char* member, Number number) {
    const auto wide = static_cast<std::uint64_t>(number);
    const Fact& field = require(member);
    __builtin_memcpy(at(field), &wide, width(field));
    return *this;
  }
  Record& set(const char* member, const void* address) {
    return set(member, reinterpret_cast<std::uintptr_t>(address));
  }
  // A member that is a struct.
  Record& set(const char* member, const Record& record) {
    __builtin_memcpy(at(require(member)), record.data(), record.size_);
    return *this;
  }

  std::int64_t get(const char* member) {
    const Fact& field = require(member);
    std::uint64_t number = 0;
    __builtin_memcpy(&number, at(field), width(field));
    return static_cast<std::int64_t>(number);
  }

  const void* data() const { return bytes_.data(); }
  void* data() { return bytes_.data(); }

  // For a call that fills the struct: what it writes behind it shows.
  void* filled() {
    std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(size_), bytes_.end(), kCanary);
    return bytes_.data();
  }

  // For the size and each member that was set or read: an effect showed that MUSA reads or writes
  // them at these places, or that something is wrong.
  void decide(bool holds, const std::string& expected, const std::string& found) {
    const std::string& told = holds ? expected : found;
    for (const std::string& id : used_) probing_.decide(id, holds, expected, told);
    const Fact* size = probing_.facts().size(type_);
    const std::size_t written = end_of_written();
    if (written > size_) {
      probing_.contradict(size->id, size->claim, std::to_string(written) + " bytes were written");
    } else {
      probing_.decide(size->id, holds, expected, told);
    }
  }

 private:
  static constexpr std::size_t kRoom = 256;
  static constexpr unsigned char kCanary = 0xA5;

  // Of the room behind the struct. All of it has one value until MUSA writes there.
  std::size_t end_of_written() const {
    std::size_t end = bytes_.size();
    while (end > size_ && bytes_[end - 1] == bytes_.back()) --end;
    return end;
  }

  const Fact& require(const char* member) {
    const Fact* field = probing_.facts().field(type_, member);
    if (!field) throw Stop(type_ + "." + member + " is not known");
    used_.insert(field->id);
    return *field;
  }
  unsigned char* at(const Fact& field) {
    return bytes_.data() + static_cast<std::size_t>(field.offset);
  }
  std::size_t width(const Fact& field) const {
    const std::size_t size = size_of(probing_.facts(), field.field_type);
    if (size == 0 || size > sizeof(std::uint64_t)) {
      throw Stop(type_ + "." + field.name + " is no number");
    }
    return size;
  }

  Probing& probing_;
  const std::string type_;
  std::size_t size_ = 0;
  std::vector<unsigned char> bytes_;
  std::set<std::string> used_;
};

}  // namespace torchada::verify
