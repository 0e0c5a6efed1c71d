// Source that is compiled at run time, loaded, launched and unloaded.
#include <string>

#include "tests/long_run/work.h"

void use_nvrtc(unsigned seed) {
  const std::string source =
      "extern \"C\" __global__ void more(float* values, int count) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < count) values[i] += " +
      std::to_string(seed % 7) + ";\n}\n";
  nvrtcProgram program = nullptr;
  OK(nvrtcCreateProgram(&program, source.c_str(), "more.cu", 0, nullptr, nullptr));
  OK(nvrtcCompileProgram(program, 0, nullptr));
  std::size_t size = 0;
  OK(nvrtcGetPTXSize(program, &size));
  std::string code(size, '\0');
  OK(nvrtcGetPTX(program, code.data()));
  OK(nvrtcDestroyProgram(&program));

  int count = 200;
  Numbers expected = numbers(static_cast<std::size_t>(count), seed);
  {
    const Memory memory(expected);
    float* address = memory.get();
    void* arguments[] = {&address, &count};
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    OK(cuModuleLoadData(&module, code.data()));
    OK(cuModuleGetFunction(&function, module, "more"));
    // The stream and not the device: CUDA refuses to wait for the device while another thread
    // captures.
    const Stream stream;
    OK(cuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
    stream.wait();
    for (float& value : expected) value += static_cast<float>(seed % 7);
    compare("NVRTC", expected, memory.values());
    OK(cuModuleUnload(module));
  }
}
