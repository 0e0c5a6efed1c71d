#include "src/command/kernels/build.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "src/command/command.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/shared/word_pointers.h"

namespace torchada::kernels {
namespace {

namespace fs = std::filesystem;

int start(const std::vector<std::string>& words) {
  const std::vector<char*> arguments = word_pointers(words);
  execvp(arguments[0], arguments.data());
  log_error("{}: {}", words[0], std::strerror(errno));
  return kExitFailed;
}

}  // namespace

int build_for_stand_in(const BuildRequest& request) {
  const fs::path folder = fs::path(installation_root()) / "host" / "kernels";
  if (!fs::exists(folder / "torchada-kernels")) {
    throw Failure((folder / "torchada-kernels").string() +
                  " does not exist: this installation has no CPU stand-in, or one without a "
                  "compiler; install torchada-host of a system that has clang-19");
  }
  std::vector<std::string> words = {(folder / "torchada-kernels").string(),
                                    "--headers=" + (folder / "include").string(),
                                    "--output=" + request.output,
                                    "--arch=" + request.arch,
                                    "--jobs=" + std::to_string(request.jobs),
                                    "--seconds=" + std::to_string(request.seconds)};
  if (!request.cache.empty()) words.push_back("--cache=" + request.cache);
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  words.emplace_back("--");
  words.insert(words.end(), request.sources.begin(), request.sources.end());
  return start(words);
}

// The flags with which others have made images that MUSA's driver loads: b1tg/tinygrad at 134e84a,
// extra/musa.
int build_with_mcc(const std::string& mcc, const BuildRequest& request) {
  if (request.sources.size() != 1) {
    throw UsageError("mcc makes an image of one source; build one image for each of the " +
                     std::to_string(request.sources.size()) +
                     " sources, and give all of them to the program");
  }
  std::vector<std::string> words = {
      mcc, "-x", "musa", "-mtgpu", "--offload-arch=" + request.arch, "--cuda-device-only", "-O2"};
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  words.insert(words.end(), {request.sources.front(), "-o", request.output});
  return start(words);
}

}  // namespace torchada::kernels
