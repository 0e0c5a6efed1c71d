// torchada kernels
#include "src/command/command.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "src/command/backend_choice.h"
#include "src/command/common_options.h"
#include "src/command/kernels/build.h"
#include "src/command/kernels/registered.h"
#include "src/command/recipes/arch.h"
#include "src/command/recipes/fetch.h"
#include "src/command/recipes/prepare.h"
#include "src/command/recipes/server.h"
#include "src/command/text_layout.h"

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
  std::string kernels;
  std::string format;
  std::string cache;
  int jobs = 0;
  int seconds = 1800;
  std::vector<std::string> from;
  recipes::PrepareRequest prepare;
  std::string recipe;
  int socket = 0;
  std::vector<std::string> include;
  std::vector<std::string> define;
};
Options options;

constexpr const char* kVariable = "TORCHADA_KERNELS";

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
  if (!options.recipe.empty()) kernels::add_recipe(options.recipe, &request);
  for (const std::string& source : request.sources) {
    if (!fs::is_regular_file(source)) throw UsageError(source + ": no such file");
  }
  request.cache = options.cache;
  request.jobs = options.jobs;
  if (request.jobs < 0) {
    throw UsageError("--jobs=" + std::to_string(request.jobs) + ": expected a number of compilers");
  }
  request.seconds = options.seconds;
  if (request.seconds < 0) {
    throw UsageError("--seconds=" + std::to_string(request.seconds) +
                     ": expected a number of seconds, or 0 for no limit");
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
  if (request.arch.empty()) request.arch = recipes::image_arch();
  return kernels::build_for_stand_in(request);
}

// list PROGRAM...
int run_list(const Invocation& invocation) {
  kernels::RegisteredRequest request;
  request.paths.assign(invocation.words.begin() + 1, invocation.words.end());
  request.json = options.format == "json";
  if (request.paths.empty()) throw UsageError("no program given; expected files or folders");
  std::unique_ptr<KernelLibraries> libraries;
  if (!options.kernels.empty()) {
    libraries = std::make_unique<KernelLibraries>("--kernels", options.kernels);
  } else if (const char* const names = std::getenv(kVariable); names != nullptr && *names != 0) {
    libraries = std::make_unique<KernelLibraries>(kVariable, names);
  }
  if (libraries != nullptr) libraries->warn_of_unread();
  request.libraries = libraries.get();
  return kernels::report_registered(request);
}

// check PROGRAM IMAGE...
int run_check(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.words;
  if (words.size() < 3) {
    throw UsageError("expected a program, and the images that are to have its kernels");
  }
  kernels::RegisteredRequest request;
  request.paths = {words[1]};
  request.json = options.format == "json";
  request.only_missing = true;
  const KernelLibraries libraries("check", joined({words.begin() + 2, words.end()}, ":"));
  libraries.warn_of_unread();
  request.libraries = &libraries;
  return kernels::report_registered(request);
}

std::string recipe_in(const Invocation& invocation) {
  if (invocation.words.size() != 2) {
    throw UsageError("expected one recipe: the name of one that torchada has, or its file");
  }
  return invocation.words[1];
}

// fetch RECIPE
int run_fetch(const Invocation& invocation) {
  return recipes::fetch(recipe_in(invocation), options.from);
}

// prepare RECIPE
int run_prepare(const Invocation& invocation) {
  recipes::PrepareRequest& request = options.prepare;
  request.recipe = recipe_in(invocation);
  request.jobs = options.jobs;
  if (!request.all && request.list.empty() && request.programs.empty()) {
    throw UsageError("nothing to prepare; expected --for=PROGRAM, --list=FILE or --all");
  }
  return recipes::prepare(request);
}

// serve --recipe=RECIPE --socket=DESCRIPTOR: not for users. torchada's libraries start it.
int run_serve(const Invocation&) { return recipes::serve(options.recipe, options.socket); }

// What each first word does, and the options that it takes.
struct Action {
  const char* word;
  int (*run)(const Invocation& invocation);
  std::set<std::string> options;
};

const std::vector<Action>& actions() {
  static const std::vector<Action> all = {
      {"build",
       run_build,
       {"output", "backend", "arch", "include", "define", "std", "from-compile-commands", "recipe",
        "musa-root", "cache", "jobs", "seconds"}},
      {"list", run_list, {"kernels", "format"}},
      {"check", run_check, {"format"}},
      {"fetch", run_fetch, {"from"}},
      {"prepare", run_prepare, {"for", "list", "all", "jobs"}},
      {"serve", run_serve, {"recipe", "socket"}}};
  return all;
}

int run_kernels(const Invocation& invocation) {
  const std::string expected = "expected a subcommand: build, list, check, fetch or prepare";
  if (invocation.words.empty()) throw UsageError("no subcommand given; " + expected);
  const std::string& word = invocation.words.front();
  for (const Action& action : actions()) {
    if (word != action.word) continue;
    for (const std::string& option : invocation.given) {
      if (action.options.count(option) == 0) {
        throw UsageError("--" + option + " is not an option of kernels " + word);
      }
    }
    return action.run(invocation);
  }
  throw UsageError("unknown word '" + word + "'; " + expected);
}

}  // namespace

