#include "generator/tables/registry.h"

#include <algorithm>

#include "generator/tables/musa_tables.h"
#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

void read_sonames(const YamlNode& node, ReplacementLibrary* library) {
  std::set<int> claimed;
  for (const auto& [soname, majors] : node.entries()) {
    if (!soname.text().starts_with(library->stem + ".so")) {
      soname.fail("'" + soname.text() + "': expected a name that starts with " + library->stem +
                  ".so");
    }
    std::set<int> numbers;
    for (const YamlNode& major : majors.items()) {
      const int number = static_cast<int>(major.integer());
      if (!claimed.insert(number).second) {
        major.fail("CUDA " + std::to_string(number) + " has another SONAME of " + library->name +
                   " already");
      }
      numbers.insert(number);
    }
    if (numbers.empty()) majors.fail("expected at least one CUDA major");
    library->sonames.emplace_back(soname.text(), numbers);
  }
  if (library->sonames.empty()) node.fail("expected at least one SONAME");
}

constexpr Offered kOffered[] = {Offered::kByDefault, Offered::kByRun, Offered::kOnRequest};

void read_offer(const YamlNode& node, ReplacementLibrary* library) {
  const YamlNode offered = node.required("offered");
  const auto* found = std::find_if(std::begin(kOffered), std::end(kOffered), [&](Offered item) {
    return offered.text() == offered_name(item);
  });
  if (found == std::end(kOffered)) {
    offered.fail("'" + offered.text() + "': expected 'by default', 'by run' or 'on request'");
  }
  library->offered = *found;
  if (library->offered == Offered::kOnRequest) library->what = node.required("what").text();
  if (library->offered == Offered::kByDefault) {
    if (node.has("folder")) {
      node.required("folder").fail("a library that is offered by default lies in lib/ itself");
    }
    return;
  }
  const YamlNode folder = node.required("folder");
  library->folder = folder.text();
  const bool is_word = std::all_of(library->folder.begin(), library->folder.end(),
                                   [](char letter) { return letter >= 'a' && letter <= 'z'; });
  if (!is_word || library->folder.empty()) {
    folder.fail("'" + library->folder + "': expected lower-case letters");
  }
}

ReplacementLibrary read_library(const YamlNode& key, const YamlNode& node) {
  node.only({"stem",
             "sonames",
             "needs",
             "prefixes",
             "status",
             "backend",
             "calls",
             "offered",
             "folder",
             "headers",
             "included_before",
             "included_headers",
             "compiler_headers",
             "defines",
             "exports",
             "own_stream",
             "entry_points",
             "structs",
             "answers",
             "what"});
  ReplacementLibrary out;
  out.name = key.text();
  out.place = key.place();
  out.stem = node.required("stem").text();
  read_sonames(node.required("sonames"), &out);
  out.needs = node.texts_or_none("needs");
  const auto prefixes = node.required("prefixes").entries();
  if (prefixes.size() != 1) node.required("prefixes").fail("expected one pair, CUDA: MUSA");
  out.prefix = prefixes[0].first.text();
  out.musa_prefix = prefixes[0].second.text();
  out.status = node.required("status").text();
  out.backend = node.required("backend").text();
  out.calls = node.texts_or_none("calls");
  read_offer(node, &out);
  out.headers = node.required("headers").texts();
  if (node.has("included_before")) {
    for (const auto& [header, before] : node.required("included_before").entries()) {
      if (std::find(out.headers.begin(), out.headers.end(), header.text()) == out.headers.end()) {
        header.fail("'" + header.text() + "' is not one of the headers of " + out.name);
      }
      out.included_before[header.text()] = before.texts();
    }
  }
  out.included_headers = node.texts_or_none("included_headers");
  out.compiler_headers = node.texts_or_none("compiler_headers");
  out.defines = node.texts_or_none("defines");
  out.entry_points = node.texts_or_none("entry_points");
  out.answers_alone = node.has("answers");
  if (out.answers_alone && node.required("answers").text() != "alone") {
    node.required("answers").fail("'" + node.required("answers").text() +
                                  "': expected 'alone', or nothing");
  }
  out.structs = node.texts_or_none("structs");
  if (node.has("own_stream")) {
    const YamlNode stream = node.required("own_stream");
    stream.only({"type", "handle", "wait"});
    out.own_stream = {stream.required("type").text(), stream.required("handle").text(),
                      stream.required("wait").text()};
  }
  out.exports_declared = node.has("exports");
  if (out.exports_declared && node.required("exports").text() != "as declared") {
    node.required("exports").fail("'" + node.required("exports").text() +
                                  "': expected 'as declared', or nothing");
  }
  return out;
}

