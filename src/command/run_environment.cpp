#include "src/command/run_environment.h"

#include <stdexcept>

#include "src/command/own_folders.h"
#include "src/command/static_tls.h"
#include "src/command/text_layout.h"
#include "src/command/variables.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

// Paths for programs that otherwise take the first such file in the process, or a bare name, or
// that search the loader's cache themselves.
struct ProgramVariable {
  const char* name;
  const char* unversioned;  // Of the library whose path the variable holds.
  bool folder;              // The path of its folder.
};
constexpr ProgramVariable kProgramVariables[] = {
    {"VLLM_CUDART_SO_PATH", "libcudart.so", false}, {"VLLM_NCCL_SO_PATH", "libnccl.so", false},
    {"SGLANG_NCCL_SO_PATH", "libnccl.so", false},   {"TRITON_LIBCUDA_PATH", "libcuda.so", true},
    {"NUMBA_CUDA_DRIVER", "libcuda.so", false},
};

bool lies_in(const std::string& path, const fs::path& folder) {
  return path.starts_with(folder.string() + "/");
}

// The elements of a list in the environment, except empty elements and those in `folder`.
std::vector<std::string> others(const char* name, const char* separators, const fs::path& folder) {
  std::vector<std::string> out = split(environment_variable(name), separators);
  std::erase_if(out, [&](const std::string& element) { return lies_in(element, folder); });
  return out;
}

EnvironmentVariable path_list(const char* name, const std::vector<std::string>& elements) {
  const std::string value = joined(elements, ":");
  return {name, value.empty() ? std::nullopt : std::optional(value)};
}

void refuse_separators(const fs::path& path, const char* separators, const char* variable) {
  if (path.string().find_first_of(separators) == std::string::npos) return;
  throw std::runtime_error(path.string() + " cannot be put into " + variable +
                           ": it contains a character that separates entries there; install "
                           "torchada in another directory");
}

// The paths of our files, and the major for unversioned names.
class Libraries {
 public:
  Libraries(const fs::path& root, const std::string& abi, const Program& program)
      : all_(root / "lib"), folder_(abi.empty() ? all_ : all_ / ("cu" + abi)) {
    require(folder_, abi.empty() ? "the installation is incomplete; reinstall torchada"
                                 : "this CUDA major version is not installed");
    const bool other_default = abi.empty() && !program.major.empty();
    default_folder_ = other_default ? all_ / ("cu" + program.major) : folder_;
    // The package leaves unversioned names to update-alternatives. A container that bind-mounts our
    // directory lacks them.
    if (abi.empty() && !fs::exists(default_folder_ / "libcudart.so")) {
      default_folder_ = all_ / "cu" TORCHADA_DEFAULT_ABI;
    }
    folders_.push_back(folder_);
    for (const fs::path& folder : folders_of_run(all_)) folders_.push_back(folder);
  }

  const fs::path& folder() const { return folder_; }
  // Every folder that the program gets, the one above first.
  const std::vector<std::string>& folders() const { return folders_; }
  const fs::path& default_folder() const { return default_folder_; }

  // The file to which an unversioned name leads.
  fs::path file(const char* unversioned) const {
    // The same file, under the directory that most other lookups use.
    const fs::path link = default_folder_ / unversioned;
    if (fs::exists(link)) return folder_ / fs::canonical(link).filename();
    for (const fs::path folder : folders_) {
      if (fs::exists(folder / unversioned)) {
        return folder / fs::canonical(folder / unversioned).filename();
      }
    }
    require(link, "the installation is incomplete; reinstall torchada");
    return "";
  }

  // Whether unversioned names already lead to the files in `folder()`.
  bool plain_default() const {
    std::error_code error;
    return fs::equivalent(folder_ / "libcudart.so", default_folder_ / "libcudart.so", error);
  }

  static void require(const fs::path& path, const char* why) {
    if (!fs::exists(path)) throw std::runtime_error(path.string() + " does not exist: " + why);
  }

 private:
  fs::path all_, folder_, default_folder_;
  std::vector<std::string> folders_;
};

