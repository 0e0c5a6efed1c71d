#include "src/command/backend_choice.h"

#include <filesystem>

#include "src/command/installation.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

BackendChoice given_root(const BackendOptions& options) {
  if (options.backend == "host") {
    throw UsageError("--musa-root and --backend=host cannot be given together");
  }
  // Absolute, because the program or its children may change the working directory.
  const std::string root =
      options.musa_root.empty() ? "" : fs::absolute(options.musa_root).string();
  const std::string musart = root.empty() ? "" : find_musa_in(root);
  if (musart.empty()) {
    throw UsageError("--musa-root=" + options.musa_root +
                     ": no libmusart found; expected the root of a MUSA installation, for example "
                     "/usr/local/musa");
  }
  return {is_stand_in(musart) ? Backend::kStandIn : Backend::kMusa, musart, root, true};
}

}  // namespace

std::vector<Option> backend_options(BackendOptions* storage) {
  return {{"backend",
           Kind::kChoice,
           "",
           "musa, host (the CPU stand-in) or auto: MUSA if it is found, otherwise the stand-in",
           &storage->backend,
           {"auto", "musa", "host"}},
          {"musa-root", Kind::kFolder, "DIR", "the root of the MUSA installation to use",
           &storage->musa_root}};
}

std::string nvidia_gpu() {
  std::error_code error;
  for (fs::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    constexpr std::string_view kName = "nvidia";
    const bool is_gpu = name.starts_with(kName) && name.size() > kName.size() &&
                        name.find_first_not_of("0123456789", kName.size()) == std::string::npos;
    if (is_gpu) return entry->path();
  }
  return "";
}

BackendChoice choose_backend(const BackendOptions& options, const Invocation& invocation) {
  if (invocation.given.count("musa-root") != 0) return given_root(options);
  if (options.backend != "host") {
    const std::string musart = find_musa();
    if (!musart.empty()) {
      return {is_stand_in(musart) ? Backend::kStandIn : Backend::kMusa, musart, "",
              options.backend == "musa"};
    }
    if (options.backend == "musa") return {Backend::kNone, "", "", true};
  }
  const bool asked = options.backend == "host";
  const fs::path host = fs::path(installation_root()) / "host" / "current";
  const std::string musart = fs::is_directory(host) ? find_musa_in(host) : "";
  if (!musart.empty()) return {Backend::kStandIn, musart, host, asked};
  if (asked) throw UsageError("--backend=host: no CPU stand-in found in " + host.string());
  return {};
}

}  // namespace torchada
