#include "src/command/check/other_libraries.h"

#include <algorithm>
#include <iterator>

#include "src/shared/library_name.h"

namespace torchada::check {
namespace {

constexpr std::string_view kDriver = "libcuda";

// The driver's prefix is so short that other names begin with it (cuBLAS, cuComplex's cuCaddf). The
// words that follow it in CUDA 11 to 13:
constexpr std::string_view kDriverWords[] = {
    "Array",     "Checkpoint", "Coredump", "Ctx",      "D3D",      "Destroy",   "Dev",
    "Driver",    "EGL",        "Event",    "External", "Flush",    "Func",      "GL",
    "Get",       "Graph",      "Green",    "Import",   "Init",     "Ipc",       "Kernel",
    "Launch",    "Library",    "Link",     "Logs",     "Mem",      "Mipmapped", "Module",
    "Multicast", "Occupancy",  "Param",    "Pointer",  "Profiler", "Signal",    "Stream",
    "Surf",      "Tensor",     "Tex",      "Thread",   "User",     "VDPAU",     "Wait"};

// `rest` is what follows the library's prefix in a name.
bool begins_a_name(const OtherLibrary& library, std::string_view rest) {
  if (is_driver(library)) {
    return std::any_of(std::begin(kDriverWords), std::end(kDriverWords),
                       [rest](std::string_view word) { return rest.starts_with(word); });
  }
  // NPP has the first letter of a part between prefix and name: nppiFilter, nppsMalloc.
  if (library.prefix == "npp" && rest.size() > 1 && rest[0] >= 'a') rest.remove_prefix(1);
  // Shorter words are names of libraries (cusparseLt), these are types.
  constexpr std::size_t kShortest = 3;
  constexpr std::string_view kTypes[] = {"Result", "Status", "Error"};
  return rest.size() >= kShortest && rest[0] >= 'A' && rest[0] <= 'Z' && !rest.ends_with("_t") &&
         std::find(std::begin(kTypes), std::end(kTypes), rest) == std::end(kTypes);
}

}  // namespace

// MUSA's counterparts are those that public sources name: libmusa, libmufft.so.1, libmusparse.so,
// libmusolver.so.1 and libmudnn.so.3 (MooreThreads/torch_musa, ZhaoShanBiounite/musapy
// docs/sdk-3.1.0-musax-coverage.md), MUPTI (MooreThreads/kineto libkineto/src/mupti_strings.cpp).
const std::vector<OtherLibrary>& other_libraries() {
  static const std::vector<OtherLibrary> list = {
      {"libcuda",
       "the CUDA driver interface",
       "torchada does not replace it; MUSA's driver library is libmusa: the program must be "
       "ported",
       "cu",
       {"cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaTypedefs.h"}},
      {"libnvrtc",
       "compiling CUDA C++ at run time",
       "no MUSA counterpart is publicly known; compile kernels for MUSA beforehand",
       "nvrtc",
       {"nvrtc.h"}},
      {"libnvidia-ml",
       "NVML, device management",
       "no MUSA counterpart is publicly known; cudaGetDeviceCount and cudaMemGetInfo work through "
       "torchada",
       "nvml",
       {"nvml.h"}},
      {"libcupti",
       "CUPTI, profiling",
       "switch profiling off; MUSA's counterpart is MUPTI: the program must be ported",
       "cupti",
       {"cupti*"}},
      {"libcudnn",
       "cuDNN, neural networks",
       "MUSA's counterpart is muDNN (libmudnn), with a different interface: the program must be "
       "ported",
       "cudnn",
       {"cudnn*"}},
      {"libcufft",
       "cuFFT, Fourier transforms",
       "MUSA's counterpart is muFFT (libmufft): the program must be ported",
       "cufft",
       {"cufft.h", "cufftXt.h"}},
      {"libcufftw", "cuFFT's FFTW interface", "link with FFTW itself", "", {"cufftw.h"}},
      {"libcusparse",
       "cuSPARSE, sparse matrices",
       "MUSA's counterpart is muSPARSE (libmusparse): the program must be ported",
       "cusparse",
       {"cusparse.h", "cusparse_v2.h"}},
      {"libcusparseLt",
       "cuSPARSELt, structured sparsity",
       "no MUSA counterpart is publicly known",
       "cusparseLt",
       {"cusparseLt.h"}},
      {"libcusolver",
       "cuSOLVER, dense and sparse solvers",
       "MUSA's counterpart is muSOLVER (libmusolver): the program must be ported",
       "cusolver",
       {"cusolverDn.h", "cusolverSp.h", "cusolverRf.h", "cusolver_common.h"}},
      {"libcusolverMg",
       "cuSOLVER on several devices",
       "no MUSA counterpart is publicly known",
       "cusolverMg",
       {"cusolverMg.h"}},
      {"libnvJitLink",
       "linking device code at run time",
       "it only links NVIDIA device code; compile kernels for MUSA",
       "nvJitLink",
       {"nvJitLink.h"}},
      {"libnvfatbin",
       "making fat binaries",
       "it only handles NVIDIA device code; compile kernels for MUSA",
       "nvFatbin",
       {"nvFatbin.h"}},
      {"libnvptxcompiler",
       "compiling PTX at run time",
       "it only handles NVIDIA device code; compile kernels for MUSA",
       "nvPTXCompiler",
       {"nvPTXCompiler.h"}},
      {"libnvvm",
       "compiling NVVM at run time",
       "it only handles NVIDIA device code; compile kernels for MUSA",
       "nvvm",
       {"nvvm.h"}},
      {"libnvToolsExt",
       "NVTX, annotations for profilers",
       "build with NVTX 3, which needs no library, or remove the annotations",
       "",
       {}},
      {"libnvtx3interop", "NVTX, annotations for profilers", "remove the annotations", "", {}},
      {"libcufile",
       "GPUDirect Storage",
       "no MUSA counterpart is publicly known; use ordinary file reads",
       "cuFile",
       {"cufile.h"}},
      {"libcufile_rdma", "GPUDirect Storage", "no MUSA counterpart is publicly known", "", {}},
      {"libnpp",
       "NPP, images and signals",
       "no MUSA counterpart is publicly known",
       "npp",
       {"npp*"}},
      {"libnvjpeg",
       "nvJPEG, decoding pictures",
       "decode on the CPU, for example with libjpeg",
       "nvjpeg",
       {"nvjpeg.h"}},
      {"libnvblas",
       "cuBLAS as a drop-in BLAS",
       "use a CPU BLAS, or call cuBLAS directly",
       "",
       {"nvblas.h"}},
      {"libcublasMp",
       "cuBLAS on several nodes",
       "no MUSA counterpart is publicly known",
       "cublasMp",
       {"cublasmp.h"}},
      {"libcutensor",
       "cuTENSOR",
       "no MUSA counterpart is publicly known",
       "cutensor",
       {"cutensor.h", "cutensorMg.h"}},
      {"libnvshmem_host",
       "NVSHMEM",
       "no MUSA counterpart is publicly known; use NCCL",
       "",
       {"nvshmem.h", "nvshmemx.h"}},
      {"libnvinfer",
       "TensorRT",
       "export the model to a runtime that supports MUSA",
       "",
       {"NvInfer*"}},
      {"libnvcuvid",
       "decoding video",
       "decode on the CPU, for example with FFmpeg",
       "cuvid",
       {"nvcuvid.h", "cuviddec.h"}},
      {"libnvidia-encode",
       "encoding video",
       "encode on the CPU, for example with FFmpeg",
       "NvEncodeAPI",
       {"nvEncodeAPI.h"}},
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

const OtherLibrary* find_other_by_function(std::string_view name) {
  const OtherLibrary* out = nullptr;
  for (const OtherLibrary& item : other_libraries()) {
    if (item.prefix.empty() || !name.starts_with(item.prefix)) continue;
    const std::string_view rest = name.substr(item.prefix.size());
    if (rest.empty() || !begins_a_name(item, rest)) continue;
    if (out == nullptr || out->prefix.size() < item.prefix.size()) out = &item;
  }
  return out;
}

const OtherLibrary* find_other_by_header(std::string_view header) {
  const std::string_view base = header.substr(header.rfind('/') + 1);
  for (const OtherLibrary& item : other_libraries()) {
    for (const std::string_view known : item.headers) {
      const bool begins = known.ends_with('*');
      if (begins ? base.starts_with(known.substr(0, known.size() - 1)) : base == known) {
        return &item;
      }
    }
  }
  return nullptr;
}

bool is_driver(const OtherLibrary& library) { return library.stem == kDriver; }

}  // namespace torchada::check
