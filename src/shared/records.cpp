#include "src/shared/records.h"

#include <cstring>
#include <set>
#include <stdexcept>
#include <type_traits>

namespace torchada::tables {
namespace {

constexpr char kMagic[] = "torchada";
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;

constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  const std::uint64_t out = (sum ^ word) * kFactor;
  return out ^ (out >> 29);
}

// Names, order and sizes of a record's fields, and of the records in them.
template <typename T>
struct Schema {
  static constexpr std::uint64_t mix(std::uint64_t sum) {
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, Text> && !std::is_same_v<T, Number>) {
      constexpr T model{};
      model.each_field([&sum](std::string_view name, const auto& field) {
        for (const char c : name) sum = mixed(sum, static_cast<unsigned char>(c));
        sum = Schema<std::remove_cvref_t<decltype(field)>>::mix(sum);
      });
    }
    return mixed(sum, sizeof(T));
  }
};
template <typename T>
struct Schema<List<T>> {
  static constexpr std::uint64_t mix(std::uint64_t sum) { return Schema<T>::mix(mixed(sum, 1)); }
};

constexpr std::uint64_t kSchema = Schema<Tables>::mix(0);

std::uint64_t sum_of(std::string_view bytes) {
  std::uint64_t sum = 0;
  std::uint64_t word = 0;
  std::size_t at = 0;
  for (; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum = mixed(sum, word);
  }
  word = 0;
  std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  return mixed(sum, word);
}

}  // namespace

FileHeader header_for(std::string_view tables) {
  FileHeader out{{}, kSchema, tables.size(), sum_of(tables)};
  std::memcpy(out.magic, kMagic, sizeof out.magic);
  return out;
}

const Tables& tables_in(std::string_view bytes) {
  if (bytes.size() < sizeof(FileHeader) + sizeof(Tables))
    throw std::runtime_error("its end is missing");
  const auto* header = reinterpret_cast<const FileHeader*>(bytes.data());
  const std::string_view tables = bytes.substr(sizeof(FileHeader));
  if (std::memcmp(header->magic, kMagic, sizeof header->magic) != 0) {
    throw std::runtime_error("it does not hold torchada's tables");
  }
  if (header->schema != kSchema) {
    throw std::runtime_error("it belongs to another version of torchada");
  }
  if (header->size > tables.size()) throw std::runtime_error("its end is missing");
  if (header->size != tables.size() || header->sum != sum_of(tables))
    throw std::runtime_error("some of its bytes have changed");
  return *reinterpret_cast<const Tables*>(tables.data());
}

std::string Symbol::settled_by() const {
  return no_probe.empty() ? std::string(probe) : "no probe of verify: " + no_probe;
}

std::string Library::file() const {
  return "lib/" + (folder.empty() ? std::string() : folder + "/") + soname;
}

std::string Library::who_finds_it() const {
  if (by_run()) return "only programs started with torchada run find it";
  if (on_request()) return "only programs started with torchada run --" + name + " find it";
  return "";
}

bool Fact::is_evident() const {
  static const std::set<std::string_view> kEvident = {"hardware", "sdk",  "nm",
                                                      "code",     "decl", "doc"};
  return kEvident.count(tier) != 0;
}

const MusaSymbol* Tables::musa_symbol(std::string_view library, std::string_view name) const {
  for (const MusaLibrary& item : musa) {
    if (item.name == library) return find_by_name(item.symbols, name);
  }
  return nullptr;
}

const MusaSymbol* Tables::target_of(const Library& library, const Symbol& symbol) const {
  const MusaSymbol* own = musa_symbol(library.backend, symbol.target);
  return own ? own : musa_symbol("musart", symbol.target);
}

std::string written_sdk(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::string written(const SdkRange& range) {
  const auto version = [](int number) {
    const std::string whole = written_sdk(number);
    return number % 100 == 0 ? whole.substr(0, whole.rfind('.')) : whole;
  };
  if (range.from == 0 && range.to == kNoSdkEnd) return "";
  if (range.from == 0) return "before " + version(range.to);
  if (range.to == kNoSdkEnd) return version(range.from) + " and later";
  return version(range.from) + " and later, before " + version(range.to);
}

}  // namespace torchada::tables
