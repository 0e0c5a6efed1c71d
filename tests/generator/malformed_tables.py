#!/usr/bin/env python3
"""Spoils a copy of mappings/ in one place at a time: torchada-gen must name that place, once.

malformed_tables.py TORCHADA_GEN MAPPINGS
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CUDART = "forward/cudart.yaml"
CUDA = "forward/cuda.yaml"
LT = "forward/cublasLt.yaml"
TYPES = "forward/types.yaml"
MUSART = "musa/musart.yaml"
REGISTRY = "libraries.yaml"
SOURCES = "musa/sources.yaml"
ENTRY_POINTS = "cuda/entry_points.yaml"
CONDITIONS = "forward/conditions.yaml"


def replace(pattern, text):
    """Replaces the first match of a regular expression by `text`. A missing match is an error."""

    def edit(content):
        changed, count = re.subn(pattern, text, content, count=1, flags=re.M)
        if count != 1:
            raise SystemExit(f"the table has nothing like {pattern!r}: adapt the test")
        return changed

    return edit


def row(name, text):
    return replace(rf"^  {name}:(.*\n(  - .*\n)*)", f"  {name}: {text}\n")


# (what is wrong, file, edit or None to delete it, expected message, exit status)
CASES = [
    ("history out of order", "cuda/nccl_history.yaml", replace(r"version: 2\.4\.2", "version: 2.2.2"),
     r"cuda/nccl_history\.yaml:\d+: expected versions in ascending order", 2),
    ("history without a version", "cuda/nccl_history.yaml", replace(r"version: 2\.4\.2", "version: 2.4"),
     r"cuda/nccl_history\.yaml:\d+: '2\.4': expected a version, for example 2\.21\.5", 2),
    ("history with a number that is too large", "cuda/nccl_history.yaml",
     replace(r"version: 2\.4\.2", "version: 2.99999999999.2"),
     r"cuda/nccl_history\.yaml:\d+: '2\.99999999999\.2': expected a version, for example 2\.21\.5", 2),
    ("request that means no export", ENTRY_POINTS,
     replace(r"^  cuInit:\n(.*)\n", r'\g<0>  - {version: 3000, symbol: cuInit_v2, releases: ["13.5"]}\n'),
     r"cuda/entry_points\.yaml:\d+: cuInit means 'cuInit_v2', which is not exported", 1),
    ("export that no request means", ENTRY_POINTS, replace(r"^  cuInit:\n(.*)\n", ""),
     r"cuda/entry_points\.yaml: no request means 'cuInit', which libcuda\.so\.1 exports", 1),
    ("request of a version that does not exist", ENTRY_POINTS,
     replace(r"version: 2000, symbol: cuInit,", "version: 99000, symbol: cuInit,"),
     r"cuda/entry_points\.yaml:\d+: cuInit: no release of the tables has version 99000", 1),
    ("function per thread before its function", ENTRY_POINTS,
     replace(r"version: 7000, symbol: cuMemcpy_ptds", "version: 3000, symbol: cuMemcpy_ptds"),
     r"cuda/entry_points\.yaml:\d+: cuMemcpy: 'cuMemcpy_ptds' is not the per-thread form of 'nothing', "
     r"which version 3000 means", 1),
    ("versions of a name out of order", ENTRY_POINTS,
     replace(r"version: 3020, symbol: cuMemAlloc_v2", "version: 1000, symbol: cuMemAlloc_v2"),
     r"cuda/entry_points\.yaml:\d+: expected versions in ascending order, and those per thread last", 2),
    ("request of an unknown release", ENTRY_POINTS,
     replace(r"(symbol: cuInit, releases: \[).*\]", r'\1"14.0"]'),
     r"cuda/entry_points\.yaml:\d+: unknown release '14\.0'", 2),
    ("requests of another library", ENTRY_POINTS, replace(r"^library: cuda$", "library: cudart"),
     r"cuda/entry_points\.yaml: the library is 'cudart', but 'cuda' has entry_points in \S+libraries\.yaml", 2),
    ("runtime version that is too large", "musa/backend.yaml",
     replace(r'reported: ">=10500', 'reported: ">=99999999999999999999'),
     r"musa/backend\.yaml:\d+: expected a number of at most nine digits, found '9{20}'", 2),
    ("unknown call of an adapter that stands in", "forward/nccl.yaml",
     row("ncclMemFree", "{direct: mcclMemFree, otherwise: {emulated: the runtime's, calls: [musaFre]}}"),
     r"forward/nccl\.yaml:\d+: \S*ncclMemFree in \S+: unknown MUSA function 'musaFre'", 1),
    ("doing without what is not called", "forward/nccl.yaml",
     row("ncclMemFree", "{direct: mcclMemFree, otherwise: {emulated: the runtime's, calls: [musaFree], "
         "optional: [musaMalloc]}}"),
     r"forward/nccl\.yaml:\d+: 'musaMalloc' in 'optional' is not one of 'calls'", 2),
    ("doing without a target", "forward/nccl.yaml",
     row("ncclMemFree", "{direct: mcclMemFree, optional: [mcclMemFree]}"),
     r"forward/nccl\.yaml:\d+: 'mcclMemFree' in 'optional' is not one of 'calls'", 2),
    ("standing in for nothing", "forward/nccl.yaml",
     row("ncclMemFree", "{unsupported: one-sided, otherwise: {emulated: one-sided}}"),
     r"forward/nccl\.yaml:\d+: 'otherwise' is only allowed in a direct or adapted row", 2),
    ("syntax error", CUDART, replace(r"^rows:", "rows: [unclosed"), r"forward/cudart\.yaml:\d+: ", 2),
    ("not YAML maps", CUDART, lambda _: "just words\n", r"forward/cudart\.yaml:1: ", 2),
    ("two documents", CUDART, lambda content: content + "---\nrows: {}\n",
     r"forward/cudart\.yaml:\d+: a second YAML document in the same file", 2),
    ("what follows a document", CUDART, lambda _: "\"13.0\",.5\"], k\n",
     r"forward/cudart\.yaml:1: did not find expected <document start>", 2),
    ("empty file", "musa/mccl.yaml", lambda _: "", r"musa/mccl\.yaml:1: ", 2),
    ("missing file", "musa/mccl.yaml", None, r"musa/mccl\.yaml: file not found", 2),
    ("missing key", CUDART, replace(r"^library: cudart\n", ""),
     r"forward/cudart\.yaml:\d+: missing key 'library'", 2),
    ("misspelt key", CUDART, replace(r"^library:", "libary:"),
     r"forward/cudart\.yaml:\d+: unknown key 'libary'", 2),
    ("unknown backend", REGISTRY, replace(r"backend: murand", "backend: murnd"),
     r"libraries\.yaml:\d+: curand: 'murnd' is not one of the backends", 2),
    ("need of an unknown library", REGISTRY, replace(r"needs: \[cublasLt\]", "needs: [cublasLT]"),
     r"libraries\.yaml:\d+: cublas: it needs 'cublasLT', which is not one of the libraries", 2),
    ("no runtime", REGISTRY, replace(r"    runtime: true\n", ""),
     r"libraries\.yaml: expected exactly one backend with 'runtime: true'", 2),
    ("initialising function that is unknown", REGISTRY, replace(r"initialising: \[muInit\]", "initialising: [muInitt]"),
     r"libraries\.yaml:\d+: musa: 'muInitt' is not a symbol of .*musa\.yaml", 2),
    ("functions that initialise and that tell", REGISTRY,
     replace(r"initialising: \[muInit\]", "initialising: [muInit]\n    telling: [muDriverGetVersion]"),
     r"libraries\.yaml:\d+: expected 'initialising' or 'telling', not both", 2),
    ("unknown home", REGISTRY, replace(r"home: sdk", "home: cellar"),
     r"libraries\.yaml:\d+: 'cellar': expected 'sdk' or 'driver'", 2),
    ("SONAME of another stem", REGISTRY, replace(r"\{libnccl\.so\.2:", "{libncl.so.2:"),
     r"libraries\.yaml:\d+: 'libncl\.so\.2': expected a name that starts with libnccl\.so", 2),
    ("major with two SONAMEs", REGISTRY, replace(r"libcudart\.so\.12: \[12\]", "libcudart.so.12: [12, 13]"),
     r"libraries\.yaml:\d+: CUDA 13 has another SONAME of cudart already", 2),
    ("SONAME that extraction did not find", REGISTRY, replace(r"libcudart\.so\.12: \[12\]", "libcudart.so.14: [12]"),
     r"libraries\.yaml:\d+: cudart: CUDA 12\.9 has libcudart\.so\.12 \(.*cudart\.yaml\), but 'sonames' does not"
     r" give it to CUDA 12", 2),
    ("offered in no known way", REGISTRY, replace(r"offered: by default", "offered: sometimes"),
     r"libraries\.yaml:\d+: 'sometimes': expected 'by default', 'by run' or 'on request'", 2),
    ("offered by default from a folder", REGISTRY, replace(r"offered: by run", "offered: by default"),
     r"libraries\.yaml:\d+: a library that is offered by default lies in lib/ itself", 2),
    ("offered by run without a folder", REGISTRY, replace(r"    folder: driver\n", ""),
     r"libraries\.yaml:\d+: missing key 'folder'", 2),
    ("library that is replaced and not", REGISTRY, replace(r"^  libcufftw:", "  libcufft:"),
     r"libraries\.yaml:\d+: libcufft is one of the libraries; remove it here", 2),
    ("library on request that nothing describes", REGISTRY, replace(r"    what: NVML.*\n", ""),
     r"libraries\.yaml:\d+: missing key 'what'", 2),
    ("folder that is a path", REGISTRY, replace(r"folder: driver", "folder: ../driver"),
     r"libraries\.yaml:\d+: '\.\./driver': expected lower-case letters", 2),
    ("duplicate row", CUDART, replace(r"^  cudaMalloc: .*", r"\g<0>\n\g<0>"),
     r"forward/cudart\.yaml:\d+: 'cudaMalloc' appears twice", 2),
    ("export without a row", CUDART, replace(r"^  cudaMallocHost: .*\n", ""),
     r"forward/cudart\.yaml:\d+: 'cudaMallocHost' is exported by libcudart\.so\.\S+, but no row decides it", 1),
    ("row without an export", CUDART, replace(r"^  cudaMalloc: ", "  cudaNoSuch: {direct: musaMalloc}\n\\g<0>"),
     r"forward/cudart\.yaml:\d+: a row for 'cudaNoSuch', but no release exports it", 1),
    ("two rows for one ABI", CUDART,
     row("cudaMalloc", "\n  - {abi: [11, 12], direct: musaMalloc}\n  - {abi: [12, 13], direct: musaMalloc}"),
     r"forward/cudart\.yaml:\d+: two rows for 'cudaMalloc' at ABI 12", 1),
    ("row for an ABI without the export", CUDART,
     replace(r"^  cudaThreadExit: \{", "  cudaThreadExit: {abi: [11, 12, 13], "),
     r"forward/cudart\.yaml:\d+: a row for 'cudaThreadExit' at ABI 13, but that ABI does not export it", 1),
    ("unknown target", CUDART, row("cudaMalloc", "{direct: musaMaloc}"),
     r"forward/cudart\.yaml:\d+: cudaMalloc in \S+: unknown target 'musaMaloc'", 1),
    ("direct with other types", "forward/cublas.yaml", row("cublasSgemm_v2", "{direct: mublasSgemm}"),
     r"forward/cublas\.yaml:\d+: cublasSgemm_v2 in \S+: cannot be direct: its types differ: ", 1),
    ("direct with another argument list", CUDART, row("cudaMemAdvise", "{direct: musaMemAdvise}"),
     r"forward/cudart\.yaml:\d+: cudaMemAdvise in libcudart\.so\.13: cannot be direct: its types differ: ", 1),
    ("direct on no evidence", "forward/curand.yaml",
     row("curandGeneratePoisson", "{direct: murandGeneratePoisson}"),
     r"forward/curand\.yaml:\d+: curandGeneratePoisson in \S+: the evidence for murandGeneratePoisson"
     r" has tier \w+, which is too weak for a target", 1),
    ("withheld coverage", CUDART, row("cudaMalloc", "{unsupported: \"no reason at all\"}"),
     r"forward/cudart\.yaml:\d+: cudaMalloc in \S+: must be direct", 1),
    ("two decisions", CUDART, row("cudaMalloc", "{direct: musaMalloc, unsupported: \"a b\"}"),
     r"forward/cudart\.yaml:\d+: expected exactly one of the keys direct, adapted, ", 2),
    ("no decision", CUDART, row("cudaMalloc", "{}"),
     r"forward/cudart\.yaml:\d+: expected exactly one of the keys direct, adapted, ", 2),
    ("unknown decision", CUDART, row("cudaMalloc", "{forwarded: musaMalloc}"),
     r"forward/cudart\.yaml:\d+: unknown key 'forwarded'", 2),
    ("unknown reason", CUDART, row("cudaMalloc", "{unsupported: nonsense}"),
     r"forward/cudart\.yaml:\d+: unknown reason 'nonsense'", 2),
    ("adapter that calls nothing known", CUDART,
     row("cudaMalloc", "{emulated: \"for a test\", calls: [musaNoSuch]}"),
     r"forward/cudart\.yaml:\d+: cudaMalloc in \S+: unknown MUSA function 'musaNoSuch'", 1),
    ("through other arguments", "forward/cublas.yaml", row("cublasSgemm", "{delegated: cublasSgemv_v2}"),
     r"forward/cublas\.yaml:\d+: cannot be delegated to the target: ", 1),
    ("through one that is not served", "forward/cublas.yaml",
     row("cublasSgemm_v2", '{unsupported: "no reason at all"}'),
     r"forward/cublas\.yaml:\d+: cublasSgemm in \S+: cublasSgemm_v2 is unsupported", 1),
    ("through nothing", "forward/cublas.yaml", row("cublasSgemm", "{delegated: cublasNoSuch}"),
     r"forward/cublas\.yaml:\d+: cublasSgemm: cannot be delegated to cublasNoSuch: expected an export of this"
     r" library", 1),
    ("through one that goes through", "forward/cublas.yaml", row("cublasCgemm3m_64", "{delegated: cublasCgemm3m}"),
     r"forward/cublas\.yaml:\d+: cublasCgemm3m_64: cannot be delegated to cublasCgemm3m: expected an export of this"
     r" library", 1),
    ("through one that takes more", CUDA, row("cuStreamBeginCapture", "{delegated: cuStreamBeginCapture_v2}"),
     r"forward/cuda\.yaml:\d+: cannot be delegated to the target: no parameter matches mode ", 1),
    ("through one with a parameter that it lacks", CUDA,
     row("cuMemAllocHost", '{delegated: cuMemAllocHost_v2, with: {flags: 0}}'),
     r"forward/cuda\.yaml:\d+: cannot be delegated to the target: the target has no parameter flags", 1),
    ("through one with an unknown enumerator", CUDA,
     row("cuStreamBeginCapture", "{delegated: cuStreamBeginCapture_v2, with: {mode: CU_STREAM_CAPTURE_MODE_NONE}}"),
     r"forward/cuda\.yaml:\d+: the number of CU_STREAM_CAPTURE_MODE_NONE in CUstreamCaptureMode is not known", 1),
    ("ignoring a parameter that it lacks", CUDA,
     row("cuMemAllocHost", "{delegated: cuMemAllocHost_v2, ignores: [flags]}"),
     r"forward/cuda\.yaml:\d+: cannot be delegated to the target: it has no parameter flags", 1),
    ("own stream of a function without streams", CUDA, row("cuStreamGetId_ptsz", "{delegated: cuCtxDestroy_v2}"),
     r"forward/cuda\.yaml:\d+: cannot be delegated to the target: ", 1),
    ("constants of a row that is not delegated", CUDA, row("cuMemAllocHost", "{direct: muMemAllocHost, with: {a: 0}}"),
     r"forward/cuda\.yaml:\d+: 'with' is only allowed in a delegated row", 2),
    ("another way that is delegated and more", CUDART,
     row("cudaMallocAsync_ptsz", "{direct: musaMallocAsync_ptsz, otherwise: {delegated: cudaMallocAsync, calls: [a]}}"),
     r"forward/cudart\.yaml:\d+: unknown key 'calls'", 2),
    ("another way through nothing", CUDART,
     row("cudaMallocAsync_ptsz", "{direct: musaMallocAsync_ptsz, otherwise: {delegated: cudaMallocAsink}}"),
     r"forward/cudart\.yaml:\d+: cudaMallocAsync_ptsz in \S+: unknown MUSA function 'cudaMallocAsink'", 1),
    ("an unknown way", CUDA, row("cuStreamGetId", "{adapted: musaStreamGetId, via: tunnel}"),
     r"forward/cuda\.yaml:\d+: unknown way 'tunnel'; expected a key of 'via'", 2),
    ("a way to something unknown", CUDA, row("cuStreamGetId", "{adapted: musaStreamGetIt, via: runtime}"),
     r"forward/cuda\.yaml:\d+: cuStreamGetId in \S+: unknown MUSA function 'musaStreamGetIt'", 1),
    ("a way of a direct row", CUDA, row("cuStreamGetId", "{direct: musaStreamGetId, via: runtime}"),
     r"forward/cuda\.yaml:\d+: 'via' is only allowed in an adapted or emulated row", 2),
    ("calls of a row with a way", CUDA,
     row("cuStreamGetId", "{adapted: musaStreamGetId, via: runtime, calls: [musaFree]}"),
     r"forward/cuda\.yaml:\d+: 'calls' of an adapted row with 'via' are those of the way", 2),
    ("constants without a way", CUDA, row("cuMemAllocHost", "{direct: muMemAllocHost, given: [cuda::CUDA_SUCCESS]}"),
     r"forward/cuda\.yaml:\d+: 'given' is only allowed beside 'via'", 2),
    ("a way that no row goes", CUDA, replace(r"^  runtime:\n    why: runtime", "  tunnel: {why: runtime}\n\\g<0>"),
     r"forward/cuda\.yaml:\d+: no row goes via 'tunnel'", 2),
    ("letters that are words", "forward/cublas.yaml", replace(r"cublasSideMode_t: \{L:", "cublasSideMode_t: {Left:"),
     r"forward/cublas\.yaml:\d+: 'Left': expected one letter", 2),
    ("another way for a row that has none", CUDART,
     row("cudaThreadExit", "{unsupported: no-evidence, otherwise: {emulated: properties, calls: [musaMalloc]}}"),
     r"forward/cudart\.yaml:\d+: 'otherwise' is only allowed in a direct or adapted row", 2),
    ("another way that calls nothing known", CUDART,
     row("cudaMalloc", "{direct: musaMalloc, otherwise: {emulated: properties, calls: [musaNoSuch]}}"),
     r"forward/cudart\.yaml:\d+: cudaMalloc in \S+: unknown MUSA function 'musaNoSuch'", 1),
    ("direct with a struct that grew", CUDART,
     row("cudaGetTextureObjectTextureDesc", "{direct: musaGetTextureObjectTextureDesc}"),
     r"forward/cudart\.yaml:\d+: cudaGetTextureObjectTextureDesc in \S+: cannot be direct: its types differ: ", 1),
    ("guard of no parameter", CUDART,
     row("cudaLaunchKernel", "{direct: musaLaunchKernel, cuda_kernel: function}"),
     r"forward/cudart\.yaml:\d+: cudaLaunchKernel in \S+: no parameter 'function'", 1),
    ("guard of no member", CUDART,
     row("cudaGraphAddKernelNode", "{direct: musaGraphAddKernelNode, cuda_kernel: pNodeParams.kernel}"),
     r"forward/cudart\.yaml:\d+: cudaGraphAddKernelNode in \S+: cudaKernelNodeParams has no member 'kernel'", 1),
    ("guard of an argument on the stack", CUDART,
     row("cudaLaunchKernel", "{direct: musaLaunchKernel, cuda_kernel: stream}"),
     r"forward/cudart\.yaml:\d+: cudaLaunchKernel in \S+: parameter 'stream' is not passed in a register", 1),
    ("two guards", CUDART,
     row("cudaLaunchKernel", "{direct: musaLaunchKernel, cuda_kernel: func, cuda_variable: func}"),
     r"forward/cudart\.yaml:\d+: a row has at most one guard", 2),
    ("guard of what is refused anyway", CUDART,
     row("cudaBindTexture", "{unsupported: texture-reference, cuda_variable: texref}"),
     r"forward/cudart\.yaml:\d+: 'cuda_variable' is only allowed in a direct, adapted, emulated or no_image row", 2),
    ("refusal by hand of what is served", CUDART, row("cudaMalloc", "{direct: musaMalloc, by_hand: true}"),
     r"forward/cudart\.yaml:\d+: 'by_hand' is only allowed in an unsupported row", 2),
    ("answer at an unknown time", CUDART,
     row("cudaLaunchKernel", "{direct: musaLaunchKernel, cuda_kernel: func, answered: true}"),
     r"forward/cudart\.yaml:\d+: expected 'always' or 'with kernel libraries'", 2),
    ("unknown function for kernel libraries", CUDART,
     replace(r"kernel_calls: \[muCtxGetCurrent", "kernel_calls: [muCtxGetCurrents"),
     r"forward/cudart\.yaml:\d+: unknown MUSA function 'muCtxGetCurrents'", 1),
    ("object that nothing makes", "forward/cuda.yaml",
     row("cuGraphicsUnregisterResource", "{direct: muGraphicsUnregisterResource}"),
     r"forward/cuda\.yaml:\d+: cuGraphicsUnregisterResource in \S+: must be unsupported: it takes an object", 1),
    ("unknown type", "forward/types.yaml", replace(r"^  cudaStream_t: .*\n", ""),
     r"cuda/cudart\.yaml:\d+: unknown type 'cudaStream_t'", 1),
    ("duplicate type", "forward/types.yaml", replace(r"^  cudaStream_t: .*", r"\g<0>\n\g<0>"),
     r"forward/types\.yaml:\d+: 'cudaStream_t' appears twice", 2),
    ("unknown tier", MUSART, replace(r"tier: code", "tier: rumour"),
     r"musa/musart\.yaml:\d+: unknown tier 'rumour'; expected one of hardware, sdk, ", 2),
    ("evidence without a source", "musa/mccl.yaml",
     replace(r"^  mcclAllReduce:\n(    .*\n)*|^  mcclAllReduce: .*\n",
             "  mcclAllReduce: {tier: code, prototypes: []}\n"),
     r"musa/mccl\.yaml:\d+: 'mcclAllReduce' has tier code but no source", 2),
    ("source that is a number of an index", "musa/mccl.yaml",
     replace(r'"flagos-ai/FlagCX:flagcx/adaptor/ccl/musa_mccl_adaptor\.cc\S*"\]$', '"idx:1"]'),
     r"musa/mccl\.yaml:\d+: 'idx:1': a number of an index is no source; name the public file", 2),
    ("prototype with such a source", MUSART,
     replace(r"like: cudaMalloc@12, ", 'like: cudaMalloc@12, source: "idx:1", '),
     r"musa/musart\.yaml:\d+: 'idx:1': a number of an index is no source", 2),
    ("value with such a source", MUSART,
     replace(r"(value: 4, tier: code, source: )\"[^\"]*\"", r'\1"idx:1"'),
     r"musa/musart\.yaml:\d+: 'idx:1': a number of an index is no source", 2),
    ("quirk with such a source", "musa/quirks.yaml", replace(r"sources: \[.*\]", 'sources: ["idx:1"]'),
     r"musa/quirks\.yaml:\d+: 'idx:1': a number of an index is no source", 2),
    ("different behaviour that no source gives", "musa/quirks.yaml",
     replace(r"(SDK 3\.1\.0 fails at random.*\n    tier: )doc", r"\1code"),
     r"musa/quirks\.yaml:\d+: quirk:narrow_rows_are_copied, 'otherwise' has tier code, but its sources give doc"
     r" at most", 1),
    ("different behaviour with such a source", "musa/quirks.yaml",
     replace(r'sources: \["flagos-ai/FlagBLAS:tests/test_sgemm\.py"\]', 'sources: ["idx:1"]'),
     r"musa/quirks\.yaml:\d+: 'idx:1': a number of an index is no source", 2),
    ("numbers of a mode that are only assumed and not decided", "musa/mublas.yaml",
     replace(r"(mublasPointerMode_t:\n  - \{kind: enum, tier: )decl", r"\1map"),
     r"forward/cublas\.yaml:\d+: cublasSetPointerMode_v2 in \S+: mode: no source gives the number of "
     r"MUBLAS_POINTER_MODE_HOST, which stands for CUBLAS_POINTER_MODE_HOST, and MUSA's library does not number as CUDA "
     r"does; decide in 'decided' of \S+types\.yaml what becomes of it", 1),
    ("attributes that are not decided", TYPES, replace(r"^  cublasLtMatrixLayoutAttribute_t: \{all.*\n", ""),
     r"forward/cublasLt\.yaml:\d+: no source gives the number of MUBLASLT_MATRIX_LAYOUT_TYPE, .* decide in "
     r"'decided'", 1),
    ("values of an attribute that are not decided", TYPES, replace(r"^  cublasLtOrder_t: \{all.*\n", ""),
     r"forward/cublasLt\.yaml:\d+: no source gives the number of MUBLASLT_ORDER_\w+, .* decide in 'decided'", 1),
    ("mode that is kept and not emulated", "forward/cublas.yaml",
     row("cublasSetMathMode", "{adapted: mublasSetMathMode}"),
     r"forward/cublas\.yaml:\d+: cublasSetMathMode in \S+: mode: cublasMath_t is a mode that is kept; its functions "
     r"must be emulated", 1),
    ("flags of a library with numbers of its own", "cuda/cublas.yaml",
     replace(r"(cublasSetWorkspace_v2:(?:\n    .*)*?)workspaceSizeInBytes", r"\1flags"),
     r"forward/cublas\.yaml:\d+: cublasSetWorkspace_v2 in \S+: flags: flags are numbers, and MUSA's library does not "
     r"number as CUDA does; the function must be emulated", 1),
    ("mode that is kept and has an undecided enumerator", TYPES, replace(r"^    CUBLAS_PEDANTIC_MATH: .*\n", ""),
     r"forward/types\.yaml:\d+: decided: cublasMath_t is a mode that is kept, and nothing decides "
     r"CUBLAS_PEDANTIC_MATH", 1),
    ("decision about no enumerator", TYPES,
     replace(r"^    CUBLAS_TENSOR_OP_MATH:", r"    CUBLAS_TENSOR_MATH: {accepted: why}\n\g<0>"),
     r"forward/types\.yaml:\d+: decided: 'CUBLAS_TENSOR_MATH' is not an enumerator of cublasMath_t", 1),
    ("decision about no enumeration", TYPES,
     replace(r"^  cublasMath_t:\n", r"  cublasMaths_t: {all: {passed: why}}\n\g<0>"),
     r"forward/types\.yaml:\d+: decided: 'cublasMaths_t' is not an enumeration of CUDA's", 1),
    ("refusal of all that is assumed", TYPES, replace(r"^(  cublasLtOrder_t: \{all: \{)passed", r"\1refused"),
     r"forward/types\.yaml:\d+: expected 'passed' for 'all'; decide other numbers one by one", 2),
    ("two decisions at once", TYPES, replace(r"^  cublasLtOrder_t: \{all: \{", r"\g<0>told: why, "),
     r"forward/types\.yaml:\d+: expected one of passed, accepted, told, refused", 2),
    ("library with numbers of its own among those that number as CUDA does", TYPES,
     replace(r"^numbered_as_cuda: \[", r"\g<0>mublas, "),
     r"forward/types\.yaml: numbered_as_cuda: mublas does not number as CUDA does: MUBLAS_\w+ is \d+, which no CUDA "
     r"release has for it", 1),
    ("library of which no number is known among those that number as CUDA does", TYPES,
     replace(r"^numbered_as_cuda: \[", r"\g<0>mublasLt, "),
     r"forward/types\.yaml: numbered_as_cuda: no source gives any number of mublasLt", 1),
    ("forgetting what is no parameter", "forward/cublas.yaml",
     row("cublasDestroy_v2", "{adapted: mublasDestroy, forgets: object}"),
     r"forward/cublas\.yaml:\d+: cublasDestroy_v2 in \S+: 'forgets': the function has no parameter 'object'", 1),
    ("forgetting without an adapter", "forward/nccl.yaml",
     row("ncclMemFree", "{direct: mcclMemFree, forgets: ptr}"),
     r"forward/nccl\.yaml:\d+: 'forgets' is only allowed in an adapted row", 2),
    ("kept attribute without an initial value", LT,
     replace(r"(CUBLASLT_MATMUL_DESC_FAST_ACCUM: \{value: int8_t, )initial: 0, ", r"\1"),
     r"forward/cublasLt\.yaml:\d+: 'accepted' needs 'initial'", 2),
    ("fallback to no enumerator", "forward/types.yaml",
     replace(r"TENSOR_OP: CUBLAS_GEMM_DEFAULT\}", "TENSOR_OP: CUBLAS_GEMM_USUAL}"),
     r"forward/types\.yaml: the number of CUBLAS_GEMM_USUAL in cublasGemmAlgo_t is not known", 1),
    ("error that no function clears", "forward/cublas.yaml",
     replace(r"clear: musaGetLastError", "clear: musaForgetErrors"),
     r"forward/cublas\.yaml: unknown MUSA function 'musaForgetErrors'", 1),
    ("condition about no parameter", CONDITIONS, replace(r'"ldc >= max\(1, m\)"', '"ldd >= max(1, m)"'),
     r"forward/conditions\.yaml:\d+: \w+ in \S+: condition 'ldd >= max\(1, m\)': the function has no parameter 'ldd', "
     r"and none of its parameters has an enumerator of that name", 1),
    ("condition that is no expression", CONDITIONS, replace(r"kl >= 0", "kl >="),
     r"forward/conditions\.yaml:\d+: \w+ in \S+: condition 'kl >=': expected a value before ''", 1),
    ("condition with something left over", CONDITIONS, replace(r"kl >= 0", "kl >= 0 ku"),
     r"forward/conditions\.yaml:\d+: \w+ in \S+: condition 'kl >= 0 ku': 'ku' is left over", 1),
    ("condition with a status that is none", CONDITIONS, replace(r"CUFFT_INVALID_SIZE", "CUFFT_WRONG_SIZE"),
     r"forward/conditions\.yaml:\d+: the number of CUFFT_WRONG_SIZE in cufftResult is not known", 1),
    ("function without conditions", CONDITIONS, replace(r"^  - of: cublasLtMatmulAlgoInit\n.*\n", ""),
     r"forward/conditions\.yaml:\d+: cublasLtMatmulAlgoInit in \S+ may fail, and has no conditions; add a row, or name "
     r"it in 'without' and say why", 1),
    ("function with conditions and without", CONDITIONS,
     replace(r'of: "cufftEstimate', 'of: "cufftXtExec|cufftEstimate'),
     r"forward/conditions\.yaml:\d+: cufftXtExec in \S+ has conditions, and 'without' names it too", 1),
    ("conditions of a direct function", CONDITIONS,
     replace(r"^nccl:\n", r"\g<0>  rows:\n  - {of: ncclCommCount, ncclInvalidArgument: [count != null]}\n"),
     r"forward/conditions\.yaml:\d+: ncclCommCount in \S+ has conditions, but returns MUSA's status as it is: nothing "
     r"asks them; name it in 'without'", 1),
    ("conditions of an adapter that converts no status", CONDITIONS,
     replace(r"^nccl:\n", r"\g<0>  rows:\n  - {of: ncclReduce, ncclInvalidArgument: [root >= 0]}\n"),
     r"forward/conditions\.yaml:\d+: ncclReduce in \S+ has conditions, but returns MUSA's status as it is: nothing "
     r"asks them; name it in 'without'", 1),
    ("collective without a reason", CONDITIONS, replace(r"\|ReduceScatter\|", "|"),
     r"forward/conditions\.yaml:\d+: ncclReduceScatter in \S+ may fail, and has no conditions; add a row, or name it "
     r"in 'without' and say why", 1),
    ("conditions of no function", CONDITIONS,
     replace(r"^nccl:\n  without:\n", r"\g<0>  - {of: ncclNothing, why: none}\n"),
     r"forward/conditions\.yaml:\d+: 'ncclNothing' matches no function of nccl that reaches MUSA", 1),
    ("conditions of no regular expression", CONDITIONS, replace(r"of: cublasLtMatmulAlgoInit", "of: 'cublas(Create'"),
     r"forward/conditions\.yaml:\d+: 'cublas\(Create' is no regular expression: ", 2),
    ("conditions of no library", CONDITIONS, replace(r"^cufft:", "cuff:"),
     r"forward/conditions\.yaml:\d+: 'cuff' is not a library of ", 2),
    ("SONAME with such a source", REGISTRY, replace(r'tier: nm, source: "[^"]*"', 'tier: nm, source: "idx:1"'),
     r"libraries\.yaml:\d+: 'idx:1': a number of an index is no source", 2),
    ("note that repeats such a source", "musa/mccl.yaml", replace(r'note: "', 'note: "idx:1 claims code; '),
     r"musa/mccl\.yaml:\d+: 'idx:1 claims code; .*': a number of an index is no source", 2),
    ("source that does not exist", MUSART,
     replace(r"torch_musa/csrc/core/MUSAStream\.h", "torch_musa/csrc/core/MUSAStreams.h"),
     r"musa/musart\.yaml:\d+: \S+: 'MooreThreads/torch_musa:torch_musa/csrc/core/MUSAStreams\.h' is not in"
     r" musa/sources\.yaml; add it with the commit at which you read it", 1),
    ("tier that no source gives", MUSART,
     replace(r"^(  musaArrayGetInfo: \{tier: )cbid", r"\1code"),
     r"musa/musart\.yaml:\d+: symbol:musart/musaArrayGetInfo has tier code, but its sources give cbid at most", 1),
    ("name that is said of older SDKs than its sources name", "musa/mublas.yaml",
     replace(r'^(  mublasSetWorkspace:\n.*\n.*\n)    sdk: ">=5\.1"\n', r"\1"),
     r"musa/mublas\.yaml:\d+: symbol:mublas/mublasSetWorkspace: its sources show it in SDK 5\.1, not in 3\.1; "
     r"let the range begin where a source shows it", 1),
    ("argument list that is said of older SDKs than its source names", "musa/mublas.yaml",
     replace(r'^(  mublasHgemm:\n(?:    .*\n)*?)    - \{sdk: "<4\.0", .*\n    - \{sdk: ">=4\.0", ', r"\1    - {"),
     r"musa/mublas\.yaml:\d+: prototype:mublas/mublasHgemm: its sources show it in SDK 4\.0, not in 3\.1; "
     r"let the range begin where a source shows it", 1),
    ("struct that is said of an older SDK than its source", "musa/musa.yaml",
     replace(r'^(  MUmemFabricHandle: .*sdk: )">=5\.2"', r'\1">=4.3"'),
     r"musa/musa\.yaml:\d+: size:musa/MUmemFabricHandle@>=4\.3: its sources show it in SDK 5\.2, not in 4\.3; "
     r"let the range begin where a source shows it", 1),
    ("number that is said of every SDK although one shows it", MUSART,
     replace(r"^(  musaStreamNonBlocking: .*), assumed: .*\}", r"\1}"),
     r"musa/musart\.yaml: constant:musart/musaStreamNonBlocking: its sources show it in SDK 5\.2, not in 3\.1; ", 1),
    ("SONAME that is said of an SDK without a source", REGISTRY,
     replace(r'(name: libmusart\.so\.5, sdk: ">=5\.0"), assumed: "[^"]*"', r"\1"),
     r"libraries\.yaml:\d+: soname:musart/libmusart\.so\.5@>=5\.0: its sources show it in SDK 5\.2, not in 5\.0; ", 1),
    ("range that begins without a reason", "musa/murand.yaml", replace(r"^borders:\n.*\n", ""),
     r"musa/murand\.yaml:\d+: prototype:murand/murandGenerateLongLong@>=5\.1: no source shows it in SDK 5\.1; say in "
     r"'borders' of the table why ranges begin there", 1),
    ("range that ends without a reason", MUSART, replace(r'^    sdk: "<4\.3"$', '    sdk: "<4.4"'),
     r"musa/musart\.yaml:\d+: size:musart/musaDeviceProp@<4\.4: no source shows it in the last SDK before 4\.4; "
     r"let the range end behind the last one that a source shows, or say in 'borders' of the table why ranges end "
     r"there", 1),
    ("reason for an SDK that a source does not have", SOURCES,
     replace(r"^(      tinygrad/runtime/ops_musa\.py: \{.*), sdk: \"3\.1\"", r"\1"),
     r"musa/sources\.yaml:\d+: 'because' without 'sdk'", 2),
    ("argument list that no source gives", MUSART,
     replace(r"^(  musaArrayGetInfo: .*like: cudaArrayGetInfo@12, tier: )map", r"\1doc"),
     r"musa/musart\.yaml:\d+: prototype:musart/musaArrayGetInfo has tier doc, but its sources give map at most", 1),
    ("name without _v2 that takes other arguments", "musa/musa.yaml",
     replace(r"^  muGraphInstantiate_v2:\n(.*\n.*\n)", r"\g<0>    also: [muGraphInstantiate]\n"),
     r"musa/musa\.yaml:\d+: muGraphInstantiate takes other arguments than muGraphInstantiate_v2, which names it in "
     r"'also'; remove it there", 1),
    ("version that is reported, from a page that is not listed", "musa/backend.yaml",
     replace(r'is: "4\.0\.1", tier: doc, source: "[^"]*"', 'is: "4.0.1", tier: map, source: "https://example.org/"'),
     r"musa/backend\.yaml:\d+: runtime:10500-20000: 'https://example\.org/' is not in musa/sources\.yaml; "
     r"add it with the commit at which you read it", 1),
    ("source without a commit", SOURCES, replace(r"^    commit: [0-9a-f]{40}\n", ""),
     r"musa/sources\.yaml:\d+: missing key 'commit'", 2),
    ("source with an abridged commit", SOURCES, replace(r"^(    commit: [0-9a-f]{7})[0-9a-f]{33}", r"\1"),
     r"musa/sources\.yaml:\d+: '[0-9a-f]{7}': expected the commit at which it was read, in 40 hexadecimal digits", 2),
    ("reason that denies a counterpart of which the name is known", CUDART,
     row("cudaChooseDevice", "{unsupported: no-counterpart}"),
     r"forward/cudart\.yaml:\d+: cudaChooseDevice in \S+: the reason denies a counterpart, but the evidence for "
     r"musaChooseDevice has tier cbid; say what is missing", 1),
    ("script as compiled code", SOURCES, replace(r"ops_musa\.py: \{names: decl", "ops_musa.py: {names: code"),
     r"musa/sources\.yaml:\d+: 'tinygrad/runtime/ops_musa\.py' is not compiled with an SDK: 'code' is too strong; "
     r"use 'decl' if it loads the library, 'doc' if it only tells of it", 2),
    ("page without a day", SOURCES, replace(r', read: "[0-9-]+"', ""),
     r"musa/sources\.yaml:\d+: missing key 'read'", 2),
    ("source that no fact cites", SOURCES,
     replace(r"^pages:\n", "pages:\n  https://example.org/: {gives: doc, read: \"2026-11-23\"}\n"),
     r"musa/sources\.yaml:\d+: no fact cites 'https://example\.org/'; remove it", 1),
    ("bad SDK range", MUSART, replace(r'sdk: ">=5\.0"', 'sdk: ">=five"'),
     r"musa/musart\.yaml:\d+: expected an SDK version, for example 5\.1\.0, found 'five'", 2),
    ("prototype of an unknown symbol", MUSART, replace(r"like: cudaMalloc@12", "like: cudaNoSuch@12"),
     r"musa/musart\.yaml:\d+: the prototype of 'cudaNoSuch' at ABI 12 is not known", 1),
    ("value that is no number", MUSART, replace(r"musaErrorInvalidValue: 1\b", "musaErrorInvalidValue: one"),
     r"musa/musart\.yaml:\d+: expected an integer, found 'one'", 2),
    ("unknown release", "cuda/cudart.yaml",
     replace(r'^  cudaMalloc:\n    releases: \["11\.8"', '  cudaMalloc:\n    releases: ["10.2"'),
     r"cuda/cudart\.yaml:\d+: .*10\.2", 2),
    ("attribute that is none", LT,
     replace(r"^    CUBLASLT_MATMUL_DESC_TRANSA: ", "    CUBLASLT_MATMUL_DESC_TRANSE: int32_t\n\\g<0>"),
     r"forward/cublasLt\.yaml:\d+: 'CUBLASLT_MATMUL_DESC_TRANSE' is not an enumerator of", 1),
    ("attribute without a value", LT, replace(r"^    CUBLASLT_MATMUL_DESC_TRANSA: .*\n", ""),
     r"forward/cublasLt\.yaml:\d+: attribute CUBLASLT_MATMUL_DESC_TRANSA is missing in 'attributes'", 1),
    ("attribute of an unknown type", LT,
     replace(r"^    CUBLASLT_MATMUL_DESC_TRANSA: .*", "    CUBLASLT_MATMUL_DESC_TRANSA: cublasOp_t"),
     r"forward/cublasLt\.yaml:\d+: an attribute's value cannot have type 'cublasOp_t'", 1),
    ("attribute with a misspelt key", LT, replace(r"\{value: int32_t, initial: 0\}", "{value: int32_t, intial: 0}"),
     r"forward/cublasLt\.yaml:\d+: unknown key 'intial'", 2),
    ("duplicate symbol", "cuda/curand.yaml", replace(r"^  curandGenerate:\n", "  curandGenerate: {}\n\\g<0>"),
     r"cuda/curand\.yaml:\d+: .*curandGenerate", 2),
]


def run(generator, mappings):
    return subprocess.run([generator, "check", "--mappings", mappings], capture_output=True, text=True,
                          timeout=120)


def findings(stderr):
    return [line for line in stderr.splitlines() if not re.fullmatch(r"\d+ defects found", line)]


def batches(cases):
    """Cases that can be tried together: of one exit status, and each in a file of its own.

    `check` reports all defects of status 1, and the first of each file that it cannot read (status 2). Without the
    registry it reads nothing else.
    """
    together = []
    for case in cases:
        place = next((batch for batch in together if batch[0][4] == case[4] and REGISTRY not in (batch[0][1], case[1])
                      and all(case[1] != other[1] for other in batch)), None)
        if place is None:
            together.append([case])
        else:
            place.append(case)
    return together


def lines_with(generator, copy, cases):
    """What `check` says of the tables with these cases' edits, and its exit status. It mends the tables after."""
    kept = {}
    for _, file, edit, _, _ in cases:
        path = copy / file
        kept[path] = path.read_text(encoding="utf-8")
        if edit is None:
            path.unlink()
        else:
            path.write_text(edit(kept[path]), encoding="utf-8")
    result = run(generator, copy)
    for path, content in kept.items():
        path.write_text(content, encoding="utf-8")
    return findings(result.stderr), result.returncode


