// Images of device code and what is in them.
#pragma once

#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "musa_runtime_api.h"
#include "src/host/kernels/include/torchada_image.h"

namespace musa {

class ImageCopy;

class Module {
 public:
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const torchada_image& image() const { return *image_; }
  // Null if the image has none of that name. A name without @SOURCE is known if one source has it.
  const torchada_kernel* kernel(const std::string& name) const { return find(kernels_, name); }
  const torchada_variable* variable(const std::string& name) const {
    return find(variables_, name);
  }
  const std::map<std::string, const torchada_variable*>& variables() const { return variables_; }

 private:
  friend musaError_t load_copy(ImageCopy&, std::shared_ptr<Module>*);
  Module(void* library, int file) : library_(library), file_(file) {}
  template <typename Entry>
  static const Entry* find(const std::map<std::string, const Entry*>& in, const std::string& name) {
    const auto found = in.find(name);
    if (found != in.end()) return found->second;
    const auto internal = in.lower_bound(name + "@");
    const auto matches = [&](auto entry) {
      return entry != in.end() && entry->first.compare(0, name.size() + 1, name + "@") == 0;
    };
    return matches(internal) && !matches(std::next(internal)) ? internal->second : nullptr;
  }

  void* library_;
  int file_;
  const torchada_image* image_ = nullptr;
  std::map<std::string, const torchada_kernel*> kernels_;
  std::map<std::string, const torchada_variable*> variables_;
};

// Load an image from memory, whose size only the image can tell, or from an open file. With a line
// and musaErrorInvalidKernelImage if it is damaged, or has what would run while it is opened;
// musaErrorNoKernelImageForDevice if it is none that the stand-in can run; musaErrorOperatingSystem
// if the system refuses what it takes to open one.
musaError_t load_module(const void* image, std::shared_ptr<Module>* module);
musaError_t load_module(int file, std::shared_ptr<Module>* module);

}  // namespace musa
