#include "generator/tables/recorded_answers.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "src/shared/yaml_source.h"

namespace torchada {
namespace {

constexpr int kNoCode = 0x7ffffff0;  // No library assigns this code.
constexpr const char* kPropertyType = "libraryPropertyType";

std::string find_library(const std::vector<std::string>& roots, const std::string& soname) {
  for (const std::string& root : roots) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             root, std::filesystem::directory_options::skip_permission_denied)) {
      if (entry.path().filename() == soname) return entry.path();
    }
  }
  throw TableError({roots.empty() ? "" : roots.front(), 0},
                   "no " + soname + " found below this directory");
}

std::vector<std::int64_t> codes_of(const CudaType& type) {
  std::set<std::int64_t> codes;
  for (const CudaType::Variant& variant : type.variants) {
    for (const EnumValue& value : variant.fact.enumeration.values) codes.insert(value.value);
  }
  return {codes.begin(), codes.end()};
}

const CudaType* enum_type(const Tables& tables, const std::string& name) {
  const CudaType* type = tables.cuda_type(name);
  return type && type->variants.front().fact.kind == TypeKind::kEnum ? type : nullptr;
}

bool tells_version(const std::string& name) {
  const std::string base = name.ends_with("_v2") ? name.substr(0, name.size() - 3) : name;
  return base.ends_with("Version");
}

std::string list(const std::vector<std::string>& releases) {
  std::string out = "[";
  for (const std::string& release : releases) {
    if (out.size() > 1) out += ", ";
    out += '"' + release + '"';
  }
  return out + "]";
}

// Calls one function of one release in every way that its prototype allows.
class Recorder {
 public:
  Recorder(const Tables& tables, std::string release, RecordedAnswers* out)
      : tables_(tables), release_(std::move(release)), out_(out) {}

  bool wants(const CudaSymbol& symbol, const Prototype& prototype) const {
    return is_text(prototype) || is_property(prototype) ||
           (tells_version(symbol.name) &&
            (is_size(prototype) || is_plain(prototype) || is_with_handle(prototype)));
  }

  void call(const CudaSymbol& symbol, const Prototype& prototype, void* address) {
    if (is_text(prototype)) {
      call_text(symbol.name, *enum_type(tables_, prototype.parameters[0].type), address);
    } else if (is_size(prototype)) {
      const std::size_t value = reinterpret_cast<std::size_t (*)()>(address)();
      add(symbol.name, {static_cast<std::int64_t>(value)});
    } else if (is_plain(prototype)) {
      int value = 0;
      if (reinterpret_cast<int (*)(int*)>(address)(&value) == 0) add(symbol.name, {value});
    } else if (is_property(prototype)) {
      int values[3] = {};
      const auto get = reinterpret_cast<int (*)(int, int*)>(address);
      for (int i = 0; i < 3; ++i) {
        if (get(i, &values[i]) != 0) return;
      }
      add(symbol.name, {values[0], values[1], values[2]});
    } else {
      int value = 0;
      const auto get = reinterpret_cast<int (*)(void*, int*)>(address);
      if (get(nullptr, &value) == 0) add(symbol.name, {value});
    }
  }

 private:
  bool is_text(const Prototype& p) const {
    return p.returns == "const char *" && p.parameters.size() == 1 &&
           enum_type(tables_, p.parameters[0].type);
  }
  static bool is_size(const Prototype& p) { return p.returns == "size_t" && p.parameters.empty(); }
  static bool is_plain(const Prototype& p) {
    return p.parameters.size() == 1 && p.parameters[0].type == "int *";
  }
  static bool is_property(const Prototype& p) {
    return p.parameters.size() == 2 && p.parameters[0].type == kPropertyType &&
           p.parameters[1].type == "int *";
  }
  bool is_with_handle(const Prototype& p) const {
    if (p.parameters.size() != 2 || p.parameters[1].type != "int *") return false;
    const CudaType* type = tables_.cuda_type(p.parameters[0].type);
    return type && type->variants.front().fact.kind == TypeKind::kHandle;
  }

  void call_text(const std::string& name, const CudaType& type, void* address) {
    const auto get = reinterpret_cast<const char* (*)(int)>(address);
    const auto text = [&](int code) {
      const char* answer = get(code);
      return std::string(answer ? answer : "");
    };
    for (const std::int64_t code : codes_of(type)) {
      out_->strings[name].push_back({code, {release_}, text(static_cast<int>(code))});
    }
    out_->strings[name].push_back({std::nullopt, {release_}, text(kNoCode)});
  }

  void add(const std::string& name, std::vector<std::int64_t> values) {
    out_->versions[name].push_back({{release_}, std::move(values)});
  }

  const Tables& tables_;
  const std::string release_;
  RecordedAnswers* out_;
};

