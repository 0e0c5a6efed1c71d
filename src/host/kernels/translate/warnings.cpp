#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "src/host/kernels/translate/device_module.h"

namespace kernels {
namespace {

namespace fs = std::filesystem;

// Whether the file lies below a folder of headers of NVIDIA's.
bool is_of_toolkit(const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "cuda_runtime_api.h") || fs::exists(folder / "cub" / "cub.cuh")) {
      return true;
    }
  }
  return false;
}

bool is_of_system(const std::string& file, const std::vector<std::string>& flags) {
  for (std::size_t i = 1; i < flags.size(); ++i) {
    if (flags[i - 1] == "-isystem" && file.starts_with(flags[i] + "/")) return true;
  }
  return file.starts_with("/usr/");
}

// A source that writes 32 where it means the size of a warp.
void find_warp_sizes(const std::string& file, std::vector<Message>* warnings) {
  static const std::regex about("warp|lane|threadidx|_sync\\(", std::regex::icase);
  static const std::regex number("(^|[^\\w.])(32|31|0x1f|0xffffffffu?)([^\\w.]|$)",
                                 std::regex::icase);
  constexpr std::size_t kLongest = 4096;  // std::regex recurses for each character
  std::ifstream lines(file);
  unsigned int line = 0, first = 0;
  int count = 0;
  for (std::string words; std::getline(lines, words);) {
    ++line;
    words.resize(std::min({words.find("//"), words.size(), kLongest}));
    if (!std::regex_search(words, about) || !std::regex_search(words, number)) continue;
    if (count++ == 0) first = line;
  }
  if (count == 0) return;
  warnings->push_back({{file, first, 0},
                       "this takes a warp for 32 threads (" + std::to_string(count) +
                           (count == 1 ? " line" : " lines") +
                           "); on mp_21 and mp_22 it has 128: use warpSize"});
}

bool is_volatile(const llvm::Instruction& instruction) {
  const bool is_plain = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
  return is_plain && instruction.isVolatile();
}

// Threads of a warp that exchange values and count on lockstep.
void find_lockstep(const DeviceModule& code, const std::vector<std::string>& files,
                   std::vector<Message>* warnings) {
  if (code.module->getFunction("torchada_meet") != nullptr) return;
  for (const llvm::Function& function : *code.module) {
    const llvm::DISubprogram* const place = function.getSubprogram();
    if (place == nullptr || llvm::none_of(llvm::instructions(function), is_volatile)) continue;
    std::string name = place->getFilename().str();
    // What the source's path has in common with that of the current folder lies apart.
    if (!name.starts_with("/")) name = place->getDirectory().str() + "/" + name;
    if (!llvm::is_contained(files, name)) continue;
    warnings->push_back(
        {{name, place->getLine(), 0},
         "a volatile pointer: if threads of a warp exchange values through it without __syncwarp, "
         "the result is wrong, because they do not run in lockstep"});
  }
}

}  // namespace

std::vector<Message> find_warnings(const Request& request, const std::string& source,
                                   const std::vector<std::string>& files,
                                   const DeviceModule& code) {
  std::vector<Message> warnings;
  if (llvm::is_contained(request.flags, "-w")) return {};
  std::vector<std::string> own;
  llvm::copy_if(files, std::back_inserter(own), [&](const std::string& file) {
    return (file == source || !is_of_system(file, request.flags)) && !is_of_toolkit(file);
  });
  if (!request.at_run_time || request.warp_size != 32) {
    for (const std::string& file : own) find_warp_sizes(file, &warnings);
  }
  find_lockstep(code, own, &warnings);
  return warnings;
}

}  // namespace kernels
