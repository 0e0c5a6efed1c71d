#include "src/host/mtrtc/translate/run_time_request.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace host_mtrtc {
namespace {

// SIGTERM lets this process end the compilers and remove its folder.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(EXIT_FAILURE);
}

// The mangled name of what the variable's initialiser points to.
std::string lowered_name(CXCursor variable) {
  std::string name;
  for (const CXCursor& part : kernels::children_of(variable)) {
    const CXCursor used = clang_getCursorReferenced(part);
    const bool is_expression = clang_isExpression(kernels::kind_of(part)) != 0;
    if (is_expression &&
        (kernels::is_function(used) || kernels::kind_of(used) == CXCursor_VarDecl)) {
      name = kernels::mangled_name(used);
    }
    const std::string inner = lowered_name(part);
    if (!inner.empty()) name = inner;
  }
  return name;
}

}  // namespace

bool RunTimeRequest::take(const std::string& word, kernels::Settings* settings) {
  const std::size_t size = word.find('=') + 1;
  const std::string option = word.substr(0, size);
  const std::string value = word.substr(size);
  if (word == "--default-device") {
    settings->default_device = true;
  } else if (option == "--name=") {
    names_.push_back(value);
  } else if (option == "--names-line=") {
    settings->hidden_line = static_cast<unsigned int>(std::strtoul(value.c_str(), nullptr, 10));
  } else if (option == "--parent=") {
    end_with(static_cast<pid_t>(std::strtol(value.c_str(), nullptr, 10)));
  } else if (option == "--result=") {
    result_ = value;
    settings->at_run_time = true;
  } else {
    return false;
  }
  return true;
}

std::vector<kernels::Message> RunTimeRequest::answer(const kernels::Source& source) const {
  std::vector<kernels::Message> errors;
  std::vector<bool> told(names_.size());
  const auto tell = [&](std::size_t number, const std::string& why) {
    told[number] = true;
    errors.push_back({{"name expression '" + names_[number] + "'"}, why});
  };
  for (const kernels::Message& error : source.hidden_errors()) {
    const std::size_t number = source.hidden_number(error.place);
    if (number < names_.size()) tell(number, error.text);
  }
  std::vector<std::string> lowered(names_.size());
  const CXCursor all = clang_getTranslationUnitCursor(source.unit());
  for (const CXCursor& child : kernels::children_of(all)) {
    const kernels::Place place = kernels::start_of(child);
    if (kernels::kind_of(child) != CXCursor_VarDecl || !source.is_hidden(place)) continue;
    lowered.at(source.hidden_number(place)) = lowered_name(child);
  }
  std::ofstream out(result_, std::ios::binary);
  for (std::size_t i = 0; i < lowered.size(); ++i) {
    out << "name " << lowered[i] << '\n';
    if (source.has(lowered[i]) || told[i]) continue;
    tell(i, "names no __global__ function, and no __device__ or __constant__ variable");
  }
  for (const auto& [file, text] : source.files()) out << "file " << file << '\n';
  return errors;
}

}  // namespace host_mtrtc
