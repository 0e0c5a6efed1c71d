#include "generator/emit/pack_tables.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>

namespace torchada {
namespace {

using Json = nlohmann::ordered_json;
using tables::List;
using tables::Number;
using tables::Text;

template <typename T>
constexpr bool kIsList = false;
template <typename T>
constexpr bool kIsList<List<T>> = true;

Standing standing_of_name(const std::string& name) {
  const auto* found = std::find(std::begin(kStandingNames), std::end(kStandingNames), name);
  if (found == std::end(kStandingNames)) throw std::runtime_error("no standing: " + name);
  return static_cast<Standing>(found - kStandingNames.begin());
}

// Records come first, each list in one piece, then the texts, each once.
class Packer {
 public:
  std::string packed(const Json& json) {
    fill<tables::Tables>(grow<tables::Tables>(1), json);
    const std::size_t records = bytes_.size();
    for (const auto& [at, text] : places_) set(at, distance(at, records + text));
    bytes_ += texts_;
    const tables::FileHeader header = tables::header_for(bytes_);
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + bytes_;
  }

 private:
  // Room for `count` items. Returns its place.
  template <typename T>
  std::size_t grow(std::size_t count) {
    const std::size_t at = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_.resize(at + count * sizeof(T));
    return at;
  }

  template <typename T>
  void set(std::size_t at, const T& value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  static std::int32_t distance(std::size_t from, std::size_t to) {
    return static_cast<std::int32_t>(to - from);
  }

  template <typename T>
  void fill(std::size_t at, const Json& json) {
    if constexpr (std::is_same_v<T, Text>) {
      text(at, json.get<std::string>());
    } else if constexpr (kIsList<T>) {
      list<typename T::value_type>(at, json);
    } else if constexpr (std::is_same_v<T, Standing>) {
      set(at, standing_of_name(json.get<std::string>()));
    } else if constexpr (std::is_same_v<T, Number>) {
      set(at, json.is_null() ? Number() : Number{json.get<std::int64_t>(), 1});
    } else if constexpr (std::is_arithmetic_v<T>) {
      set(at, json.get<T>());
    } else {
      record<T>(at, json);
    }
  }

  void text(std::size_t at, const std::string& text) {
    if (text.empty()) return;
    const auto [found, is_new] = known_.emplace(text, texts_.size());
    if (is_new) texts_.append(text.c_str(), text.size() + 1);
    places_.emplace_back(at, found->second);
    set(at + sizeof(std::int32_t), static_cast<std::uint32_t>(text.size()));
  }

  template <typename T>
  void list(std::size_t at, const Json& json) {
    if (json.empty()) return;
    const std::size_t items = grow<T>(json.size());
    set(at, distance(at, items));
    set(at + sizeof(std::int32_t), static_cast<std::uint32_t>(json.size()));
    for (std::size_t i = 0; i < json.size(); ++i) fill<T>(items + i * sizeof(T), json.at(i));
  }

  template <typename T>
  void record(std::size_t at, const Json& json) {
    static const T model{};
    std::size_t used = 0;
    std::memcpy(bytes_.data() + at, reinterpret_cast<const char*>(&model), sizeof model);
    model.each_field([&](std::string_view name, const auto& field) {
      const auto found = json.find(std::string(name));  // Debian 11's finds no string_view.
      if (found == json.end()) return;
      ++used;
      const auto offset =
          reinterpret_cast<const char*>(&field) - reinterpret_cast<const char*>(&model);
      fill<std::remove_cvref_t<decltype(field)>>(at + static_cast<std::size_t>(offset), *found);
    });
    if (used != json.size()) throw std::runtime_error("records.h lacks a field of " + json.dump());
  }

  std::string bytes_, texts_;
  std::unordered_map<std::string, std::size_t> known_;       // Places in `texts_`.
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // Of a Text and of what it shows.
};

template <typename T>
Json json_of(const T& value) {
  if constexpr (std::is_same_v<T, Text>) {
    return std::string(value.view());
  } else if constexpr (kIsList<T>) {
    Json out = Json::array();
    for (const auto& item : value) out.push_back(json_of(item));
    return out;
  } else if constexpr (std::is_same_v<T, Standing>) {
    return standing_name(value);
  } else if constexpr (std::is_same_v<T, Number>) {
    return value ? Json(*value) : Json();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    Json out = Json::object();
    value.each_field([&out](std::string_view name, const auto& field) {
      Json item = json_of(field);
      const bool nothing = item == "" || item == false || item == Json::array();
      if (!nothing) out[std::string(name)] = std::move(item);
    });
    return out;
  }
}

}  // namespace

std::string pack_tables(const Json& json) { return Packer().packed(json); }

Json unpack_tables(const tables::Tables& tables) { return json_of(tables); }

}  // namespace torchada
