#include "src/command/recipes/recipe.h"

#include <algorithm>
#include <filesystem>

#include "src/command/command.h"
#include "src/command/nearest.h"
#include "src/command/recipes/folders.h"
#include "src/command/text_layout.h"
#include "src/shared/yaml_source.h"

namespace torchada::recipes {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSha256 = 64;  // digits

std::string file_of(const std::string& named) {
  if (named.find('/') != std::string::npos || named.ends_with(".yaml")) {
    return fs::absolute(named).lexically_normal();
  }
  const std::string file = installed_recipes() + "/" + named + ".yaml";
  if (fs::exists(file)) return file;
  const std::vector<std::string> names = names_of_installed();
  const std::vector<std::string> close = nearest(named, names, 1);
  throw Failure("there is no recipe '" + named + "'" +
                (close.empty() ? "" : "; did you mean '" + close.front() + "'?") +
                " (installed: " + joined(names) + "; another one is named by its path)");
}

// It becomes part of the path of a folder.
std::string name_in(const YamlNode& node) {
  const std::string name = node.text();
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '+';
  });
  if (!is_plain || name.empty() || name[0] == '.') {
    node.fail("expected a name of letters, digits, '-', '.', '_' and '+'");
  }
  if (name == "objects") node.fail("'objects' is the name of the cache; take another one");
  return name;
}

// A path below the recipe's folder.
std::string path_in(const YamlNode& node) {
  const fs::path path = fs::path(node.text()).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == "..") {
    node.fail("expected a path below the recipe's folder");
  }
  return path;
}

std::vector<std::string> absolute(const std::string& root, const YamlNode& list) {
  std::vector<std::string> out;
  for (const std::string& path : list.texts()) {
    out.push_back((fs::path(root) / path).lexically_normal());
  }
  return out;
}

std::string sha256_in(const YamlNode& node) {
  const std::string out = node.text();
  const bool is_hash =
      out.size() == kSha256 && out.find_first_not_of("0123456789abcdef") == out.npos;
  if (!is_hash) node.fail("expected a SHA-256: 64 digits and small letters up to f");
  return out;
}

Fetched read_fetched(const YamlNode& node) {
  node.only({"archive", "urls", "debian", "wheel", "tags", "sha256", "into", "strip", "only"});
  Fetched out;
  out.file = node.has("archive") ? path_in(node.required("archive")) : "";
  out.wheel = node.text_or("wheel", "");
  if (out.file.empty() == out.wheel.empty()) node.fail("expected either 'archive' or 'wheel'");
  out.sha256 = sha256_in(node.required("sha256"));
  out.urls = node.texts_or_none("urls");
  if (out.wheel.empty() && out.urls.empty()) node.fail("an archive needs 'urls'");
  if (node.has("debian")) {
    const YamlNode debian = node.required("debian");
    debian.only({"source", "version", "suite"});
    out.debian_source = debian.required("source").text();
    out.debian_version = debian.required("version").text();
    out.debian_suite = debian.required("suite").text();
  }
  out.tags = node.texts_or_none("tags");
  out.into = path_in(node.required("into"));
  out.strip = node.has("strip") ? static_cast<int>(node.required("strip").integer()) : 0;
  out.only = node.texts_or_none("only");
  return out;
}

std::string capability_in(const YamlNode& node) {
  std::string text = node.text();
  const std::size_t dot = text.find('.');
  const bool is_good = dot != std::string::npos && dot != 0 && dot + 1 != text.size() &&
                       text.find_first_not_of("0123456789.") == std::string::npos &&
                       text.find('.', dot + 1) == std::string::npos;
  if (!is_good) node.fail("'" + text + "' is no compute capability; expected, for example, 8.0");
  return text;
}

Program read_program(const YamlNode& node) {
  node.only({"name", "file", "version"});
  Program out;
  out.name = node.required("name").text();
  out.file = node.text_or("file", "");
  if (node.has("version")) {
    const YamlNode version = node.required("version");
    version.only({"file", "text"});
    out.version_file = version.required("file").text();
    out.version_text = version.required("text").text();
  }
  return out;
}

Recipe recipe_in(const YamlNode& top, const std::string& path) {
  top.only({"name", "program", "capability", "fetch", "generate", "include", "flags", "sources",
            "exceptions", "usual", "refused"});
  Recipe out;
  out.path = path;
  out.name = name_in(top.required("name"));
  out.program.name = out.name;
  if (top.has("program")) out.program = read_program(top.required("program"));
  if (top.has("capability")) out.capability = capability_in(top.required("capability"));
  if (top.has("fetch")) {
    for (const YamlNode& item : top.required("fetch").items())
      out.fetch.push_back(read_fetched(item));
  }
  out.root =
      out.fetch.empty() ? fs::path(path).parent_path().string() : kernels_folder() + "/" + out.name;
  if (top.has("generate")) {
    for (const YamlNode& item : top.required("generate").items()) {
      item.only({"makes", "run"});
      out.generate.push_back({path_in(item.required("makes")), item.required("run").text()});
    }
  }
  if (top.has("include")) out.include = absolute(out.root, top.required("include"));
  out.flags = top.texts_or_none("flags");
  out.sources = absolute(out.root, top.required("sources"));
  if (top.has("exceptions")) {
    for (const auto& [name, list] : top.required("exceptions").entries()) {
      out.exceptions[name.text()] = absolute(out.root, list);
    }
  }
  out.usual = top.texts_or_none("usual");
  out.refused = top.texts_or_none("refused");
  return out;
}

}  // namespace

Recipe read_recipe(const std::string& named) {
  const std::string path = file_of(named);
  try {
    return recipe_in(load_yaml(path), path);
  } catch (const TableError& error) {
    throw Failure(error.what());
  }
}

std::vector<std::string> compiler_flags(const Recipe& recipe) {
  std::vector<std::string> out = recipe.flags;
  for (const std::string& folder : recipe.include) out.push_back("-I" + folder);
  return out;
}

}  // namespace torchada::recipes
