#include "src/host/mtrtc/compile.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include "src/host/mtrtc/cache.h"
#include "src/host/mtrtc/child.h"
#include "src/host/mtrtc/readable.h"
#include "src/host/mtrtc/turn.h"
#include "src/host/mtrtc/workspace.h"
#include "src/host/shared/files.h"

namespace host_mtrtc {
namespace {

namespace fs = std::filesystem;

// host/kernels of the installation whose host/5.2/lib has this library.
fs::path kernels_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<const void*>(&compile), &info) == 0) return {};
  std::error_code error;
  const fs::path own = fs::canonical(info.dli_fname, error);
  return own.parent_path().parent_path().parent_path() / "kernels";
}

void replace_all(std::string* text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text->find(from, at)) != std::string::npos; at += to.size()) {
    text->replace(at, from.size(), to);
  }
}

bool write_headers(const Input& input, const fs::path& own, const fs::path& folder,
                   std::string* log) {
  for (const auto& [name, text] : input.headers) {
    const fs::path relative = fs::path(name).lexically_normal();
    const bool leaves = relative.empty() || relative.is_absolute() || *relative.begin() == ".." ||
                        name.find_first_of("\"\\\n") != std::string::npos;
    if (leaves || !relative.has_filename()) {
      *log = "mtrtc: error: header '" + name + "': expected a relative name without '..'\n";
      return false;
    }
    // A header of CUDA's that the program brings along is for another compiler.
    std::error_code error;
    if (fs::exists(own / relative, error)) continue;
    fs::create_directories((folder / relative).parent_path(), error);
    if (!host::write_file(folder / relative, text)) {
      *log = "mtrtc: error: header '" + name + "': " + folder.string() + ": " + host::last_error() +
             "\n";
      return false;
    }
  }
  return true;
}

// The source, and for each name expression a line that makes the compiler look at what it names.
std::string text_of(const Input& input, unsigned int* names_line) {
  std::string text = input.source;
  const bool default_device =
      std::find(input.flags.begin(), input.flags.end(), "--default-device") != input.flags.end();
  if (default_device) {  // torchada_default_device.h begins them.
    text += "\n#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";
  }
  *names_line = 0;
  if (input.expressions.empty()) return text;
  text += "\n\n";
  *names_line = 1 + static_cast<unsigned int>(std::count(text.begin(), text.end(), '\n'));
  int number = 0;
  for (std::string expression : input.expressions) {
    std::replace(expression.begin(), expression.end(), '\n', ' ');
    const std::size_t begin = expression.find_first_not_of("& ");
    expression = begin == std::string::npos ? "" : expression.substr(begin);
    text +=
        "__device__ auto torchada_name_" + std::to_string(number++) + " = &(" + expression + ");\n";
  }
  return text;
}

void read_result(const std::string& text, const std::string& workspace, Output* output) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("name ", 0) == 0) output->names.push_back(line.substr(5));
    if (line.rfind("file ", 0) != 0 || line.find(workspace) != std::string::npos) continue;
    output->files.push_back(line.substr(5));
  }
}

Output fail(std::string log) {
  Output output;
  output.log = std::move(log);
  return output;
}

Output compile_in(const Input& input, const fs::path& kernels, const std::string& workspace) {
  const fs::path folder(workspace);
  Output output;
  std::error_code error;
  unsigned int names_line = 0;
  // Its own folder: the names of headers are the program's.
  const std::string source = (folder / "source" / "program.cu").string();
  fs::create_directory(folder / "source", error);
  fs::create_directory(folder / "headers", error);
  if (!host::write_file(source, text_of(input, &names_line))) {
    return fail("mtrtc: error: " + workspace + ": " + host::last_error() + "\n");
  }
  const fs::path own = kernels / "include";
  if (!write_headers(input, own / "cuda", folder / "headers", &output.log)) return output;

  const std::string image = (folder / "image").string();
  std::vector<std::string> words = {(kernels / "torchada-kernels").string(),
                                    "--headers=" + own.string(),
                                    "--output=" + image,
                                    "--report=" + (folder / "result").string(),
                                    "--parent=" + std::to_string(getpid()),
                                    "--names-line=" + std::to_string(names_line)};
  for (const std::string& name : input.expressions) words.push_back("--name=" + name);
  words.push_back("-I" + (folder / "headers").string());
  words.insert(words.end(), input.flags.begin(), input.flags.end());
  const fs::path beside = fs::path(input.name).parent_path();
  if (!beside.empty()) words.push_back("-I" + beside.string());
  words.insert(words.end(), {"--", source});

  Child child;
  child.words = std::move(words);
  child.temporary_folder = workspace;
  const std::string why = run(child, &output.log);
  // The paths of ours mean nothing to the program's author.
  replace_all(&output.log, source, input.name);
  replace_all(&output.log, (folder / "headers").string() + "/", "");
  replace_all(&output.log, workspace + "/", "");
  output.log = readable(output.log);
  if (!why.empty()) {
    output.log += "mtrtc: error: " + why + "\n";
    return output;
  }
  const bool no_llvm =
      output.log.find("error while loading shared libraries: libLLVM") != std::string::npos;
  if (no_llvm) output.log += "mtrtc: error: install libllvm19 and clang-19\n";
  output.compiler_missing = no_llvm || output.log.find("; install clang-19") != std::string::npos;
  std::string result;
  output.success = host::read_file(image, &output.image) &&
                   host::read_file((folder / "result").string(), &result);
  if (output.success) {
    read_result(result, workspace, &output);
  } else if (output.log.empty()) {
    output.log = "mtrtc: error: " + (kernels / "torchada-kernels").string() +
                 " has made no image and said nothing\n";
  }
  return output;
}

}  // namespace

Output compile(const Input& input) {
  if (getauxval(AT_SECURE) != 0) {
    return fail("mtrtc: error: a program with the rights of another user starts no compiler\n");
  }
  const fs::path kernels = kernels_folder();
  if (access((kernels / "torchada-kernels").c_str(), X_OK) != 0) {
    Output output = fail("mtrtc: error: " + (kernels / "torchada-kernels").string() + ": " +
                         host::last_error() +
                         "; the compiler of the CPU stand-in is missing: install torchada-host "
                         "of a system that has clang-19\n");
    output.compiler_missing = true;
    return output;
  }
  const Cache cache(input, kernels.string());
  Output output;
  if (cache.find(&output)) return output;
  const Turn turn;
  const Workspace workspace;
  if (workspace.path().empty()) {
    return fail("mtrtc: error: no folder for temporary files: " + workspace.error() +
                "; name one in TMPDIR\n");
  }
  output = compile_in(input, kernels, workspace.path());
  if (output.success) cache.keep(output);
  return output;
}

}  // namespace host_mtrtc