const Command& kernels_command() {
  static const Command command = {
      "kernels",
      "make images of device code from source, and list the kernels that programs need",
      "build|list|check|fetch|prepare WORD...",
      Words::kSome,
      Kind::kFile,
      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
      {"build SOURCE... -o IMAGE compiles the kernels of CUDA sources. Where MUSA is, its compiler "
       "mcc makes the image; otherwise, or with --backend=host, the image is for the CPU stand-in, "
       "and clang of LLVM 19 makes it (clang++-19, or what TORCHADA_CLANG names). Errors are "
       "clang's own, also those in host code, of which nothing gets into the image.",
       "A template of a kernel is compiled for the arguments with which the source launches or "
       "instantiates it. What the stand-in cannot do is refused with file and line: other inline "
       "PTX, texture references, launches from kernels, clusters. A source that takes a warp for "
       "32 threads gets a warning, because some GPUs have 128.",
       "list PROGRAM... names the kernels that programs register with the CUDA runtime, and which "
       "of the kernel libraries of --kernels, or else of TORCHADA_KERNELS, has each. check PROGRAM "
       "IMAGE... looks for all kernels of a program in the images, and names those that are "
       "missing. Programs are given as to torchada check: executables, libraries, folders, wheels.",
       "fetch RECIPE brings the sources that a recipe names, by the user's own tools (apt-get, "
       "curl or wget, pip), and checks them. torchada run --kernels-from=RECIPE then makes each "
       "kernel "
       "when the program launches it. prepare RECIPE does it beforehand, on all processors; it can "
       "be interrupted, and goes on the next time. Recipes that torchada has: bitsandbytes, faiss, "
       "pytorch-2.6. "
       "Another "
       "one is named by its file. They are kept in TORCHADA_KERNELS_FOLDER, or torchada/kernels in "
       "the user's cache.",
       "NVIDIA's device code (PTX, cubins) is never translated: the source is needed. Kernel "
       "names are read from strings that the host compiler emits for registration; stripping keeps "
       "them. Whether a string names an extern \"C\" kernel is only shown by the symbol of its "
       "host stub, which strip removes; a note then says so. The names of an image are in its "
       "symbol table, or in a section of their own if it is for the stand-in."},
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
       {"cache", Kind::kFolder, "DIR",
        "for the stand-in: keep each source's object in this folder, and compile only what has "
        "changed; programs may use it as TORCHADA_HOST_COMPILE_CACHE at the same time",
        &options.cache},
       {"jobs",
        Kind::kNumber,
        "N",
        "for the stand-in: number of sources to compile at the same time, each in at most 2 GB "
        "(default and most: one for each processor)",
        &options.jobs,
        {},
        'j'},
       {"seconds", Kind::kNumber, "N",
        "for the stand-in: end a compiler that has computed for so long, so that one source cannot "
        "hold up the others (default: 1800; 0: never)",
        &options.seconds},
       {"musa-root", Kind::kFolder, "DIR", "the MUSA installation whose mcc is used",
        &options.musa_root},
       {"kernels", Kind::kFile, "FILE:FOLDER:...",
        "for list: the kernel libraries, instead of those in TORCHADA_KERNELS; a folder stands for "
        "the files in it",
        &options.kernels},
       {"recipe", Kind::kFile, "RECIPE",
        "for build: take the flags of this recipe's sources; a source may then be one of them, by "
        "its name",
        &options.recipe},
       {"socket", Kind::kNumber, "N", "for serve", &options.socket, {}, 0, true},
       {"from", Kind::kFile, "FILE",
        "for fetch: use this file instead of a download; its SHA-256 says which one it is; may be "
        "repeated",
        &options.from},
       {"for", Kind::kFile, "PROGRAM",
        "for prepare: make the sources of the kernels that this file registers; may be repeated",
        &options.prepare.programs},
       {"list", Kind::kFile, "FILE",
        "for prepare: make the kernels in this file, which torchada run --record-kernels has "
        "written",
        &options.prepare.list},
       {"all", Kind::kSwitch, "", "for prepare: make every source of the recipe",
        &options.prepare.all},
       format_option(&options.format, {"text", "json"})},
      {{kExitOk, "the image was made; the kernels were listed; the images have all of them"},
       {kExitNo,
        "a source was refused, or does not compile; a kernel is missing in the images, or the "
        "program may have others than those that were found"},
       {kExitUsage, "bad usage"},
       {kExitFailed,
        "no compiler, the installation is damaged, a program could not be examined, or the output "
        "could not be written"},
       {kExitCannot, "check: the program has the static CUDA runtime, so that no image serves it"}},
      {{"kernels build kernels.cu -o kernels.image --backend=host", "an image for the stand-in"},
       {"kernels build -Iinclude -DWIDTH=64 a.cu b.cu -o both.image", "with headers and a macro"},
       {"kernels list --kernels=images ./program", "the program's kernels, and where each is"},
       {"kernels check ./program kernels.image", "whether the image has all of them"},
       {"kernels fetch pytorch-2.6", "bring PyTorch's sources and CUDA's headers"},
       {"kernels prepare pytorch-2.6 --list=launched", "make what a program has launched"}},
      run_kernels};
  return command;
}

}  // namespace torchada
