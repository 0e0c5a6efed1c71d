#include "src/command/installation.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "src/shared/backend_table.h"

namespace torchada {
namespace {

constexpr unsigned kPatience = 20;  // Seconds for constructors of MUSA.
constexpr int kMusart = static_cast<int>(kRuntimeLibrary);

// The "musa_sdk" record of version.json, which SDKs have in their root. Null if missing.
nlohmann::json sdk_record(const std::string& root, const Files& files) {
  const std::string path = files.here(root + "/version.json");
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};  // Reading a FIFO would block.
  std::ifstream in(path);
  const nlohmann::json all = nlohmann::json::parse(in, nullptr, false);
  return all.is_object() ? all.value("musa_sdk", nlohmann::json()) : nlohmann::json();
}

std::string text_of(const nlohmann::json& record, const char* key) {
  if (!record.is_object()) return "";
  const auto found = record.find(key);
  return found != record.end() && found->is_string() ? found->get<std::string>() : "";
}

// The path that the loader finds for one of the bare names.
std::string open_by_bare_name() {
  const Soname* soname = torchada_backend_table.sonames[kMusart];
  for (; soname->name; ++soname) {
    void* handle = dlopen(soname->name, RTLD_LAZY | RTLD_LOCAL);
    if (handle) return static_cast<const link_map*>(handle)->l_name;
  }
  return "";
}

// Asks in a child process: MUSA's constructors must not run in this process, which may start other
// programs.
std::string find_by_loader() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // Discard what constructors print.
    alarm(kPatience);                    // The loader waits for a writer if it finds a FIFO.
    const std::string path = open_by_bare_name();
    const bool whole =
        write(ends[1], path.data(), path.size()) == static_cast<ssize_t>(path.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  std::string path;
  char buffer[4096];
  for (ssize_t got = 0; child > 0; path.append(buffer, static_cast<std::size_t>(got))) {
    got = read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
      got = 0;
    } else if (got <= 0) {
      break;
    }
  }
  close(ends[0]);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && status == 0) return path;
  return "";
}

}  // namespace

std::string own_path() {
  std::error_code error;
  const std::filesystem::path told = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return told;
  // Without /proc. The kernel passes the name by which the program was started; a change of the
  // working directory since then would make a relative one wrong, but nothing here changes it.
  const auto* const started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const std::filesystem::path found =
      started ? std::filesystem::canonical(started, error) : std::filesystem::path();
  if (found.empty() || error) {
    throw std::runtime_error("cannot find out where torchada is installed: /proc is not mounted");
  }
  return found;
}

std::string installation_root() {
  return std::filesystem::path(own_path()).parent_path().parent_path();
}

std::string find_musa_in(const std::string& root, const Files& files) {
  for (const char* const* sub = torchada_backend_table.subfolders; *sub; ++sub) {
    const Soname* soname = torchada_backend_table.sonames[kMusart];
    for (; soname->name; ++soname) {
      const std::filesystem::path path = std::filesystem::path(root) / *sub / soname->name;
      if (files.has(path)) return path;
    }
  }
  return "";
}

std::string find_installed_musa(const Files& files) {
  for (const char* const* root = torchada_backend_table.default_roots; *root; ++root) {
    const std::string path = find_musa_in(*root, files);
    if (!path.empty()) return path;
  }
  return "";
}

std::string find_versioned_musa() {
  std::string found;
  int newest = 0;
  for (const char* const* root = torchada_backend_table.default_roots; *root; ++root) {
    const std::filesystem::path place(*root);
    const std::string stem = place.filename().string() + "-";
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(place.parent_path(), error)) {
      const std::string name = entry.path().filename();
      int major = 0;
      int minor = 0;
      int patch = 0;
      if (!name.starts_with(stem) ||
          std::sscanf(name.c_str() + stem.size(), "%d.%d.%d", &major, &minor, &patch) < 1) {
        continue;
      }
      const std::string musart = find_musa_in(entry.path());
      const int version = major * 10000 + minor * 100 + patch;
      if (musart.empty() || version <= newest) continue;
      newest = version;
      found = musart;
    }
  }
  return found;
}

std::string find_musa() {
  for (const char* const* name = torchada_backend_table.root_variables; *name; ++name) {
    const char* root = std::getenv(*name);
    if (!root || !*root) continue;
    const std::string path = find_musa_in(root);
    if (!path.empty()) return path;
    // As in the libraries: our own variable is binding, the others are hints.
    if (std::strncmp(*name, "TORCHADA_", 9) == 0) return "";
  }
  const std::string path = find_installed_musa();
  return path.empty() ? find_by_loader() : path;
}

std::string root_of(const std::string& musart) {
  const std::filesystem::path path(musart);
  for (const char* const* sub = torchada_backend_table.subfolders; *sub; ++sub) {
    // Go up from DIR/SUBFOLDER/FILE to DIR.
    std::filesystem::path root = path.parent_path();
    const std::filesystem::path steps(*sub);
    for (auto step = steps.begin(); step != steps.end(); ++step) root = root.parent_path();
    if (root / steps == path.parent_path()) return root;
  }
  return path.parent_path();
}

std::string sdk_version_of(const std::string& root, const Files& files) {
  const std::string told = text_of(sdk_record(root, files), "version");
  if (!told.empty()) return told;
  // SDKs are unpacked into musa-VERSION, and /usr/local/musa is a link to that directory.
  const std::string name = std::filesystem::path(files.here(root)).filename();
  constexpr char kStem[] = "musa-";
  const std::string version = name.starts_with(kStem) ? name.substr(sizeof kStem - 1) : "";
  return version.find_first_not_of("0123456789.") == std::string::npos ? version : "";
}

bool is_stand_in(const std::string& musart, const Files& files) {
  return text_of(sdk_record(root_of(musart), files), "name").find("torchada host") !=
         std::string::npos;
}

}  // namespace torchada
