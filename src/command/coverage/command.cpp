// torchada coverage
#include "src/command/command.h"

#include <filesystem>

#include "src/command/backend_choice.h"
#include "src/command/common_options.h"
#include "src/command/coverage/coverage.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"

namespace torchada {
namespace {

using coverage::Coverage;
using coverage::Filter;

struct Options {
  std::string format;
  std::string library, abi;
  std::vector<std::string> only;
  bool symbols = false;
  int most_used = 0;
  bool diff = false;
  std::string root;
  std::string program;
  BackendOptions backend;
};
Options options;

Filter filter() { return {options.library, options.abi, options.only, options.most_used}; }

MusaFiles files_in(const std::string& root) {
  const std::string musart = find_musa_in(root);
  if (musart.empty())
    throw UsageError(root +
                     ": no libmusart found; expected the root of a MUSA installation, for example "
                     "/usr/local/musa");
  return read_musa_files(musart);
}

// For the file system of a container: paths and links as they look inside the container.
MusaFiles files_in_container(const Invocation& invocation) {
  if (invocation.given.count("backend") != 0) {
    throw UsageError("--root and --backend cannot be given together");
  }
  std::error_code error;
  const std::string place = std::filesystem::canonical(options.root, error);
  if (error || !std::filesystem::is_directory(place)) {
    throw UsageError("--root=" + options.root + ": not a directory");
  }
  const Files files(place == "/" ? "" : place);
  const bool named = invocation.given.count("musa-root") != 0;
  const std::string musart =
      named ? find_musa_in(options.backend.musa_root, files) : find_installed_musa(files);
  if (musart.empty()) {
    throw UsageError("--root=" + options.root + ": no libmusart found" +
                     (named ? " below " + options.backend.musa_root
                            : std::string("; name its directory in that root with --musa-root")));
  }
  return read_musa_files(musart, files);
}

// The installation chosen by the options. None if not found.
std::optional<MusaFiles> chosen_files(const Invocation& invocation) {
  if (invocation.given.count("root") != 0) return files_in_container(invocation);
  const BackendChoice choice = choose_backend(options.backend, invocation);
  if (choice.backend != Backend::kNone) return read_musa_files(choice.musart);
  if (choice.asked) {
    throw UsageError("no MUSA found; name its directory with --musa-root, or use --backend=host");
  }
  return std::nullopt;
}

void warn_of_unreadable(const MusaFiles& musa) {
  for (const auto& [name, file] : musa.libraries) {
    if (!file.error.empty()) log_warning("{}", file.error);
  }
}

int write_diff(const Invocation& invocation) {
  if (invocation.words.size() != 2)
    throw UsageError("--diff needs two arguments: OLD_ROOT NEW_ROOT");
  if (options.format == "html") throw UsageError("--diff cannot be given with --format=html");
  for (const char* name : {"backend", "musa-root", "root", "program"}) {
    if (invocation.given.count(name) != 0) {
      throw UsageError(std::string("--diff and --") + name + " cannot be given together");
    }
  }
  const MusaFiles before = files_in(invocation.words[0]);
  const MusaFiles after = files_in(invocation.words[1]);
  warn_of_unreadable(before);
  warn_of_unreadable(after);
  const tables::Tables& all = tables::read(installation_root());
  const auto changes = coverage::changes(all, before, after, filter());
  return write_output(coverage::write_changes(changes, before, after, options.format), kExitOk);
}

std::string written(const Coverage& result, const std::optional<coverage::CheckResult>& program) {
  const bool symbols = options.symbols || !options.only.empty() || options.most_used != 0;
  if (options.format == "json") return write_json(result, symbols);
  if (options.format == "csv") return write_csv(result, symbols);
  if (options.format == "markdown") return write_markdown(result, symbols);
  if (options.format == "html") return write_html(result, program);
  return write_text(result, symbols, options.most_used != 0);
}

int run_coverage(const Invocation& invocation) {
  if (options.diff) return write_diff(invocation);
  if (!invocation.words.empty()) {
    throw UsageError("unexpected argument '" + invocation.words[0] +
                     "'; only --diff takes arguments");
  }
  if (options.most_used < 0) throw UsageError("--most-used: expected a number from 1 up");
  const bool has_program = invocation.given.count("program") != 0;
  if (has_program && options.format != "html") throw UsageError("--program needs --format=html");
  // Before the work that a bad file would waste.
  std::optional<coverage::CheckResult> program;
  if (has_program) program = coverage::read_check_result(options.program);
  const std::optional<MusaFiles> musa = chosen_files(invocation);
  if (musa) warn_of_unreadable(*musa);
  const Coverage result = coverage::count(installation_root(), musa, filter());
  for (const coverage::LibraryRow& row : result.libraries) {
    if (!row.error.empty()) {
      log_error("{}", row.error);
    } else if (*row.ours != row.real) {
      log_error("{} exports {} of {} names", row.library->soname, *row.ours, row.real);
    }
  }
  return write_output(written(result, program), result.is_complete ? kExitOk : kExitFailed);
}

std::vector<Option> coverage_options() {
  const std::vector<std::string> standings(kStandingNames.begin(), kStandingNames.end());
  std::vector<Option> out = {
      format_option(&options.format, {"text", "json", "csv", "markdown", "html"}),
      {"symbols", Kind::kSwitch, "", "also list each symbol with target, tier, reason and source",
       &options.symbols},
      library_option(&options.library, "only this library"),
      abi_option(&options.abi, "only this CUDA major version"),
      {"only", Kind::kChoices, "STANDING[,...]",
       "list each symbol that has one of these standings: supported, assumed, emulated, "
       "unsupported",
       &options.only, standings},
      {"most-used", Kind::kNumber, "N",
       "list each symbol among the N that programs use most, the most used first, with its rank",
       &options.most_used},
      {"diff", Kind::kSwitch, "",
       "list the symbols that gain or lose their target between two MUSA installations",
       &options.diff}};
  for (const Option& option : backend_options(&options.backend)) out.push_back(option);
  out.push_back(
      {"root", Kind::kFolder, "DIR",
       "the root of a container's file system: MUSA is looked for in it, and links stay inside it",
       &options.root});
  out.push_back({"program", Kind::kFile, "FILE",
                 "show the functions of one program first: FILE is the output of "
                 "torchada check --format=json; needs --format=html",
                 &options.program});
  return out;
}

}  // namespace

const Command& coverage_command() {
  static const Command command = {
      "coverage",
      "show how much of each CUDA library works, and by what evidence",
      "[--diff OLD_ROOT NEW_ROOT]",
      Words::kSome,
      Kind::kFolder,
      {"For each library, counts the symbols that NVIDIA's library exports, those that torchada's "
       "exports, and their standing: supported (evidence shows that MUSA has the function), "
       "assumed (the evidence is weaker), emulated (torchada implements it, calling MUSA if "
       "needed) and unsupported (returns the library's error).",
       "The column 'present' counts the supported, assumed and emulated symbols whose MUSA "
       "functions this MUSA installation exports. For an emulated symbol, these are the "
       "functions that it cannot do without. No MUSA function is called.",
       "For an assumed symbol, the list names the one fact with the weakest evidence, and the "
       "probe "
       "of torchada verify that would settle it on a machine with MUSA.",
       "--format=html writes one page that needs no network: bars for each library, search and "
       "filters. The page also opens the JSON of torchada check and lists the functions that your "
       "program uses, by standing. --program puts that JSON into the page."},
      coverage_options(),
      {{kExitOk, "done"},
       {kExitUsage, "bad usage, or no MUSA where the options point to"},
       {kExitFailed,
        "the installation is incomplete (the output holds what is known), the output could not be "
        "written, or the file of --program cannot be used (nothing is written)"}},
      {{"coverage --library=cublas --abi=12 --only=assumed,unsupported",
        "the symbols of cuBLAS 12 that are not certain, and why"},
       {"coverage --abi=12 --most-used=400 --only=assumed",
        "the assumptions that matter most, and the probe of torchada verify that settles each"},
       {"coverage --format=html > coverage.html", "a page to share"},
       {"coverage --format=html --program=check.json > coverage.html",
        "a page about one program, after torchada check --format=json PROGRAM > check.json"},
       {"coverage --diff /usr/local/musa-4.3 /usr/local/musa-5.1", "what another SDK changes"}},
      run_coverage};
  return command;
}

}  // namespace torchada
