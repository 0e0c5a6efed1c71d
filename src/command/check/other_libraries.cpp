#include "src/command/check/other_libraries.h"

#include "src/shared/library_name.h"

namespace torchada::check {

// MUSA's counterparts are those that public sources name: libmusa, libmufft.so.1, libmusparse.so,
// libmusolver.so.1 and libmudnn.so.3 (MooreThreads/torch_musa, ZhaoShanBiounite/musapy
// docs/sdk-3.1.0-musax-coverage.md), MUPTI (MooreThreads/kineto libkineto/src/mupti_strings.cpp).
const std::vector<OtherLibrary>& other_libraries() {
  static const std::vector<OtherLibrary> list = {
      {"libcuda", "the CUDA driver interface",
       "torchada does not replace it; MUSA's driver library is libmusa: the program must be "
       "ported"},
      {"libnvrtc", "compiling CUDA C++ at run time",
       "no MUSA counterpart is publicly known; compile kernels for MUSA beforehand"},
      {"libnvidia-ml", "NVML, device management",
       "no MUSA counterpart is publicly known; cudaGetDeviceCount and cudaMemGetInfo work through "
       "torchada"},
      {"libcupti", "CUPTI, profiling",
       "switch profiling off; MUSA's counterpart is MUPTI: the program must be ported"},
      {"libcudnn", "cuDNN, neural networks",
       "MUSA's counterpart is muDNN (libmudnn), with a different interface: the program must be "
       "ported"},
      {"libcufftw", "cuFFT's FFTW interface", "link with FFTW itself"},
      {"libcusparse", "cuSPARSE, sparse matrices",
       "MUSA's counterpart is muSPARSE (libmusparse): the program must be ported"},
      {"libcusparseLt", "cuSPARSELt, structured sparsity", "no MUSA counterpart is publicly known"},
      {"libcusolver", "cuSOLVER, dense and sparse solvers",
       "MUSA's counterpart is muSOLVER (libmusolver): the program must be ported"},
      {"libcusolverMg", "cuSOLVER on several devices", "no MUSA counterpart is publicly known"},
      {"libnvJitLink", "linking device code at run time",
       "it only links NVIDIA device code; compile kernels for MUSA"},
      {"libnvfatbin", "making fat binaries",
       "it only handles NVIDIA device code; compile kernels for MUSA"},
      {"libnvptxcompiler", "compiling PTX at run time",
       "it only handles NVIDIA device code; compile kernels for MUSA"},
      {"libnvvm", "compiling NVVM at run time",
       "it only handles NVIDIA device code; compile kernels for MUSA"},
      {"libnvToolsExt", "NVTX, annotations for profilers",
       "build with NVTX 3, which needs no library, or remove the annotations"},
      {"libnvtx3interop", "NVTX, annotations for profilers", "remove the annotations"},
      {"libcufile", "GPUDirect Storage",
       "no MUSA counterpart is publicly known; use ordinary file reads"},
      {"libcufile_rdma", "GPUDirect Storage", "no MUSA counterpart is publicly known"},
      {"libnpp", "NPP, images and signals", "no MUSA counterpart is publicly known"},
      {"libnvjpeg", "nvJPEG, decoding pictures", "decode on the CPU, for example with libjpeg"},
      {"libnvblas", "cuBLAS as a drop-in BLAS", "use a CPU BLAS, or call cuBLAS directly"},
      {"libcublasMp", "cuBLAS on several nodes", "no MUSA counterpart is publicly known"},
      {"libcutensor", "cuTENSOR", "no MUSA counterpart is publicly known"},
      {"libnvshmem_host", "NVSHMEM", "no MUSA counterpart is publicly known; use NCCL"},
      {"libnvinfer", "TensorRT", "export the model to a runtime that supports MUSA"},
      {"libnvcuvid", "decoding video", "decode on the CPU, for example with FFmpeg"},
      {"libnvidia-encode", "encoding video", "encode on the CPU, for example with FFmpeg"},
  };
  return list;
}

const OtherLibrary* find_other(const std::string& file_name) {
  LibraryName name;
  const char* base = base_name(file_name.c_str());
  if (!parse_library_name(base, &name)) return nullptr;
  const std::string stem(name.stem, name.stem_length);
  const OtherLibrary* part_of = nullptr;
  for (const OtherLibrary& item : other_libraries()) {
    if (stem == item.stem) return &item;
    // Parts of a library: libcudnn_graph, libnvinfer_plugin, libnvrtc-builtins, libnppial.
    const bool begins = stem.starts_with(item.stem);
    if (!begins || stem.size() == item.stem.size()) continue;
    const char next = stem[item.stem.size()];
    const bool parts = item.stem == "libcudnn" || item.stem == "libnvinfer";
    if ((parts && next == '_') || (item.stem == "libnvrtc" && next == '-') ||
        (item.stem == "libnpp" && (next == 'c' || next == 'i' || next == 's'))) {
      part_of = &item;
    }
  }
  return part_of;
}

}  // namespace torchada::check
