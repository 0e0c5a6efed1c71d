// Which of our folders a program that `torchada run` starts gets.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchada {

// What the user restricts.
struct Offer {
  std::string abi;                // Only this CUDA major. Empty: all of them.
  std::vector<std::string> only;  // Only these libraries and what they need. Empty: all of them.

  bool has(const std::string& library) const;
};

class OfferedLibraries {
 public:
  // `root` is the installation's; `major` is that of the program, or empty. Throws
  // std::runtime_error if folders are missing.
  OfferedLibraries(const std::filesystem::path& root, const Offer& offer, const std::string& major);

  // In the order in which the loader shall search them.
  const std::vector<std::string>& folders() const { return folders_; }

  // The CUDA major of names without a version. Empty if the folders above say it.
  const std::string& default_major() const { return default_major_; }
  // Its folder. Empty too if they say it.
  std::filesystem::path default_folder() const;

  // Every folder from which something was left out. Empty if nothing was.
  const std::vector<std::string>& left_out() const { return left_out_; }

  // The file to which a name without a version leads. Empty if its library is not offered. Throws
  // std::runtime_error if all are offered and the file is missing.
  std::filesystem::path file(const char* unversioned) const;

 private:
  void offer_all(const Offer& offer, const std::string& major);
  void offer_only(const Offer& offer, const std::string& major);

  std::filesystem::path all_;
  std::vector<std::string> folders_, left_out_;
  std::string default_major_;
  bool complete_ = true;  // Nothing is left out of the folders but majors.
};

// Whether only programs that `torchada run` starts find the library, named as in the tables.
bool is_offered_by_run(const std::string& library);

// Those of lib/ whose libraries only `torchada run` offers.
std::vector<std::filesystem::path> folders_of_run(const std::filesystem::path& libraries);

// Our library of that file name, in lib/ or in one of those folders. Empty if there is none.
std::filesystem::path offered_file(const std::string& name, const std::filesystem::path& libraries);

}  // namespace torchada
