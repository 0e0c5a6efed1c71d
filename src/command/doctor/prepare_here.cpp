#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "src/command/doctor/loader.h"
#include "src/command/doctor/prepare.h"
#include "src/command/installation.h"
#include "src/command/program.h"
#include "src/command/run_environment.h"
#include "src/command/wrapped_program.h"

namespace torchada::doctor {
namespace {

void set_variable(const std::string& name, const std::optional<std::string>& value) {
  if (value) {
    setenv(name.c_str(), value->c_str(), 1);
  } else {
    unsetenv(name.c_str());
  }
}

// Sets here what run.cpp would set for the program.
// Returns whether it takes the stand-in.
bool become_like_run(const std::string& installation, const std::string& word) {
  const std::string host = installation + "/host/current";
  const bool stand_in = find_musa().empty() && !find_musa_in(host).empty();
  if (stand_in) set_variable("TORCHADA_MUSA_PATH", host);
  const Program program = examine_program(word, installation + "/lib");
  const Choice choice = choose_via(program, {});
  for (const EnvironmentVariable& variable :
       loader_variables(installation, {}, choice.via, program)) {
    set_variable(variable.name, variable.value);
  }
  return stand_in;
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

// Names that the program may open. If the program already has one CUDA major of a library, it will
// not open the others.
std::vector<std::string> names_for(const Subject& subject) {
  std::set<std::string> present;
  for (const Object& object : subject.objects) {
    if (!object.path.empty()) present.insert(stem_of(subject, object.path));
  }
  std::vector<std::string> out;
  for (const tables::Library& library : subject.tables->libraries) {
    const bool known = std::find(out.begin(), out.end(), library.soname) != out.end();
    if (!known && present.count("lib" + library.name) == 0) out.push_back(library.soname);
  }
  return out;
}

// The script that Python is asked to run. Empty for -c, -m, standard input and without one.
std::string script_of(const std::vector<std::string>& words) {
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word.empty() || word == "-") return "";
    if (word[0] != '-') return word;
    if (word == "--") return at + 1 < words.size() ? words[at + 1] : "";
    if (word.starts_with("--")) {
      if (word == "--check-hash-based-pycs") ++at;  // Takes a word.
      continue;
    }
    // Switches may stand together: "-Bc CODE". These three take a word or the rest of this one.
    const std::size_t takes = word.find_first_of("cmWX", 1);
    if (takes == std::string::npos) continue;
    if (word[takes] == 'c' || word[takes] == 'm') return "";
    if (takes + 1 == word.size()) ++at;
  }
  return "";
}

void ask(Subject* subject) {
  const ReadElf& read = subject->read(subject->loaded);
  if (!read.elf || read.elf->bits != 64 || read.elf->interpreter.empty()) return;
  subject->loader = read.elf->interpreter;
  if (subject->has_program) ask_about_file(subject, subject->loaded);
  const bool linked =
      std::any_of(subject->objects.begin(), subject->objects.end(), [&](const Object& object) {
        return !object.asker.empty() && !stem_of(*subject, object.name).empty();
      });
  if (!subject->is_python && (linked || !subject->loader_complains.empty())) return;
  const std::vector<std::string> names = names_for(*subject);
  if (!subject->is_python || !ask_python(subject, names)) ask_about_names(subject, names);
}

}  // namespace

void prepare_here(const std::vector<std::string>& program, bool as_run, Subject* subject) {
  subject->mode = Mode::kHere;
  subject->installation = installation_root();
  subject->has_program = !program.empty();
  subject->as_run = as_run;
  subject->stand_in_by_run = as_run && become_like_run(subject->installation, program.front());
  Unwrapped command;
  if (subject->has_program) command = unwrap(program);
  subject->environment = environment();
  if (!subject->has_program) {
    subject->loaded = own_path();
    ask(subject);
    return;
  }
  subject->word = command.words.front();
  subject->wrappers = command.wrappers;
  subject->unknown = command.unknown;
  const Program found = examine_program(subject->word, subject->installation + "/lib");
  subject->program = found.path;
  subject->started = found.interpreter.empty() ? found.path : found.interpreter;
  subject->loaded = subject->started;
  const std::string name = base_name_of(subject->started);
  subject->is_python = name.starts_with("python") || name.starts_with("pypy");
  if (subject->is_python) {
    subject->script = found.interpreter.empty() ? script_of(command.words) : found.path;
  }
  if (!subject->program.empty()) ask(subject);
}

}  // namespace torchada::doctor
