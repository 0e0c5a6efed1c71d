// Which of our folders a program that `torchada run` starts gets.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace torchada {

// The libraries that are offered on request, and whether the environment asks for them
// (TORCHADA_NVML=1).
std::map<std::string, bool> requested_by_variables();

// What the user restricts and asks for.
struct Offer {
  std::string abi;                // Only this CUDA major. Empty: all of them.
  std::vector<std::string> only;  // Only these libraries and what they need. Empty: all of them.
  // Which of the libraries are asked for that are offered on request, by name.
  std::map<std::string, bool> requested = requested_by_variables();

  // Whether the restrictions leave it in.
  bool has(const std::string& library) const;
  // Whether it is one of those that are offered on request, and asked for.
  bool requests(const std::string& library) const;
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

// The variable that asks for a library that is offered on request: "TORCHADA_NVML" for "nvml".
std::string variable_that_requests(std::string library);

// Whether only programs whose user asks for it find the library, named as in the tables.
bool is_offered_on_request(const std::string& library);

// Those of lib/ whose libraries only `torchada run` offers.
std::vector<std::filesystem::path> folders_of_run(const std::filesystem::path& libraries);

// Our library of that file name, in lib/ or in one of those folders. Empty if there is none.
std::filesystem::path offered_file(const std::string& name, const std::filesystem::path& libraries);

}  // namespace torchada
