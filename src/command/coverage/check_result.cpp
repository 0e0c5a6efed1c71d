#include "src/command/coverage/check_result.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "src/command/command.h"
#include "src/command/coverage/page.h"
#include "src/inspect/mapped_file.h"

namespace torchada::coverage {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of_type(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (value.is_string()) return "a string";
  return value.is_number() ? "a number" : "true or false";
}

void demand(const Json& value, const std::string& wanted, const std::string& where) {
  const std::string found = name_of_type(value);
  if (found != wanted) {
    throw Failure((where.empty() ? "top level" : where) + ": expected " + wanted + ", found " +
                  found);
  }
}

// What `members` lists of `value`. Throws Failure that says where something else stands.
// page/check_result.js does the same in the page.
Json chosen(const Json& value, const Json& members, const std::string& where) {
  if (members.is_array()) {
    demand(value, "a list", where);
    Json out = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
      out.push_back(chosen(value[i], members[0], where + "[" + std::to_string(i) + "]"));
    }
    return out;
  }
  if (members.is_object()) {
    demand(value, "an object", where);
    Json out = Json::object();
    for (const auto& [key, type] : members.items()) {
      const bool is_optional = key.back() == '?';
      const std::string name = is_optional ? key.substr(0, key.size() - 1) : key;
      const std::string inside = where.empty() ? name : where + "." + name;
      if (value.contains(name)) {
        out[name] = chosen(value[name], type, inside);
      } else if (!is_optional) {
        throw Failure(inside + ": not found");
      }
    }
    return out;
  }
  const auto type = members.get<std::string>();
  if (type == "string or null" && value.is_null()) return value;
  demand(value,
         type == "number"    ? "a number"
         : type == "boolean" ? "true or false"
                             : "a string",
         where);
  return value;
}

std::string text_of(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{256} << 20;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw Failure("is a directory; expected a file");
  }
  try {
    const MappedFile file(path);
    if (file.bytes().size() > kMost) throw Failure("is larger than 256 MiB");
    return std::string(file.bytes());
  } catch (const std::runtime_error& failure) {
    throw Failure(failure.what());
  }
}

Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    if (error.byte > text.size()) throw Failure("the JSON ends too early");
    // `byte` counts from 1.
    const auto here =
        text.begin() + static_cast<std::ptrdiff_t>(std::max(error.byte, std::size_t{1}) - 1);
    const auto line = std::count(text.begin(), here, '\n') + 1;
    const auto begin = std::find(std::make_reverse_iterator(here), text.rend(), '\n').base();
    throw Failure("line " + std::to_string(line) + ", column " + std::to_string(here - begin + 1) +
                  ": not valid JSON");
  } catch (const Json::exception&) {
    throw Failure("a number is out of range");
  }
}

}  // namespace

CheckResult read_check_result(const std::string& path) {
  std::string text;
  try {
    text = text_of(path);
  } catch (const Failure& failure) {
    throw Failure("--program=" + path + ": " + failure.what());
  }
  try {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Failure("the file is empty");
    const Json members = Json::parse(kCheckMembersJson);
    return {std::filesystem::path(path).filename().string(),
            chosen(parsed(text), members, "").dump(-1, ' ', true, Json::error_handler_t::replace)};
  } catch (const Failure& failure) {
    throw Failure("--program=" + path + ": " + failure.what() +
                  "; write it with torchada check --format=json");
  }
}

}  // namespace torchada::coverage