OtherInfo read_other(const YamlNode& key, const YamlNode& node) {
  node.only({"what", "advice", "prefix", "headers", "parts"});
  return {.stem = key.text(),
          .what = node.required("what").text(),
          .advice = node.required("advice").text(),
          .prefix = node.text_or("prefix", ""),
          .headers = node.texts_or_none("headers"),
          .parts = node.text_or("parts", ""),
          .place = key.place()};
}

BackendInfo read_backend(const YamlNode& key, const YamlNode& node) {
  node.only({"stem", "home", "runtime", "sonames", "headers", "included_headers", "initialising",
             "telling"});
  BackendInfo out;
  out.name = key.text();
  out.place = key.place();
  out.stem = node.required("stem").text();
  const std::string home = node.required("home").text();
  if (home != "sdk" && home != "driver") {
    node.required("home").fail("'" + home + "': expected 'sdk' or 'driver'");
  }
  out.home = home == "sdk" ? BackendHome::kSdk : BackendHome::kDriver;
  out.is_runtime = node.has("runtime") && node.required("runtime").boolean();
  for (const YamlNode& item : node.required("sonames").items()) {
    item.only({"name", "sdk", "assumed", "tier", "source"});
    out.sonames.push_back({item.required("name").text(), sdk_of(item), read_evidence(item),
                           item.text_or("assumed", "")});
  }
  if (out.sonames.empty()) node.required("sonames").fail("expected at least one SONAME");
  out.headers = node.required("headers").texts();
  out.included_headers = node.texts_or_none("included_headers");
  out.names_initialising = node.has("initialising");
  if (out.names_initialising && node.has("telling")) {
    node.required("telling").fail("expected 'initialising' or 'telling', not both");
  }
  out.initialising = node.texts_or_none("initialising");
  out.telling = node.texts_or_none("telling");
  return out;
}

void check_names(const Registry& registry) {
  const auto known = [&](const ReplacementLibrary& library, const std::string& name) {
    if (!registry.backend(name)) {
      throw TableError(library.place,
                       library.name + ": '" + name + "' is not one of the backends; add it there");
    }
  };
  for (const ReplacementLibrary& library : registry.libraries) {
    known(library, library.backend);
    for (const std::string& name : library.calls) known(library, name);
    for (const std::string& name : library.needs) {
      if (!registry.library(name)) {
        throw TableError(library.place, library.name + ": it needs '" + name +
                                            "', which is not one of the libraries; add it there");
      }
    }
  }
  for (const OtherInfo& other : registry.others) {
    for (const ReplacementLibrary& library : registry.libraries) {
      if (library.stem == other.stem) {
        throw TableError(other.place, other.stem + " is one of the libraries; remove it here");
      }
    }
  }
  const auto is_runtime = [](const BackendInfo& backend) { return backend.is_runtime; };
  if (std::count_if(registry.backends.begin(), registry.backends.end(), is_runtime) != 1) {
    throw TableError({registry.file, 0}, "expected exactly one backend with 'runtime: true'");
  }
}

template <typename Item>
const Item* find(const std::vector<Item>& items, const std::string& name) {
  for (const Item& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

}  // namespace

const char* offered_name(Offered offered) {
  constexpr const char* kNames[] = {"by default", "by run", "on request"};
  return kNames[static_cast<int>(offered)];
}

const ReplacementLibrary* Registry::library(const std::string& name) const {
  return find(libraries, name);
}

bool BackendInfo::only_tells(const std::string& function) const {
  const std::vector<std::string>& listed = names_initialising ? initialising : telling;
  const bool is_listed = std::find(listed.begin(), listed.end(), function) != listed.end();
  return is_listed != names_initialising;
}

const BackendInfo* Registry::backend(const std::string& name) const { return find(backends, name); }

const BackendInfo& Registry::runtime() const {
  return *std::find_if(backends.begin(), backends.end(),
                       [](const BackendInfo& backend) { return backend.is_runtime; });
}

std::set<int> Registry::majors() const {
  std::set<int> out;
  for (const ReplacementLibrary& library : libraries) {
    for (const auto& [soname, majors] : library.sonames) out.insert(majors.begin(), majors.end());
  }
  return out;
}

Registry read_registry(const std::string& file) {
  const YamlNode root = load_yaml(file);
  root.only({"default_major", "libraries", "others", "backends"});
  Registry out;
  out.file = file;
  out.default_major = static_cast<int>(root.required("default_major").integer());
  for (const auto& [key, node] : root.required("libraries").entries()) {
    out.libraries.push_back(read_library(key, node));
  }
  for (const auto& [key, node] : root.required("others").entries()) {
    out.others.push_back(read_other(key, node));
  }
  for (const auto& [key, node] : root.required("backends").entries()) {
    out.backends.push_back(read_backend(key, node));
  }
  if (out.libraries.empty()) root.fail("expected at least one library");
  check_names(out);
  if (!out.majors().contains(out.default_major)) {
    root.fail("no library is of default_major " + std::to_string(out.default_major));
  }
  return out;
}

}  // namespace torchada
