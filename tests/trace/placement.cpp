#include "tests/trace/placement.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace tracing {
namespace {

const std::vector<ByValue>& structs() {
  static const std::vector<ByValue> kStructs = {
      {"cuComplex", 8, "v", 8, {{"x", "floating", 0, 4}, {"y", "floating", 4, 4}}},
      {"cuDoubleComplex", 16, "vv", 16, {{"x", "floating", 0, 8}, {"y", "floating", 8, 8}}},
      {"dim3",
       12,
       "ii",
       4,
       {{"x", "unsigned", 0, 4}, {"y", "unsigned", 4, 4}, {"z", "unsigned", 8, 4}}},
      {"cudaExtent",
       24,
       "m",
       8,
       {{"width", "unsigned", 0, 8}, {"height", "unsigned", 8, 8}, {"depth", "unsigned", 16, 8}}},
      {"cudaPitchedPtr",
       32,
       "m",
       8,
       {{"ptr", "pointer", 0, 8},
        {"pitch", "unsigned", 8, 8},
        {"xsize", "unsigned", 16, 8},
        {"ysize", "unsigned", 24, 8}}},
      {"cudaMemLocation",
       8,
       "i",
       4,
       {{"type", "enum", 0, 4, "cudaMemLocationType"}, {"id", "signed", 4, 4}}},
      {"cudaIpcMemHandle_t", 64, "m", 1, {{"reserved", "text", 0, 64}}},
      {"cudaIpcEventHandle_t", 64, "m", 1, {{"reserved", "text", 0, 64}}},
      {"CUipcMemHandle", 64, "m", 1, {{"reserved", "text", 0, 64}}},
      {"CUipcEventHandle", 64, "m", 1, {{"reserved", "text", 0, 64}}},
      {"CUmemLocation",
       8,
       "i",
       4,
       {{"type", "enum", 0, 4, "CUmemLocationType"}, {"id", "signed", 4, 4}}},
      {"ncclUniqueId", 128, "m", 1, {{"internal", "text", 0, 128}}},
      {"ncclMultimemHandle_t", 8, "i", 8, {{"mcBasePtr", "pointer", 0, 8}}},
      {"ncclTeam_t",
       12,
       "ii",
       4,
       {{"nRanks", "signed", 0, 4}, {"rank", "signed", 4, 4}, {"stride", "signed", 8, 4}}},
      {"cudaChannelFormatDesc",
       20,
       "m",
       4,
       {{"x", "signed", 0, 4},
        {"y", "signed", 4, 4},
        {"z", "signed", 8, 4},
        {"w", "signed", 12, 4},
        {"f", "enum", 16, 4, "cudaChannelFormatKind"}}},
      {"cudaEglFrame",
       280,
       "m",
       8,
       {{"planeCount", "unsigned", 264, 4},
        {"frameType", "enum", 268, 4, "cudaEglFrameType"},
        {"eglColorFormat", "enum", 272, 4, "cudaEglColorFormat"}}},
      {"CUeglFrame",
       64,
       "m",
       8,
       {{"width", "unsigned", 24, 4},
        {"height", "unsigned", 28, 4},
        {"depth", "unsigned", 32, 4},
        {"pitch", "unsigned", 36, 4},
        {"planeCount", "unsigned", 40, 4},
        {"numChannels", "unsigned", 44, 4},
        {"frameType", "enum", 48, 4, "CUeglFrameType"},
        {"eglColorFormat", "enum", 52, 4, "CUeglColorFormat"},
        {"cuFormat", "enum", 56, 4, "CUarray_format"}}},
  };
  return kStructs;
}

class Registers {
 public:
  explicit Registers(recording_arguments* arguments) : arguments_(arguments) {}

  bool take(std::string_view classes, Words* out) {
    const auto integers = static_cast<std::size_t>(std::count(classes.begin(), classes.end(), 'i'));
    const std::size_t vectors = classes.size() - integers;
    if (integer_ + integers > std::size(arguments_->integers)) return false;
    if (vector_ + vectors > std::size(arguments_->vectors)) return false;
    for (const char each : classes) {
      out->push_back(each == 'i' ? &arguments_->integers[integer_++]
                                 : &arguments_->vectors[vector_++][0]);
    }
    return true;
  }

  bool take_stack(std::size_t bytes, std::size_t alignment, Words* out) {
    if (alignment == 16) stack_ += stack_ % 2;
    const std::size_t words = (bytes + 7) / 8;
    for (std::size_t i = 0; i < words; ++i, ++stack_) {
      if (stack_ >= std::size(arguments_->stack)) return false;
      out->push_back(&arguments_->stack[stack_]);
    }
    return true;
  }

 private:
  recording_arguments* arguments_;
  std::size_t integer_ = 0, vector_ = 0, stack_ = 0;
};

}  // namespace

const ByValue* by_value(const std::string& type) {
  const auto found = std::find_if(structs().begin(), structs().end(),
                                  [&](const ByValue& each) { return type == each.type; });
  return found == structs().end() ? nullptr : &*found;
}

Placed place(const Function& function, recording_arguments* arguments) {
  Placed out;
  Registers registers(arguments);
  Words hidden;
  if (function.returns.kind == "struct") {
    const ByValue* returned = by_value(function.return_type);
    if (!returned) throw std::runtime_error("returned by value: " + function.return_type);
    // The caller passes the address for a result that is returned in memory.
    if (std::string_view(returned->passed) == "m") registers.take("i", &hidden);
  }
  for (const Parameter& parameter : function.parameters) {
    Words words;
    std::string_view classes = parameter.shape.kind == "floating" ? "v" : "i";
    std::size_t size = 8, alignment = 8;
    if (parameter.shape.kind == "struct") {
      const ByValue* passed = by_value(parameter.type);
      if (!passed) throw std::runtime_error("passed by value: " + parameter.type);
      classes = passed->passed;
      size = passed->size;
      alignment = passed->alignment;
    }
    if (classes == "m" || !registers.take(classes, &words)) {
      out.fits = registers.take_stack(size, alignment, &words) && out.fits;
    }
    out.words.push_back(words);
  }
  return out;
}

}  // namespace tracing
