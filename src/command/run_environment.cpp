#include "src/command/run_environment.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "src/command/program_variables.h"
#include "src/command/static_tls.h"
#include "src/command/text_layout.h"
#include "src/command/variables.h"
#include "src/shared/split.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

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

// The elements of the user's list that are not ours. Even an empty one has a meaning there.
std::string without_ours(const std::string& list, const fs::path& root) {
  std::string out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    const std::string element = list.substr(at, end - at);
    at = end + 1;
    const fs::path plain = fs::path(element + "/").lexically_normal();
    if (lies_in(plain, root / "lib") || lies_in(plain, root / "lib64")) continue;
    out += ":" + element;
  }
  return out;
}

EnvironmentVariable library_path(const OfferedLibraries& libraries, const fs::path& root) {
  std::vector<std::string> folders = libraries.folders();
  if (!libraries.default_major().empty()) {
    folders.insert(folders.begin(), libraries.default_folder());
  }
  for (const std::string& folder : folders) refuse_separators(folder, ":;", "LD_LIBRARY_PATH");
  EnvironmentVariable out = path_list("LD_LIBRARY_PATH", folders);
  const std::string present = environment_variable("LD_LIBRARY_PATH");
  if (!present.empty()) *out.value += without_ours(present, root);
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
  if (wishes.fewer) return {Via::kAudit, "--only says which of the others the program asks for"};
  return {Via::kPath,
          "the program is linked with libraries that torchada replaces, and has no DT_RPATH"};
}

}  // namespace

Choice choose_via(const Program& program, const Wishes& wishes) {
  const Choice choice = via_for(program, wishes);
  if (choice.via != Via::kAudit) return choice;
  const StaticTls tls = static_tls_at_start(started_file(program));
  if (tls.fits || tls.can_reserve) return choice;
  if (wishes.no_runtime) return {Via::kPath, "--only leaves out the CUDA runtime"};
  return {Via::kPreload, "libraries loaded at the start need " + std::to_string(tls.needed) +
                             " bytes of static TLS, which this glibc cannot reserve with LD_AUDIT"};
}

std::vector<EnvironmentVariable> loader_variables(const fs::path& root, const Offer& offer, Via via,
                                                  const Program& program) {
  const OfferedLibraries libraries(root, offer, program.major);
  std::vector<EnvironmentVariable> out = {library_path(libraries, root)};

  std::vector<std::string> auditors = others("LD_AUDIT", ":", root / "libexec");
  if (via == Via::kAudit) {
    const fs::path module = root / "libexec" / "torchada_audit.so";
    if (!fs::exists(module)) {
      throw std::runtime_error(
          module.string() + " does not exist: the installation is incomplete; reinstall torchada");
    }
    refuse_separators(module, ":", "LD_AUDIT");
    auditors.insert(auditors.begin(), module);
  }
  out.push_back(path_list("LD_AUDIT", auditors));
  const bool audit = via == Via::kAudit;
  const auto for_audit = [&](const char* name, const std::string& value) {
    const bool set = audit && !value.empty();
    out.push_back({name, set ? std::optional(value) : std::nullopt});
  };
  for_audit("TORCHADA_AUDIT_LIB", joined(libraries.folders(), ":"));
  for_audit("TORCHADA_AUDIT_ABI", libraries.default_major());
  for_audit("TORCHADA_AUDIT_LEFT_OUT", joined(libraries.left_out(), ":"));

  // After the user's preloads, so that an interposer reaches us by RTLD_NEXT.
  std::vector<std::string> preloaded = others("LD_PRELOAD", ": ", root / "lib");
  // Not with the audit module: a loaded libcudart would answer for its CUDA major before the
  // program has chosen one.
  if (via == Via::kPreload) {
    const fs::path runtime = libraries.file("libcudart.so");
    if (runtime.empty()) {
      throw std::runtime_error(
          "--via=preload puts the CUDA runtime into LD_PRELOAD, and --only leaves it out; add "
          "cudart to --only, or omit --via");
    }
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
    const fs::path value = variable.is_folder ? file.parent_path() : file;
    out.push_back(
        {variable.name, value.empty() ? std::nullopt : std::optional<std::string>(value)});
  }
  return out;
}

std::optional<EnvironmentVariable> devices_of_container() {
  // Images for CUDA say "all", which is what programs see anyway.
  const std::string chosen = environment_variable("NVIDIA_VISIBLE_DEVICES");
  if (chosen.empty() || chosen == "all" || chosen == "void") return std::nullopt;
  for (const char* name :
       {"CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES", "MTHREADS_VISIBLE_DEVICES"}) {
    if (std::getenv(name) != nullptr) return std::nullopt;
  }
  return EnvironmentVariable{"CUDA_VISIBLE_DEVICES", chosen == "none" ? "" : chosen};
}

}  // namespace torchada