void add_releases(std::vector<std::string>* into, const std::vector<std::string>& from) {
  for (const std::string& release : from) {
    if (std::find(into->begin(), into->end(), release) == into->end()) into->push_back(release);
  }
}

}  // namespace

RecordedAnswers read_recorded_answers(const std::string& file) {
  RecordedAnswers out;
  const YamlNode root = load_yaml(file);
  root.only({"strings", "versions"});
  for (const auto& [key, node] : root.required("strings").entries()) {
    for (const YamlNode& item : node.items()) {
      item.only({"code", "releases", "text"});
      RecordedString record;
      const YamlNode code = item.required("code");
      if (code.text() != "other") record.code = code.integer();
      record.releases = item.required("releases").texts();
      record.text = item.required("text").text();
      out.strings[key.text()].push_back(record);
    }
  }
  for (const auto& [key, node] : root.required("versions").entries()) {
    for (const YamlNode& item : node.items()) {
      item.only({"releases", "values"});
      RecordedNumbers record;
      record.releases = item.required("releases").texts();
      for (const YamlNode& value : item.required("values").items()) {
        record.values.push_back(value.integer());
      }
      out.versions[key.text()].push_back(record);
    }
  }
  return out;
}

std::string write_recorded_answers(const RecordedAnswers& answers) {
  std::ostringstream out;
  out << "# Written by `torchada-gen record`, by calling the real libraries. Do not edit.\n"
      << "strings:" << (answers.strings.empty() ? " {}" : "") << "\n";
  for (const auto& [function, records] : answers.strings) {
    out << "  " << function << ":\n";
    for (const RecordedString& record : records) {
      out << "  - {code: " << (record.code ? std::to_string(*record.code) : "other")
          << ", releases: " << list(record.releases) << ", text: " << yaml_scalar(record.text)
          << "}\n";
    }
  }
  out << "versions:" << (answers.versions.empty() ? " {}" : "") << "\n";
  for (const auto& [function, records] : answers.versions) {
    out << "  " << function << ":\n";
    for (const RecordedNumbers& record : records) {
      out << "  - {releases: " << list(record.releases) << ", values: [";
      for (std::size_t i = 0; i < record.values.size(); ++i) {
        out << (i ? ", " : "") << record.values[i];
      }
      out << "]}\n";
    }
  }
  return out.str();
}

RecordedAnswers record_answers(const Tables& tables, const std::string& release,
                               const std::vector<std::string>& roots) {
  RecordedAnswers out;
  Recorder recorder(tables, release, &out);
  for (const Output& output : list_outputs(tables)) {
    // A driver library comes with the device, so there is none that answers without one.
    if (tables.registry.libraries[output.library].exports_declared) continue;
    const CudaLibrary& library = tables.cuda[output.library];
    const bool has_release = std::any_of(
        library.releases.begin(), library.releases.end(), [&](const CudaRelease& candidate) {
          return candidate.name == release && candidate.soname == output.soname;
        });
    if (!has_release) continue;
    Output wanted = output;
    wanted.releases = {release};
    void* handle = nullptr;
    for (const CudaSymbol* symbol : exports_of(tables, wanted)) {
      const Prototype* prototype = prototype_in(*symbol, wanted);
      if (!prototype || !recorder.wants(*symbol, *prototype)) continue;
      if (!handle) handle = dlopen(find_library(roots, output.soname).c_str(), RTLD_NOW);
      if (!handle) throw TableError({output.soname, 0}, dlerror());
      void* address = dlsym(handle, symbol->name.c_str());
      if (!address) throw TableError({output.soname, 0}, "does not export " + symbol->name);
      recorder.call(*symbol, *prototype, address);
    }
  }
  return out;
}

void merge_recorded_answers(RecordedAnswers* into, const RecordedAnswers& from) {
  for (const auto& [function, records] : from.strings) {
    std::vector<RecordedString>& present = into->strings[function];
    for (const RecordedString& record : records) {
      const auto same = std::find_if(present.begin(), present.end(), [&](const auto& other) {
        return other.code == record.code && other.text == record.text;
      });
      if (same == present.end()) {
        present.push_back(record);
      } else {
        add_releases(&same->releases, record.releases);
      }
    }
    // By code, "other" last; std::optional orders "none" first.
    std::stable_sort(present.begin(), present.end(), [](const auto& a, const auto& b) {
      if (a.code.has_value() != b.code.has_value()) return a.code.has_value();
      return a.code < b.code;
    });
  }
  for (const auto& [function, records] : from.versions) {
    std::vector<RecordedNumbers>& present = into->versions[function];
    for (const RecordedNumbers& record : records) {
      const auto same = std::find_if(present.begin(), present.end(), [&](const auto& other) {
        return other.values == record.values;
      });
      if (same == present.end()) {
        present.push_back(record);
      } else {
        add_releases(&same->releases, record.releases);
      }
    }
  }
}

}  // namespace torchada