EnvironmentVariable library_path(const Libraries& libraries) {
  std::vector<std::string> folders;
  if (!libraries.plain_default()) folders.push_back(libraries.default_folder());
  folders.insert(folders.end(), libraries.folders().begin(), libraries.folders().end());
  for (const std::string& folder : folders) refuse_separators(folder, ":;", "LD_LIBRARY_PATH");
  EnvironmentVariable out = path_list("LD_LIBRARY_PATH", folders);
  // Unchanged, because even an empty element has a meaning in a user's list.
  const std::string present = environment_variable("LD_LIBRARY_PATH");
  if (!present.empty()) *out.value += ":" + present;
  return out;
}

std::string started_file(const Program& program) {
  return program.interpreter.empty() ? program.path : program.interpreter;
}

Choice via_for(const Program& program, const Wishes& wishes) {
  if (program.path.empty()) return {Via::kAudit, "the program was not found"};
  if (program.needed.empty())
    return {Via::kAudit, "the program is not linked with libraries that torchada replaces"};
  if (program.search_path_wins)
    return {Via::kAudit, "the program's DT_RPATH comes before LD_LIBRARY_PATH"};
  if (program.unknown_names)
    return {Via::kAudit, "the program uses these libraries under other names"};
  if (wishes.summary)
    return {Via::kAudit, "the summary lists CUDA libraries that the loader did not find"};
  if (wishes.one_major)
    return {Via::kAudit,
            "--abi keeps other CUDA major versions out, also those of NVIDIA's toolkit"};
  return {Via::kPath,
          "the program is linked with libraries that torchada replaces, and has no DT_RPATH"};
}

}  // namespace

Choice choose_via(const Program& program, const Wishes& wishes) {
  const Choice choice = via_for(program, wishes);
  if (choice.via != Via::kAudit) return choice;
  const StaticTls tls = static_tls_at_start(started_file(program));
  if (tls.fits || tls.can_reserve) return choice;
  return {Via::kPreload, "libraries loaded at the start need " + std::to_string(tls.needed) +
                             " bytes of static TLS, which this glibc cannot reserve with LD_AUDIT"};
}

std::vector<EnvironmentVariable> loader_variables(const fs::path& root, const std::string& abi,
                                                  Via via, const Program& program) {
  const Libraries libraries(root, abi, program);
  std::vector<EnvironmentVariable> out = {library_path(libraries)};

  std::vector<std::string> auditors = others("LD_AUDIT", ":", root / "libexec");
  if (via == Via::kAudit) {
    const fs::path module = root / "libexec" / "torchada_audit.so";
    Libraries::require(module, "the installation is incomplete; reinstall torchada");
    refuse_separators(module, ":", "LD_AUDIT");
    auditors.insert(auditors.begin(), module);
  }
  out.push_back(path_list("LD_AUDIT", auditors));
  const bool audit = via == Via::kAudit;
  const bool names_default = audit && !libraries.plain_default();
  out.push_back({"TORCHADA_AUDIT_LIB",
                 audit ? std::optional(joined(libraries.folders(), ":")) : std::nullopt});
  out.push_back(
      {"TORCHADA_AUDIT_ABI", names_default ? std::optional(program.major) : std::nullopt});

  // After the user's preloads, so that an interposer reaches us by RTLD_NEXT.
  std::vector<std::string> preloaded = others("LD_PRELOAD", ": ", root / "lib");
  // Not with the audit module: a loaded libcudart would answer for its CUDA major before the
  // program has chosen one.
  if (via == Via::kPreload) {
    const fs::path runtime = libraries.file("libcudart.so");
    refuse_separators(runtime, ": ", "LD_PRELOAD");
    preloaded.push_back(runtime);
  }
  out.push_back(path_list("LD_PRELOAD", preloaded));

  if (audit) {
    const std::optional<std::string> tunables = with_static_tls(
        static_tls_at_start(started_file(program)), environment_variable("GLIBC_TUNABLES"));
    if (tunables) out.push_back({"GLIBC_TUNABLES", *tunables});
  }

  for (const ProgramVariable& variable : kProgramVariables) {
    const std::string present = environment_variable(variable.name);
    if (!present.empty() && !lies_in(present, root / "lib")) continue;
    const bool wanted = via != Via::kPath && program.runs_others;
    const fs::path file = wanted ? libraries.file(variable.unversioned) : "";
    const fs::path& value = variable.folder ? file.parent_path() : file;
    out.push_back({variable.name, wanted ? std::optional<std::string>(value) : std::nullopt});
  }
  return out;
}

}  // namespace torchada
