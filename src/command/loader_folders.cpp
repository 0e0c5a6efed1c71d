#include "src/command/loader_folders.h"

#include <fnmatch.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace torchada {
namespace {

constexpr int kMostIncludes = 64;

void read_configuration(const Files& files, const std::string& file, int* includes,
                        std::vector<std::string>* out) {
  const std::string place = files.here(file);
  std::error_code error;
  if (++*includes > kMostIncludes || !std::filesystem::is_regular_file(place, error)) return;
  std::ifstream in(place);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first;
    if (!(words >> first)) continue;
    if (first != "include") {
      out->push_back(first);
      continue;
    }
    for (std::string pattern; words >> pattern;) {
      if (pattern[0] != '/') pattern.insert(0, folder_of(file) + "/");
      const std::string folder = folder_of(pattern);
      for (const std::string& name : files.names_in(folder)) {
        if (fnmatch(base_name_of(pattern).c_str(), name.c_str(), 0) != 0) continue;
        read_configuration(files, folder + "/" + name, includes, out);
      }
    }
  }
}

}  // namespace

std::vector<std::string> configured_folders(const Files& files) {
  std::vector<std::string> out;
  int includes = 0;
  read_configuration(files, "/etc/ld.so.conf", &includes, &out);
  return out;
}

}  // namespace torchada
