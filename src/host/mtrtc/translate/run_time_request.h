// What libmtrtc asks of torchada-kernels beside an image. The source is one, and may be without a
// kernel. This is a part of torchada-kernels, not of libmtrtc.
//   --result=FILE        gets a line for each name and each file: "name MANGLED", "file PATH"
//   --name=EXPRESSION    names a kernel or a variable; may be repeated
//   --names-line=N       the source's lines from N on have a variable for each of them
//   --default-device     what has no attribute is device code
//   --parent=PROCESS     ends when this process ends
#pragma once

#include <string>
#include <vector>

#include "src/host/kernels/translate/source.h"

namespace host_mtrtc {

class RunTimeRequest {
 public:
  // Takes an option. False if it is none of these.
  bool take(const std::string& word, kernels::Settings* settings);
  // Writes the result. Returns what is wrong with the name expressions.
  std::vector<kernels::Message> answer(const kernels::Source& source) const;

 private:
  std::string result_;
  std::vector<std::string> names_;
};

}  // namespace host_mtrtc
