#include "tests/no_musa/real_libraries.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "generator/tables/cuda_tables.h"
#include "generator/tables/read_tables.h"
#include "src/shared/yaml_source.h"
#include "tests/no_musa/library_calls.h"

namespace no_musa {
namespace {

using torchada::Output;
using torchada::Tables;

std::string find_library(const std::vector<std::string>& folders, const std::string& soname) {
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             folder, std::filesystem::directory_options::skip_permission_denied)) {
      if (entry.path().filename() == soname) return entry.path();
    }
  }
  return "";
}

// A subject's path is empty if the folders do not have the library.
std::vector<Subject> subjects_of(const Tables& tables, const RecordOptions& options) {
  std::vector<Subject> out;
  for (std::size_t i = 0; i < tables.cuda.size(); ++i) {
    // No package has NVIDIA's driver, so its answers come from its header.
    if (tables.registry.libraries[i].exports_declared) continue;
    for (const torchada::CudaRelease& release : tables.cuda[i].releases) {
      if (release.name != options.release) continue;
      Output output;
      output.library = i;
      output.library_name = tables.cuda[i].name;
      output.abi = release.abi;
      output.soname = release.soname;
      output.releases = {release.name};
      out.push_back({&tables, output, find_library(options.folders, release.soname)});
    }
  }
  if (out.empty()) throw std::runtime_error("unknown release '" + options.release + "'");
  return out;
}

bool has_driver() { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr; }

std::vector<std::string> release_order(const RecordOptions& options) {
  std::vector<std::string> out;
  for (const auto& release :
       torchada::read_cuda_releases(options.mappings + "/cuda/releases.yaml").releases) {
    out.push_back(release.name);
  }
  return out;
}

// Some functions return whatever was in a register. That depends on where the libraries are in
// memory, which changes only in a new program.
[[noreturn]] void record_again(const RecordOptions& options) {
  std::vector<std::string> arguments = {"no_driver",
                                        "record",
                                        "--again",
                                        "--mappings=" + options.mappings,
                                        "--release=" + options.release,
                                        "--seconds=" + std::to_string(options.seconds)};
  arguments.insert(arguments.end(), options.folders.begin(), options.folders.end());
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  execv("/proc/self/exe", words.data());
  throw std::runtime_error("/proc/self/exe: cannot be started");
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

void print_difference(const std::string& function, const char* part, const Words& stored,
                      const Words& found) {
  if (stored != found) {
    std::printf("%s, %s: stored '%s', found '%s'\n", function.c_str(), part, stored.c_str(),
                found.c_str());
  }
}

int verify_library(const AnswerTable& table, const Subject& subject, int seconds) {
  const Output& output = subject.output;
  int differing = 0;
  LibraryAnswers answers = call_library(subject, seconds);
  for (auto& [function, found] : answers) {
    const Answer* stored =
        find_answer(table, output.library_name, function, output.releases.front());
    if (stored) keep_varying(*stored, &found);
    if (stored && *stored == found) continue;
    ++differing;
    const Answer expected = stored ? *stored : Answer();
    print_difference(function, "zero", expected.zero, found.zero);
    print_difference(function, "last error after zero", expected.zero_last, found.zero_last);
    print_difference(function, "pages", expected.pages, found.pages);
    print_difference(function, "last error after pages", expected.pages_last, found.pages_last);
    print_difference(function, "writes", join(expected.writes), join(found.writes));
  }
  std::printf("%s: %zu exports called, %d answer otherwise than recorded\n", output.soname.c_str(),
              answers.size(), differing);
  return differing;
}

}  // namespace

std::string table_file(const std::string& mappings) { return mappings + "/cuda/no_driver.yaml"; }

void record(const RecordOptions& options) {
  if (has_driver()) throw std::runtime_error("this machine has a driver (libcuda.so.1)");
  const Tables tables = torchada::read_facts(options.mappings);
  const std::string file = table_file(options.mappings);
  AnswerTable table;
  if (std::filesystem::exists(file)) table = read_answer_table(file);
  for (const Subject& subject : subjects_of(tables, options)) {
    const std::string& library = subject.output.library_name;
    if (subject.path.empty()) throw std::runtime_error("no " + subject.output.soname);
    LibraryAnswers answers = call_library(subject, options.seconds);
    for (auto& [function, answer] : answers) {
      const Answer* before = find_answer(table, library, function, options.release);
      if (options.again && before) mark_varying(*before, &answer);
    }
    replace_release(&table, library, options.release, answers, release_order(options));
  }
  std::ofstream out(file, std::ios::binary);
  out << write_answer_table(table);
  out.close();
  if (!out) throw std::runtime_error(file + ": cannot write");
  if (!options.again) record_again(options);
}

int verify(const RecordOptions& options) {
  if (has_driver()) {
    std::printf("SKIPPED: this machine has a driver (libcuda.so.1)\n");
    return -1;
  }
  const Tables tables = torchada::read_facts(options.mappings);
  const std::vector<Subject> subjects = subjects_of(tables, options);
  for (const Subject& subject : subjects) {
    if (!subject.path.empty()) continue;
    std::printf("SKIPPED: no %s of CUDA %s below %s\n", subject.output.soname.c_str(),
                options.release.c_str(), join(options.folders).c_str());
    return -1;
  }
  const AnswerTable table = read_answer_table(table_file(options.mappings));
  int differing = 0;
  for (const Subject& subject : subjects) {
    differing += verify_library(table, subject, options.seconds);
  }
  return differing;
}

}  // namespace no_musa
