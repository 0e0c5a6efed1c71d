// torchada-gen: turns facts into libraries. `torchada-gen --help` lists the commands.
#include <gflags/gflags.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "generator/emit/emit.h"
#include "generator/emit/pack_tables.h"
#include "generator/extract/extract.h"
#include "generator/report/check.h"
#include "generator/report/propose.h"
#include "generator/report/reference.h"
#include "generator/tables/read_tables.h"
#include "generator/tables/recorded_answers.h"
#include "generator/tables/reports.h"
#include "src/shared/yaml_source.h"

DEFINE_string(mappings, "mappings", "directory of the tables");
DEFINE_string(out, "", "directory or file to write");
DEFINE_string(cuda_root, "", "releases to read: NAME=DIR[:DIR...][,NAME=...]");
DEFINE_string(musa_root, "", "MUSA installation to read");
DEFINE_string(sdk_version, "",
              "version of that installation, e.g. 5.1.0; default: from its headers");
DEFINE_bool(compare, false, "extract: compare with the tables instead of writing them");
DEFINE_string(library, "", "propose: the library; default: all");
DEFINE_bool(facts, false, "emit: write share/tables.bin with facts alone");
DEFINE_string(lists, "", "emit: file that must say what `lists` would write");
DEFINE_bool(dry_run, false, "import-report: write nothing");
DEFINE_string(counts, "", "check: file that the printed counts must equal");

namespace GFLAGS_NAMESPACE {
extern void (*gflags_exitfunc)(int);  // Exported by the library, but not declared in its headers.
}