def as_expected(case, lines, status):
    # Each output that shares the row may report the same defect, but at one place.
    places = {line.split(": ")[0] for line in lines}
    return status == case[4] and len(places) == 1 and all(re.search(case[3], line) for line in lines)


def judge(generator, copy, batch):
    """Yields (case, lines, status, whether that is right) for each case of a batch.

    If one defect of several hides or changes what is said of another, they are tried in two halves.
    """
    lines, status = lines_with(generator, copy, batch)
    if len(batch) > 1:
        mine = [[line for line in lines if re.search(case[3], line)] for case in batch]
        if sum(map(len, mine)) == len(lines) and all(
                as_expected(case, found, status) for case, found in zip(batch, mine)):
            yield from ((case, found, status, True) for case, found in zip(batch, mine))
            return
        middle = len(batch) // 2
        yield from judge(generator, copy, batch[:middle])
        yield from judge(generator, copy, batch[middle:])
        return
    yield batch[0], lines, status, as_expected(batch[0], lines, status)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    generator, original = sys.argv[1], Path(sys.argv[2])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "mappings"
        shutil.copytree(original, copy)
        clean = run(generator, copy)
        if clean.returncode != 0:
            print(f"the tables themselves have defects:\n{clean.stderr}")
            return 1
        for batch in batches(CASES):
            for (what, _, _, expected, wanted), lines, status, good in judge(generator, copy, batch):
                print(f"{'ok  ' if good else 'FAIL'} {what}: {lines[0] if lines else '(silence)'}")
                if not good:
                    failures += 1
                    print(f"     expected /{expected}/ and status {wanted}, got status {status} and:")
                    print("\n".join("       " + line for line in lines[:8]))
    print(f"{len(CASES)} spoilt tables, {failures} not reported as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
