#include "src/command/doctor/loader.h"

#include <sstream>

#include "src/command/doctor/child.h"
#include "src/command/doctor/search.h"
#include "src/shared/split.h"

namespace torchada::doctor {
namespace {

// Example lines: "\tNAME => PATH (0x...)", "\tPATH (0x...)", "\tNAME => not found".
bool parse_line(const std::string& line, Object* out) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return false;
  std::string rest = line.substr(start);
  const std::size_t arrow = rest.find(" => ");
  out->name = arrow == std::string::npos ? "" : rest.substr(0, arrow);
  if (arrow != std::string::npos) rest = rest.substr(arrow + 4);
  if (rest == "not found") return true;
  const std::size_t address = rest.rfind(" (0x");
  if (address == std::string::npos) return false;
  out->path = rest.substr(0, address);
  if (out->name.empty()) out->name = out->path;
  return out->path.find('/') != std::string::npos;  // Skips linux-vdso.
}

std::vector<Object> parse(const std::string& text) {
  std::vector<Object> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    Object object;
    if (parse_line(line, &object)) out.push_back(object);
  }
  return out;
}

// Asks what the loader would load for `file`. glibc's --list stops at the first missing library,
// but musl's loader has only --list and would otherwise start the program.
Output ask(const Subject& subject, const std::string& file,
           std::map<std::string, std::optional<std::string>> changes) {
  for (const char* name : {"LD_DEBUG", "LD_VERBOSE", "LD_BIND_NOW"}) changes[name] = std::nullopt;
  if (!base_name_of(subject.loader).starts_with("ld-linux")) {
    return output_of({subject.loader, "--list", file}, changes, subject.timeout);
  }
  changes.emplace("LD_TRACE_LOADED_OBJECTS", "yes");
  return output_of({subject.loader, file}, changes, subject.timeout);
}

bool same_request(const Object& object, const std::string& name) {
  return object.name == name || base_name_of(object.path) == name;
}

bool known(const Subject& subject, const std::string& path) {
  for (const Object& object : subject.objects) {
    if (object.path == path) return true;
  }
  return false;
}

// Which of the file and its libraries is linked with `name`.
std::string asker_of(const Subject& subject, const std::vector<Object>& objects,
                     const std::string& file, const std::string& name) {
  const auto needs = [&](const std::string& path) {
    const ReadElf& read = subject.read(path);
    if (!read.elf) return false;
    for (const std::string& needed : read.elf->needed) {
      if (needed == name) return true;
    }
    return false;
  };
  if (needs(file)) return file;
  for (const Object& object : objects) {
    if (!object.path.empty() && needs(object.path)) return object.path;
  }
  return "";
}

// `folder` is an entry of sys.path that may contain PyTorch.
void ask_about_torch(Subject* subject, const std::string& folder) {
  for (const char* name : {"libtorch_global_deps.so", "libtorch_cuda.so"}) {
    const std::string path = folder + "/torch/lib/" + name;
    if (subject->files.has(path)) ask_about_file(subject, path);
  }
}

// One process for each name, because a library already in the process answers for others. It runs
// in isolated mode (-I), so that it imports no module of the current directory or of PYTHONPATH.
// What a program would have in sys.path is put together here, and only looked at.
constexpr char kAsk[] = R"(
import ctypes, os, site, sys
script = sys.argv[1]
paths = [os.path.dirname(os.path.realpath(script)) if script else os.getcwd()]
paths += os.environ.get("PYTHONPATH", "").split(os.pathsep) + sys.path
if not os.environ.get("PYTHONNOUSERSITE"):
    paths.append(site.getusersitepackages())
for path in filter(None, paths):
    print("path", path)
sys.stdout.flush()
def ask(name):
    try:
        ctypes.CDLL(name)
    except OSError as error:
        print("error", name, str(error).replace("\n", " "))
        return
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = [line.split(None, 5)[5].rstrip("\n") for line in maps if line.count("/")]
    stem = name.split(".so")[0]
    for path in dict.fromkeys(paths):
        if os.path.basename(path).startswith((stem + ".so", stem + "-")):
            print("found", name, path)
            return
sys.stdout.reconfigure(errors="surrogateescape")
for name in sys.argv[2:]:
    child = os.fork()
    if child == 0:
        ask(name)
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
)";

}  // namespace

void ask_about_file(Subject* subject, const std::string& file) {
  const Output answer = ask(*subject, file, {});
  if (!answer.ended || answer.status != 0) {
    // A damaged library can make the loader crash.
    subject->loader_complains =
        answer.err.empty() ? "the loader crashed or did not answer" : answer.err;
    search_all(subject, file);
    return;
  }
  const std::vector<Object> objects = parse(answer.out);
  for (Object object : objects) {
    object.asker = asker_of(*subject, objects, file, object.name);
    if (object.path.empty() || !known(*subject, object.path)) subject->objects.push_back(object);
  }
}

std::vector<Object> answers_for_names(const Subject& subject,
                                      const std::vector<std::string>& names) {
  std::vector<Object> out;
  const std::string present = subject.variable("LD_PRELOAD");
  // One at a time, because our audit module allows only one CUDA major in a process.
  for (const std::string& name : names) {
    std::string preload = present;
    preload.append(present.empty() ? "" : ":").append(name);
    const Output answer = ask(subject, subject.loaded, {{"LD_PRELOAD", preload}});
    out.push_back({name, "", "dlopen"});
    for (const Object& object : parse(answer.out)) {
      if (out.back().path.empty() && same_request(object, name)) out.back().path = object.path;
    }
  }
  return out;
}

void ask_about_names(Subject* subject, const std::vector<std::string>& names) {
  for (const Object& object : answers_for_names(*subject, names)) {
    subject->objects.push_back(object);
  }
  subject->asked_by_name = true;
}

bool ask_python(Subject* subject, const std::vector<std::string>& names) {
  std::vector<std::string> words = {subject->started, "-I", "-c", kAsk, subject->script};
  words.insert(words.end(), names.begin(), names.end());
  const Output answer = output_of(words, {}, subject->timeout);
  if (!answer.ended || answer.status != 0) return false;
  std::istringstream in(answer.out);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> parts = split(line, " ");
    if (parts.empty()) continue;
    if (parts[0] == "path" && line.size() > 5) {
      subject->module_folders.push_back(line.substr(5));
      ask_about_torch(subject, line.substr(5));
    } else if (parts.size() >= 3 && parts[0] == "found") {
      const std::string path = line.substr(7 + parts[1].size());
      subject->objects.push_back({parts[1], path, "dlopen"});
    } else if (parts.size() >= 2 && parts[0] == "error") {
      subject->objects.push_back({parts[1], "", "dlopen"});
    }
  }
  subject->asked_by_name = true;
  return true;
}

}  // namespace torchada::doctor
