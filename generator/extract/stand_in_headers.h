// Small stand-ins for the GL, EGL and VDPAU headers that CUDA's interop headers include. Only a few
// basic types are needed, and the headers installed on a machine must not change the tables.
#pragma once

#include <string>

namespace torchada {

// A temporary folder with the stand-ins, removed in the destructor. Throws ExtractError.
class StandInHeaders {
 public:
  StandInHeaders();
  ~StandInHeaders();
  StandInHeaders(const StandInHeaders&) = delete;
  StandInHeaders& operator=(const StandInHeaders&) = delete;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace torchada
