#include "src/shared/other_libraries.h"

#include <string.h>

#include "src/shared/library_name.h"

namespace torchada {
namespace {

// MUSA's counterparts are those that public sources name, each with its tier
// (mappings/musa/README.md): libmusparse.so, libmusolver.so.1 and libmudnn.so.3, code
// (MooreThreads/torch_musa, ZhaoShanBiounite/musapy docs/sdk-3.1.0-musax-coverage.md); muPP, decl
// (GerHobbelt/opencv modules/core/include/opencv2/core/private.musa.hpp); libmtjpeg, doc
// (docs.mthreads.com, version-5.2.0/docker_guide, as "JPEG"); mtshmem, doc (the same, by its name
// alone).
constexpr OtherLibrary kLibraries[] = {
    {"libnvrtc-builtins", "NVIDIA's headers for compiling at run time",
     "only NVIDIA's libnvrtc opens it; torchada's does without", "", ""},
    {"libnvidia-ml", "NVML, device management", "", "", "", "--nvml"},
    {"libcudnn", "cuDNN, neural networks",
     "MUSA's counterpart is muDNN (libmudnn), with a different interface: the program must be "
     "ported",
     "cudnn", "cudnn*"},
    {"libcufftw", "cuFFT's FFTW interface", "link with FFTW itself", "", "cufftw.h"},
    {"libcusparse", "cuSPARSE, sparse matrices",
     "MUSA's counterpart is muSPARSE (libmusparse): the program must be ported", "cusparse",
     "cusparse.h cusparse_v2.h"},
    {"libcusparseLt", "cuSPARSELt, structured sparsity", "no MUSA counterpart is publicly known",
     "cusparseLt", "cusparseLt.h"},
    {"libcusolver", "cuSOLVER, dense and sparse solvers",
     "MUSA's counterpart is muSOLVER (libmusolver): the program must be ported", "cusolver",
     "cusolverDn.h cusolverSp.h cusolverRf.h cusolver_common.h"},
    {"libcusolverMg", "cuSOLVER on several devices", "no MUSA counterpart is publicly known",
     "cusolverMg", "cusolverMg.h"},
    {"libnvJitLink", "linking device code at run time",
     "it only links NVIDIA device code; compile kernels for MUSA", "nvJitLink", "nvJitLink.h"},
    {"libnvfatbin", "making fat binaries",
     "it only handles NVIDIA device code; compile kernels for MUSA", "nvFatbin", "nvFatbin.h"},
    {"libnvptxcompiler", "compiling PTX at run time",
     "it only handles NVIDIA device code; compile kernels for MUSA", "nvPTXCompiler",
     "nvPTXCompiler.h"},
    {"libnvvm", "compiling NVVM at run time",
     "it only handles NVIDIA device code; compile kernels for MUSA", "nvvm", "nvvm.h"},
    {"libnvToolsExt", "NVTX, annotations for profilers",
     "build with NVTX 3, which needs no library, or remove the annotations", "", ""},
    {"libnvtx3interop", "NVTX, annotations for profilers", "remove the annotations", "", ""},
    {"libcufile", "GPUDirect Storage",
     "no MUSA counterpart is publicly known; use ordinary file reads", "cuFile", "cufile.h"},
    {"libcufile_rdma", "GPUDirect Storage", "no MUSA counterpart is publicly known", "", ""},
    {"libnpp", "NPP, images and signals",
     "MUSA's counterpart is muPP (libmupp): the program must be ported", "npp", "npp*"},
    {"libnvjpeg", "nvJPEG, decoding pictures",
     "decode on the CPU, for example with libjpeg; SDK 5.2 has a library for JPEG (libmtjpeg), for "
     "which the program must be ported",
     "nvjpeg", "nvjpeg.h"},
    {"libnvblas", "cuBLAS as a drop-in BLAS", "use a CPU BLAS, or call cuBLAS directly", "",
     "nvblas.h"},
    {"libcublasMp", "cuBLAS on several nodes", "no MUSA counterpart is publicly known", "cublasMp",
     "cublasmp.h"},
    {"libcutensor", "cuTENSOR", "no MUSA counterpart is publicly known", "cutensor",
     "cutensor.h cutensorMg.h"},
    {"libnvshmem_host", "NVSHMEM",
     "use NCCL; MUSA has mtshmem, whose functions are not publicly known", "",
     "nvshmem.h nvshmemx.h"},
    {"libnvinfer", "TensorRT", "export the model to a runtime that supports MUSA", "", "NvInfer*"},
    {"libnvcuvid", "decoding video", "decode on the CPU, for example with FFmpeg", "cuvid",
     "nvcuvid.h cuviddec.h"},
    {"libnvidia-encode", "encoding video", "encode on the CPU, for example with FFmpeg",
     "NvEncodeAPI", "nvEncodeAPI.h"},
};
static_assert(sizeof kLibraries / sizeof kLibraries[0] <= kMostOtherLibraries);

// Whether `next`, which follows the stem in a file name, makes it the name of a part of the
// library: libcudnn_graph, libnvinfer_plugin, libnppial.
bool is_part(const OtherLibrary& item, char next) {
  const char* stem = item.stem;
  if (strcmp(stem, "libcudnn") == 0 || strcmp(stem, "libnvinfer") == 0) return next == '_';
  return strcmp(stem, "libnpp") == 0 && (next == 'c' || next == 'i' || next == 's');
}

}  // namespace

const OtherLibrary* find_other(const char* file_name) {
  const OtherLibrary* library = find_missing(file_name);
  return library && !library->option ? library : nullptr;
}

const OtherLibrary* find_missing(const char* file_name) {
  LibraryName name;
  if (!parse_library_name(base_name(file_name), &name)) return nullptr;
  const OtherLibrary* part_of = nullptr;
  for (const OtherLibrary& item : kLibraries) {
    if (name.stem_is(item.stem)) return &item;
    const size_t length = strlen(item.stem);
    if (name.stem_length <= length || strncmp(name.stem, item.stem, length) != 0) continue;
    if (is_part(item, name.stem[length])) part_of = &item;
  }
  return part_of;
}

int index_of(const OtherLibrary* library) { return static_cast<int>(library - kLibraries); }

const OtherLibrary* other_library(int index) {
  return index < static_cast<int>(sizeof kLibraries / sizeof kLibraries[0]) ? &kLibraries[index]
                                                                            : nullptr;
}

}  // namespace torchada
