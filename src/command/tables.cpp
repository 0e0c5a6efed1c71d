#include "src/command/tables.h"

#include <climits>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "src/command/command.h"

namespace torchada::tables {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 2;

std::string text(const Json& record, const char* key) { return record.value(key, std::string()); }

std::vector<std::string> texts(const Json& record, const char* key) {
  return record.value(key, std::vector<std::string>());
}

// A number that is too large for the parser's integers comes as a fraction.
std::int64_t number(const Json& item) {
  if (item.is_number_integer()) return item.get<std::int64_t>();
  throw std::runtime_error("expected a whole number of at most 64 bits, found " + item.dump());
}

int small_number(const Json& item) {
  const std::int64_t value = number(item);
  if (value >= INT_MIN && value <= INT_MAX) return static_cast<int>(value);
  throw std::runtime_error("expected a number of at most 32 bits, found " + item.dump());
}

std::set<int> small_numbers(const Json& list) {
  std::set<int> out;
  for (const Json& item : list.get_ref<const Json::array_t&>()) out.insert(small_number(item));
  return out;
}

SdkRange range(const Json& pair) { return {small_number(pair.at(0)), small_number(pair.at(1))}; }

Symbol read_symbol(const Json& record) {
  Symbol out;
  out.name = record.at("name").get<std::string>();
  out.standing = record.at("standing").get<std::string>();
  out.decision = record.at("decision").get<std::string>();
  out.as = text(record, "as");
  out.target = text(record, "target");
  if (record.contains("sdk")) {
    for (const Json& item : record.at("sdk")) out.sdk.push_back(range(item));
  }
  if (record.contains("rank")) out.rank = small_number(record.at("rank"));
  out.why = text(record, "why");
  out.missing = text(record, "missing");
  out.probe = text(record, "probe");
  out.no_probe = text(record, "no_probe");
  out.reason = text(record, "reason");
  out.delegated_to = text(record, "delegated_to");
  out.calls = texts(record, "calls");
  out.optional_calls = texts(record, "optional_calls");
  out.besides = text(record, "besides");
  out.has_other_way = record.value("has_other_way", false);
  out.otherwise_calls = texts(record, "otherwise_calls");
  out.optional_otherwise_calls = texts(record, "optional_otherwise_calls");
  out.prototype = text(record, "prototype");
  out.header = text(record, "header");
  return out;
}

Library read_library(const Json& record) {
  Library out;
  out.name = record.at("library").get<std::string>();
  out.majors = small_numbers(record.at("majors"));
  out.soname = record.at("soname").get<std::string>();
  out.offered = record.value("offered", std::string("by default"));  // Release 0.1 says nothing.
  out.folder = text(record, "folder");
  out.releases = texts(record, "releases");
  out.backend = record.at("backend").get<std::string>();
  out.status = text(record, "status");
  out.musa_status = text(record, "musa_status");
  for (const Json& item : record.at("symbols")) out.symbols.push_back(read_symbol(item));
  return out;
}

MusaSymbol read_musa_symbol(const Json& record) {
  MusaSymbol out;
  out.name = record.at("name").get<std::string>();
  out.link = record.value("link", out.name);
  out.sdk = range(record.at("sdk"));
  out.tier = record.at("tier").get<std::string>();
  out.sources = texts(record, "sources");
  out.note = text(record, "note");
  if (!record.contains("prototypes")) return out;
  for (const Json& item : record.at("prototypes")) {
    out.prototypes.push_back({item.at("prototype").get<std::string>(), range(item.at("sdk")),
                              item.at("tier").get<std::string>(), text(item, "source")});
  }
  return out;
}

Enumeration read_type(const Json& record) {
  Enumeration out;
  out.name = record.at("name").get<std::string>();
  out.library = record.at("library").get<std::string>();
  out.musa = text(record, "musa");
  out.is_status = record.value("status", false);
  for (const Json& item : record.at("values")) {
    EnumValue value;
    value.name = item.at("name").get<std::string>();
    value.value = number(item.at("value"));
    value.abis = small_numbers(item.at("abis"));
    value.musa = text(item, "musa");
    value.text = text(item, "text");
    value.refused = text(item, "refused");
    out.values.push_back(value);
  }
  return out;
}

MusaEnumeration read_musa_type(const Json& record) {
  MusaEnumeration out;
  out.name = record.at("name").get<std::string>();
  out.library = record.at("library").get<std::string>();
  out.is_status = record.value("status", false);
  out.sdk = range(record.at("sdk"));
  out.tier = record.at("tier").get<std::string>();
  out.sources = texts(record, "sources");
  for (const Json& item : record.at("values")) {
    MusaEnumValue value;
    value.name = item.at("name").get<std::string>();
    if (!item.at("value").is_null()) value.value = number(item.at("value"));
    value.tier = item.at("tier").get<std::string>();
    value.becomes = text(item, "becomes");
    out.values.push_back(value);
  }
  return out;
}

Layout read_layout(const Json& record) {
  Layout out;
  out.kind = record.at("kind").get<std::string>();
  out.underlying = text(record, "underlying");
  if (record.contains("size")) out.size = number(record.at("size"));
  if (record.contains("align")) out.align = number(record.at("align"));
  if (!record.contains("fields")) return out;
  for (const Json& item : record.at("fields")) {
    out.fields.push_back(
        {item.at(0).get<std::string>(), item.at(1).get<std::string>(), number(item.at(2))});
  }
  return out;
}

CudaType read_cuda_layouts(const Json& record) {
  CudaType out;
  out.name = record.at("name").get<std::string>();
  out.library = record.at("library").get<std::string>();
  out.musa = text(record, "musa");
  for (const Json& item : record.at("variants")) {
    out.variants.push_back({texts(item, "releases"), read_layout(item)});
  }
  return out;
}

MusaLayout read_musa_layout(const Json& record) {
  MusaLayout out;
  out.name = record.at("name").get<std::string>();
  out.library = record.at("library").get<std::string>();
  out.sdk = range(record.at("sdk"));
  out.tier = record.at("tier").get<std::string>();
  out.sources = texts(record, "sources");
  out.note = text(record, "note");
  out.layout = read_layout(record);
  return out;
}

Tables read_all(const Json& all) {
  if (number(all.at("format")) != kFormat) {
    throw std::runtime_error("it belongs to another version of torchada");
  }
  Tables out;
  for (const Json& item : all.at("libraries")) out.libraries.push_back(read_library(item));
  for (const Json& item : all.at("musa")) {
    MusaLibrary& library = out.musa.emplace_back();
    library.name = item.at("library").get<std::string>();
    for (const Json& symbol : item.at("symbols")) {
      const MusaSymbol read = read_musa_symbol(symbol);
      library.symbols.emplace(read.name, read);
    }
  }
  for (const Json& item : all.at("types")) out.types.push_back(read_type(item));
  for (const Json& item : all.at("musa_types")) out.musa_types.push_back(read_musa_type(item));
  for (const Json& item : all.at("layouts")) out.layouts.push_back(read_cuda_layouts(item));
  for (const Json& item : all.at("musa_layouts")) {
    out.musa_layouts.push_back(read_musa_layout(item));
  }
  return out;
}

}  // namespace

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

std::string Symbol::settled_by() const {
  return no_probe.empty() ? probe : "no probe of verify: " + no_probe;
}

std::string Library::file() const { return "lib/" + (folder.empty() ? "" : folder + "/") + soname; }

std::string Library::who_finds_it() const {
  if (by_run()) return "only programs started with torchada run find it";
  if (on_request()) return "only programs started with torchada run --" + name + " find it";
  return "";
}

const MusaSymbol* Tables::musa_symbol(const std::string& library, const std::string& name) const {
  for (const MusaLibrary& item : musa) {
    if (item.name != library) continue;
    const auto found = item.symbols.find(name);
    return found == item.symbols.end() ? nullptr : &found->second;
  }
  return nullptr;
}

Tables read(const std::string& root) {
  const std::string path = root + "/share/tables.json";
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Failure(path + " cannot be read: the installation is incomplete; reinstall torchada");
  return parse(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

Tables parse(std::string_view text, const std::string& path) {
  try {
    return read_all(Json::parse(text));
  } catch (const std::exception& error) {
    throw Failure(path + " is damaged: " + error.what() + "; reinstall torchada");
  }
}

}  // namespace torchada::tables
