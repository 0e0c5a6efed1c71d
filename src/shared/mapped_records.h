// Parts of records that lie in a mapped file as they are. Each finds what belongs to it by the
// distance from its own place; therefore none can be copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace torchada::tables {

// Ends with a zero that does not count.
class Text {
 public:
  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  std::string_view view() const { return {c_str(), size_}; }
  const char* c_str() const {
    return size_ == 0 ? "" : reinterpret_cast<const char*>(this) + distance_;
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  operator std::string_view() const { return view(); }          // NOLINT: a text like others
  operator std::string() const { return std::string(view()); }  // NOLINT

  friend bool operator==(const Text& a, const Text& b) { return a.view() == b.view(); }
  friend bool operator==(const Text& a, std::string_view b) { return a.view() == b; }
  friend auto operator<=>(const Text& a, const Text& b) { return a.view() <=> b.view(); }
  friend auto operator<=>(const Text& a, std::string_view b) { return a.view() <=> b; }
  friend std::string operator+(std::string a, const Text& b) { return a.append(b.view()); }
  friend std::string operator+(const Text& a, std::string_view b) {
    return std::string(a.view()).append(b);
  }

 private:
  std::int32_t distance_ = 0;
  std::uint32_t size_ = 0;
};

template <typename T>
class List {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;

  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  const T* begin() const {
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + distance_);
  }
  const T* end() const { return begin() + size_; }
  std::reverse_iterator<const T*> rbegin() const { return std::reverse_iterator(end()); }
  std::reverse_iterator<const T*> rend() const { return std::reverse_iterator(begin()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t at) const { return begin()[at]; }
  const T& front() const { return *begin(); }
  const T& back() const { return end()[-1]; }

  template <typename Value>
  bool has(const Value& value) const {
    return std::find(begin(), end(), value) != end();
  }
  template <typename U>
  operator std::vector<U>() const {  // NOLINT: a list like others
    return std::vector<U>(begin(), end());
  }
  friend bool operator==(const List& a, const List& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::int32_t distance_ = 0;
  std::uint32_t size_ = 0;
};

// A number that may be unknown.
struct Number {
  std::int64_t value = 0;
  std::int64_t known = 0;

  explicit operator bool() const { return known != 0; }
  std::int64_t operator*() const { return value; }
  friend bool operator==(const Number&, const Number&) = default;
  friend bool operator==(const Number& a, std::int64_t b) { return a.known != 0 && a.value == b; }
};

// Names the fields of a record, all of them and in their order, for whoever handles any record.
#define TORCHADA_FIELDS(...)                        \
  template <typename Visit>                         \
  constexpr void each_field(Visit visit) const {    \
    visit_fields(#__VA_ARGS__, visit, __VA_ARGS__); \
  }

// Calls visit(name, field) for each; `names` are separated by ", ".
template <typename Visit, typename... Fields>
constexpr void visit_fields(std::string_view names, Visit& visit, const Fields&... fields) {
  const auto next = [&names] {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 2));
    return name;
  };
  (visit(next(), fields), ...);
}

}  // namespace torchada::tables
