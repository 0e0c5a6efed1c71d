// Whether the program finds torchada's libnvidia-ml. Some programs ask it whose devices the machine
// has before they look for MUSA, and then leave out what they have for MUSA.
#include <filesystem>
#include <string>
#include <vector>

#include "src/command/doctor/checks.h"
#include "src/command/doctor/offered_to.h"

namespace torchada::doctor {
namespace {

constexpr char kRemedy[] =
    "to run it as a program for MUSA: omit --nvml and unset TORCHADA_NVML; its devices can be "
    "watched by another process: torchada run --nvml -- nvitop";

// Packages that choose between NVIDIA's code and MUSA's, with the source that shows how.
struct Chooser {
  const char* package;
  const char* how;
};

constexpr Chooser kChoosers[] = {
    // sgl-project/sglang, multimodal_gen/runtime/platforms: cuda comes before musa.
    {"sglang", "asks NVML before it asks for MUSA, and takes the machine for NVIDIA's"},
    // vllm-project/vllm, platforms: a plugin comes first, then NVML.
    {"vllm", "takes the machine for NVIDIA's unless its plugin vllm-musa is installed"},
};

// Where the package is among the program's modules; empty if it is not there.
std::string place_of(const Subject& subject, const std::string& package) {
  std::error_code error;
  for (const std::string& folder : subject.module_folders) {
    const std::string path = folder + "/" + package;
    if (std::filesystem::is_directory(subject.files.here(path), error)) return path;
  }
  return "";
}

}  // namespace

void check_offered_nvml(const Subject& subject, Report* report) {
  const std::string library = offered_to(subject, "on request");
  if (library.empty()) return;
  std::vector<Evidence> choosers;
  for (const Chooser& chooser : kChoosers) {
    const std::string place = place_of(subject, chooser.package);
    if (!place.empty()) choosers.push_back({place, chooser.how});
  }
  if (!choosers.empty()) {
    choosers.push_back({"found", library});
    report->add({"nvml-decides", Severity::kWarning,
                 "the program finds torchada's libnvidia-ml, and these packages choose by it whose "
                 "devices they use",
                 choosers, kRemedy});
    return;
  }
  report->add({"nvml-offered",
               Severity::kNote,
               "the program finds torchada's libnvidia-ml: if it asks NVML whose devices the "
               "machine has, it takes MUSA's for NVIDIA's",
               {{"found", library}},
               "nothing, if the program shows or chooses devices; otherwise omit --nvml and unset "
               "TORCHADA_NVML"});
}

}  // namespace torchada::doctor
