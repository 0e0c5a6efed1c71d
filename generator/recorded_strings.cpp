#include "recorded_strings.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "compare.h"
#include "yaml_source.h"

namespace torchada {
namespace {

constexpr int kNoCode = 0x7ffffff0;  // Assigned by no library.

std::string find_library(const std::vector<std::string>& roots, const std::string& soname) {
  for (const std::string& root : roots) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             root, std::filesystem::directory_options::skip_permission_denied)) {
      if (entry.path().filename() == soname) return entry.path();
    }
  }
  throw TableError({roots.empty() ? "" : roots.front(), 0}, "no " + soname + " below it");
}

std::vector<std::int64_t> codes_of(const CudaType& type) {
  std::set<std::int64_t> codes;
  for (const CudaType::Variant& variant : type.variants) {
    for (const EnumValue& value : variant.fact.enumeration.values) codes.insert(value.value);
  }
  return {codes.begin(), codes.end()};
}

}  // namespace

bool is_string_function(const Tables& tables, const Prototype& prototype) {
  if (prototype.returns != "const char *" || prototype.parameters.size() != 1) return false;
  const CudaType* type = tables.cuda_type(prototype.parameters[0].type);
  return type && type->variants.front().fact.kind == TypeKind::kEnum;
}

RecordedStrings read_recorded_strings(const std::string& file) {
  RecordedStrings out;
  for (const auto& [key, node] : load_yaml(file).required("strings").entries()) {
    for (const YamlNode& item : node.items()) {
      item.only({"code", "releases", "text"});
      RecordedString record;
      const YamlNode code = item.required("code");
      if (code.text() != "other") record.code = code.integer();
      record.releases = item.required("releases").texts();
      record.text = item.required("text").text();
      out[key.text()].push_back(record);
    }
  }
  return out;
}

std::string write_recorded_strings(const RecordedStrings& strings) {
  std::ostringstream out;
  out << "# Written by `torchada-gen record`, by calling the real libraries. Do not edit.\n"
      << "strings:\n";
  for (const auto& [function, records] : strings) {
    out << "  " << function << ":\n";
    for (const RecordedString& record : records) {
      out << "  - {code: " << (record.code ? std::to_string(*record.code) : "other")
          << ", releases: [";
      for (std::size_t i = 0; i < record.releases.size(); ++i) {
        out << (i ? ", " : "") << '"' << record.releases[i] << '"';
      }
      out << "], text: " << yaml_scalar(record.text) << "}\n";
    }
  }
  return out.str();
}

RecordedStrings record_strings(const Tables& tables, const std::string& release,
                               const std::vector<std::string>& roots) {
  RecordedStrings out;
  for (const Output& output : list_outputs(tables)) {
    const CudaLibrary& library = tables.cuda[output.library];
    for (const CudaRelease& candidate : library.releases) {
      if (candidate.name != release || candidate.soname != output.soname) continue;
      Output wanted = output;
      wanted.releases = {release};
      void* handle = nullptr;
      for (const CudaSymbol* symbol : exports_of(tables, wanted)) {
        const Prototype* prototype = prototype_in(*symbol, wanted);
        if (!prototype || !is_string_function(tables, *prototype)) continue;
        if (!handle) handle = dlopen(find_library(roots, output.soname).c_str(), RTLD_NOW);
        if (!handle) throw TableError({output.soname, 0}, dlerror());
        using Function = const char* (*)(int);
        const auto call = reinterpret_cast<Function>(dlsym(handle, symbol->name.c_str()));
        if (!call) throw TableError({output.soname, 0}, "no symbol " + symbol->name);
        const CudaType& type = *tables.cuda_type(prototype->parameters[0].type);
        for (const std::int64_t code : codes_of(type)) {
          const char* text = call(static_cast<int>(code));
          out[symbol->name].push_back({code, {release}, text ? text : ""});
        }
        const char* text = call(kNoCode);
        out[symbol->name].push_back({std::nullopt, {release}, text ? text : ""});
      }
    }
  }
  return out;
}

void merge_recorded_strings(RecordedStrings* into, const RecordedStrings& from) {
  for (const auto& [function, records] : from) {
    std::vector<RecordedString>& present = (*into)[function];
    for (const RecordedString& record : records) {
      const auto same = std::find_if(present.begin(), present.end(), [&](const auto& other) {
        return other.code == record.code && other.text == record.text;
      });
      if (same == present.end()) {
        present.push_back(record);
        continue;
      }
      for (const std::string& release : record.releases) {
        if (std::find(same->releases.begin(), same->releases.end(), release) ==
            same->releases.end()) {
          same->releases.push_back(release);
        }
      }
    }
    // By code, "other" last; std::optional orders "none" first.
    std::stable_sort(present.begin(), present.end(), [](const auto& a, const auto& b) {
      if (a.code.has_value() != b.code.has_value()) return a.code.has_value();
      return a.code < b.code;
    });
  }
}

}  // namespace torchada
