// Small stand-ins for the GL, EGL and VDPAU headers that CUDA's interop headers include: they
// need a few basic types only, and what a machine has installed must not change the tables.
#pragma once

#include <string>

namespace torchada {

// A temporary folder with the stand-ins, removed with the object. Throws ExtractError.
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