namespace torchada {
namespace {

constexpr int kOk = 0, kFindings = 1, kUsage = 2;

constexpr char kUsageText[] =
    "usage: torchada-gen COMMAND [--flag=value ...]\n"
    "\n"
    "  extract   read CUDA releases (--cuda-root) or a MUSA installation (--musa-root) into "
    "tables\n"
    "  record    call a CUDA release (--cuda-root) and record the texts and versions that it "
    "returns without a device\n"
    "  propose   print draft rows for exports that have no decision yet\n"
    "  check     verify that the tables are complete and consistent; print counts per library\n"
    "  emit      write the sources of the libraries to --out\n"
    "  lists     write what CMake needs of libraries.yaml to --out\n"
    "  reference write tables for readers and a name map for programs to --out\n"
    "  import-report FILE\n"
    "            import a report of torchada verify; facts that it confirms get tier hardware\n"
    "  pack FILE make share/tables.bin (--out) of JSON such as emit writes in tables.json\n"
    "  validation\n"
    "            write VALIDATION.md (--out): what the reports confirm\n"
    "\n"
    "flags:\n"
    "  --mappings DIR       directory of the tables (default: mappings)\n"
    "  --out PATH           where to write (extract, record: default below --mappings)\n"
    "  --cuda-root LIST     NAME=DIR[:DIR...][,NAME=...], where NAME is in releases.yaml\n"
    "  --musa-root DIR      a MUSA installation\n"
    "  --sdk-version V      its version, for example 5.1.0 (default: from its headers)\n"
    "  --compare            extract: print differences from the tables, write nothing\n"
    "  --library NAME       propose: only this library of libraries.yaml\n"
    "  --counts FILE        check: fail if the counts differ from those in this file\n"
    "  --lists FILE         emit: fail unless FILE says what `lists` would write\n"
    "  --facts              emit: write share/tables.bin with facts alone\n"
    "  --dry-run            import-report: print what would be confirmed, write nothing\n"
    "\n"
    "exit status: 0 done, 1 findings or differences, 2 bad usage or bad input\n";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

// NAME -> folders, in the order given.
std::vector<std::pair<std::string, std::vector<std::string>>> cuda_roots() {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (const std::string& item : split(FLAGS_cuda_root, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      throw TableError({"--cuda-root", 0}, "expected NAME=DIR, found '" + item + "'");
    }
    const std::vector<std::string> folders = split(item.substr(equals + 1), ':');
    for (const std::string& folder : folders) {
      if (!std::filesystem::is_directory(folder)) throw TableError({folder, 0}, "not a directory");
    }
    out.emplace_back(item.substr(0, equals), folders);
  }
  return out;
}

// gflags knows flags by C++ names; users write --cuda-root.
void dashes_to_underscores(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--", 2) != 0) continue;
    for (char* c = argv[i] + 2; *c && *c != '='; ++c) {
      if (*c == '-') *c = '_';
    }
  }
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw TableError({path, 0}, "cannot write");
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw TableError({path, 0}, "file not found");
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Reads a MUSA installation. With --compare, differences from the tables are findings.
int run_extract_installation() {
  ExtractMusaOptions options;
  options.roots = {FLAGS_musa_root};
  options.sdk_version = FLAGS_sdk_version;
  options.backends = read_registry(FLAGS_mappings + "/libraries.yaml").backends;
  options.out = FLAGS_out;
  if (!FLAGS_compare) return run_extract_musa(options, std::cout, std::cerr);
  const Tables tables = read_facts(FLAGS_mappings);
  options.mappings = FLAGS_mappings;
  options.expand = [&](const MusaPrototype& prototype) { return expand(tables, prototype); };
  return run_extract_musa(options, std::cout, std::cerr);
}

int run_record() {
  const auto roots = cuda_roots();
  if (roots.size() != 1) {
    throw TableError({"--cuda-root", 0},
                     "record needs exactly one release, because two with the same SONAMEs cannot "
                     "be loaded into one process");
  }
  const Tables tables = read_facts(FLAGS_mappings);
  const std::string file = FLAGS_out.empty() ? FLAGS_mappings + "/cuda/answers.yaml" : FLAGS_out;
  RecordedAnswers answers;
  if (std::filesystem::exists(file)) answers = read_recorded_answers(file);
  const auto& [release, folders] = roots.front();
  spdlog::info("recording {}", release);
  merge_recorded_answers(&answers, record_answers(tables, release, folders));
  write_file(file, write_recorded_answers(answers));
  return kOk;
}

int run_propose() {
  const Tables tables = read_tables(FLAGS_mappings);
  for (const ReplacementLibrary& library : tables.registry.libraries) {
    if (!FLAGS_library.empty() && FLAGS_library != library.name) continue;
    const std::string rows = propose_rows(tables, library.name);
    if (!rows.empty()) std::printf("# %s\n%s", library.name.c_str(), rows.c_str());
  }
  return kOk;
}

int run_check() {
  const Tables tables = read_tables(FLAGS_mappings);
  const CheckResult result = check_tables(tables);
  for (const std::string& error : result.errors) std::fprintf(stderr, "%s\n", error.c_str());
  const std::string counts = format_counts(tables, result);
  std::fputs(counts.c_str(), stdout);
  if (!result.errors.empty()) {
    std::fprintf(stderr, "%zu defects found\n", result.errors.size());
    return kFindings;
  }
  if (!FLAGS_counts.empty()) {
    if (read_file(FLAGS_counts) != counts) {
      std::fprintf(stderr,
                   "%s: the counts differ; if this change is intended, copy the table above into "
                   "this file\n",
                   FLAGS_counts.c_str());
      return kFindings;
    }
  }
  return kOk;
}

int run_emit() {
  if (FLAGS_out.empty()) throw TableError({"--out", 0}, "emit needs a directory to write to");
  const Tables tables = read_tables(FLAGS_mappings);
  if (!FLAGS_lists.empty() && read_file(FLAGS_lists) != emit_cmake_lists(tables.registry)) {
    throw TableError({FLAGS_lists, 0},
                     "differs from libraries.yaml; run `torchada-gen lists --mappings=" +
                         FLAGS_mappings + " --out=" + FLAGS_lists + "` and build again");
  }
  if (FLAGS_facts) {
    nlohmann::ordered_json facts;
    add_verify_facts(tables, &facts);
    write_records(facts, FLAGS_out);
    return kOk;
  }
  emit_all(tables, FLAGS_out);
  return kOk;
}

// For tests.
int run_pack(const std::string& file) {
  if (FLAGS_out.empty()) throw TableError({"--out", 0}, "pack needs a file to write to");
  std::ifstream in(file);
  write_file(FLAGS_out, pack_tables(nlohmann::ordered_json::parse(in)));
  return kOk;
}

int run_lists() {
  if (FLAGS_out.empty()) throw TableError({"--out", 0}, "lists needs a file to write to");
  write_file(FLAGS_out, emit_cmake_lists(read_registry(FLAGS_mappings + "/libraries.yaml")));
  return kOk;
}

int run_reference() {
  if (FLAGS_out.empty()) throw TableError({"--out", 0}, "reference needs a directory to write to");
  emit_reference(read_tables(FLAGS_mappings), FLAGS_out);
  return kOk;
}

int run_validation() {
  if (FLAGS_out.empty()) throw TableError({"--out", 0}, "validation needs a file to write to");
  write_file(FLAGS_out, validation_page(FLAGS_mappings));
  return kOk;
}

int run(const std::string& command, const std::string& file) {
  if (command == "import-report") {
    return import_report(file, FLAGS_mappings, FLAGS_dry_run, std::cout) ? kOk : kFindings;
  }
  if (command == "pack") return run_pack(file);
  if (command == "validation") return run_validation();
  if (command == "extract" && !FLAGS_musa_root.empty()) return run_extract_installation();
  if (command == "extract") {
    ExtractCudaOptions options;
    options.mappings = FLAGS_mappings;
    options.releases = split(FLAGS_cuda_root, ',');
    options.compare = FLAGS_compare;
    return run_extract_cuda(options, std::cout, std::cerr);
  }
  if (command == "record") return run_record();
  if (command == "propose") return run_propose();
  if (command == "check") return run_check();
  if (command == "emit") return run_emit();
  if (command == "lists") return run_lists();
  if (command == "reference") return run_reference();
  std::fprintf(stderr, "torchada-gen: unknown command '%s'\n\n%s", command.c_str(), kUsageText);
  return kUsage;
}

}  // namespace
}  // namespace torchada

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_st("torchada-gen"));
  spdlog::set_pattern("%n: %v");
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h" || word == "help") {
      std::fputs(torchada::kUsageText, stdout);
      return torchada::kOk;
    }
    if (word == "--version") {
      std::puts("torchada-gen " TORCHADA_VERSION);
      return torchada::kOk;
    }
  }
  torchada::dashes_to_underscores(argc, argv);
  // gflags itself ends the process on an unknown flag.
  GFLAGS_NAMESPACE::gflags_exitfunc = [](int) { std::exit(torchada::kUsage); };
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  const std::set<std::string> with_file = {"import-report", "pack"};
  const bool takes_file = argc > 1 && with_file.count(argv[1]) != 0;
  if (argc != (takes_file ? 3 : 2)) {
    std::fputs(torchada::kUsageText, stderr);
    return torchada::kUsage;
  }
  try {
    return torchada::run(argv[1], takes_file ? argv[2] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return torchada::kUsage;
  }
}
