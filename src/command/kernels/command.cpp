// torchada kernels
#include "src/command/command.h"

#include <cstdlib>
#include <filesystem>

#include "src/command/backend_choice.h"
#include "src/command/kernels/build.h"

namespace torchada {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string output;
  std::string compiler = "auto";
  std::string arch;
  std::string standard;
  std::string compile_commands;
  std::string musa_root;
  std::vector<std::string> include;
  std::vector<std::string> define;
};
Options options;

int run_build(const Invocation& invocation) {
  kernels::BuildRequest request;
  request.sources.assign(invocation.words.begin() + 1, invocation.words.end());
  request.output = options.output;
  request.arch = options.arch;
  if (request.output.empty()) throw UsageError("no image named; give one with -o IMAGE");
  if (!options.compile_commands.empty()) {
    kernels::add_compile_commands(options.compile_commands, &request);
  }
  if (request.sources.empty()) throw UsageError("no source given; expected CUDA source files");
  for (const std::string& source : request.sources) {
    if (!fs::is_regular_file(source)) throw UsageError(source + ": no such file");
  }
  for (const std::string& folder : options.include) request.flags.push_back("-I" + folder);
  for (const std::string& definition : options.define) request.flags.push_back("-D" + definition);
  if (!options.standard.empty()) request.flags.push_back("-std=" + options.standard);

  const BackendOptions wanted{options.compiler == "mcc" ? "musa" : options.compiler,
                              options.musa_root};
  const BackendChoice choice = choose_backend(wanted, invocation);
  if (choice.backend == Backend::kMusa) {
    const fs::path mcc = fs::path(choice.musart).parent_path().parent_path() / "bin" / "mcc";
    if (!fs::exists(mcc)) {
      throw Failure(mcc.string() +
                    " does not exist: this MUSA has no compiler; install the SDK's, or build for "
                    "the CPU stand-in with --backend=host");
    }
    if (request.arch.empty()) {
      throw UsageError(
          "mcc needs the architecture of the GPU: give --arch; torchada info shows it");
    }
    return kernels::build_with_mcc(mcc.string(), request);
  }
  if (options.compiler == "mcc") {
    throw Failure("no MUSA found; name an installation with --musa-root");
  }
  if (request.arch.empty()) {
    const char* const arch = std::getenv("TORCHADA_HOST_ARCH");
    request.arch = arch == nullptr ? "mp_31" : arch;
  }
  return kernels::build_for_stand_in(request);
}

int run_kernels(const Invocation& invocation) {
  if (invocation.words.empty() || invocation.words.front() != "build") {
    throw UsageError(invocation.words.empty()
                         ? "what to do? expected build"
                         : "unknown word '" + invocation.words.front() + "'; expected build");
  }
  return run_build(invocation);
}

}  // namespace

const Command& kernels_command() {
  static const Command command = {
      "kernels",
      "make images of device code from CUDA source",
      "build SOURCE... -o IMAGE",
      Words::kSome,
      Kind::kFile,
      {"build compiles the kernels of CUDA sources. Where MUSA is, its compiler mcc makes the "
       "image; otherwise, or with --backend=host, the image is for the CPU stand-in, and the "
       "system's C++ compiler makes it (c++, or what CXX names), with the help of libclang. Host "
       "code in the sources is left out.",
       "A template of a kernel is compiled for the arguments with which the source launches or "
       "instantiates it. What the stand-in cannot do is refused with file and line: inline PTX, "
       "textures, launches from kernels, tensor cores, clusters, synchronisation of the grid. A "
       "source that takes a warp for 32 threads gets a warning, because some GPUs have 128.",
       "NVIDIA's device code (PTX, cubins) is never translated: the source is needed."},
      {{"output", Kind::kFile, "IMAGE", "where the image goes", &options.output, {}, 'o'},
       {"backend",
        Kind::kChoice,
        "",
        "who compiles: MUSA's mcc, the CPU's compiler, or mcc if a MUSA is found",
        &options.compiler,
        {"auto", "mcc", "host"}},
       {"arch", Kind::kText, "ARCH",
        "architecture, such as mp_31; for the stand-in that of TORCHADA_HOST_ARCH, or mp_31, if "
        "not given",
        &options.arch},
       {"include",
        Kind::kFolder,
        "DIR",
        "where headers are; may be repeated",
        &options.include,
        {},
        'I'},
       {"define",
        Kind::kText,
        "NAME[=VALUE]",
        "define a macro; may be repeated",
        &options.define,
        {},
        'D'},
       {"std", Kind::kText, "STANDARD", "the C++ of the sources, such as c++17", &options.standard},
       {"from-compile-commands", Kind::kFile, "FILE",
        "take the flags of the sources from this compile_commands.json; without a source, all .cu "
        "files in it",
        &options.compile_commands},
       {"musa-root", Kind::kFolder, "DIR", "the MUSA installation whose mcc is used",
        &options.musa_root}},
      {{kExitOk, "the image was made"},
       {kExitNo, "a source was refused, or does not compile"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "no compiler, or the installation is damaged"}},
      {{"kernels build kernels.cu -o kernels.image --backend=host", "an image for the stand-in"},
       {"kernels build -Iinclude -DWIDTH=64 a.cu b.cu -o both.image", "with headers and a macro"}},
      run_kernels};
  return command;
}

}  // namespace torchada
