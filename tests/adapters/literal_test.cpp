// Explicit calls: what a program passes, and what MUSA gets for it. Every number on the right is
// written by hand from the public evidence (mappings/musa/README.md), so there is no table of
// conversions here. tests/recording/adapted_test.cpp has more.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/adapters/calls.h"
#include "tests/recording/application.h"
#include "tests/recording/behaviour.h"
#include "tests/recording/child.h"

namespace adapters {
namespace {

// Pointers do not fit into 32 bits, so that losing a half is noticed.
constexpr std::int64_t kHandle = 0x710000001000, kAlpha = 0x710000002000, kA = 0x710000003000,
                       kB = 0x710000004000, kBeta = 0x710000005000, kC = 0x710000006000;
constexpr std::int64_t kMinus1 = -1, kMinus2 = -2;
constexpr std::int64_t kLargestInt = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kLeastInt = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kWide = std::int64_t{1} << 40;

// muBLAS exports the Ex functions under C++ names.
#define GEMM_EX                                                                                  \
  "_Z12mublasGemmExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataType_tiS3_S4_iS3_" \
  "PvS4_i19mublasComputeType_t16mublasGemmAlgo_t"
#define GEMM_BATCHED_EX                                                                       \
  "_Z19mublasGemmBatchedExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvPKS3_14musaDataType_" \
  "tiS5_S6_iS3_PKPvS6_ii19mublasComputeType_t16mublasGemmAlgo_t"
#define GEMM_STRIDED_EX                                                                          \
  "_Z26mublasGemmStridedBatchedExP15_mublasHandle_t17mublasOperation_tS1_iiiPKvS3_14musaDataTyp" \
  "e_tixS3_S4_ixS3_PvS4_ixi19mublasComputeType_t16mublasGemmAlgo_t"

struct Literal {
  const char* cuda;
  const char* musa;
  std::vector<std::int64_t> passed, received;
};

const Literal kLiterals[] = {
    // Level 1: only the status differs.
    {"cublasSaxpy_v2",
     "mublasSaxpy",
     {kHandle, 3, kAlpha, kA, 1, kB, 2},
     {kHandle, 3, kAlpha, kA, 1, kB, 2}},
    {"cublasDaxpy_v2",
     "mublasDaxpy",
     {kHandle, 3, kAlpha, kA, kMinus1, kB, 2},
     {kHandle, 3, kAlpha, kA, kMinus1, kB, 2}},
    {"cublasCaxpy_v2_64",
     "mublasCaxpy",
     {kHandle, kLargestInt, kAlpha, kA, 1, kB, 2},
     {kHandle, kLargestInt, kAlpha, kA, 1, kB, 2}},
    {"cublasZcopy_v2", "mublasZcopy", {kHandle, 3, kA, 1, kB, 2}, {kHandle, 3, kA, 1, kB, 2}},
    {"cublasSswap_v2", "mublasSswap", {kHandle, 3, kA, 1, kB, 2}, {kHandle, 3, kA, 1, kB, 2}},
    {"cublasDscal_v2", "mublasDscal", {kHandle, 3, kAlpha, kA, 1}, {kHandle, 3, kAlpha, kA, 1}},
    {"cublasCsscal_v2", "mublasCsscal", {kHandle, 3, kAlpha, kA, 1}, {kHandle, 3, kAlpha, kA, 1}},
    {"cublasSdot_v2", "mublasSdot", {kHandle, 3, kA, 1, kB, 2, kC}, {kHandle, 3, kA, 1, kB, 2, kC}},
    {"cublasCdotc_v2",
     "mublasCdotc",
     {kHandle, 3, kA, 1, kB, 2, kC},
     {kHandle, 3, kA, 1, kB, 2, kC}},
    {"cublasZdotu_v2_64",
     "mublasZdotu",
     {kHandle, kLeastInt, kA, 1, kB, 2, kC},
     {kHandle, kLeastInt, kA, 1, kB, 2, kC}},
    {"cublasSnrm2_v2", "mublasSnrm2", {kHandle, 3, kA, 1, kC}, {kHandle, 3, kA, 1, kC}},
    {"cublasDznrm2_v2", "mublasDznrm2", {kHandle, 3, kA, 1, kC}, {kHandle, 3, kA, 1, kC}},
    {"cublasScasum_v2", "mublasScasum", {kHandle, 3, kA, 1, kC}, {kHandle, 3, kA, 1, kC}},
    {"cublasIsamax_v2", "mublasIsamax", {kHandle, 3, kA, 1, kC}, {kHandle, 3, kA, 1, kC}},
    {"cublasIzamin_v2", "mublasIzamin", {kHandle, 3, kA, 1, kC}, {kHandle, 3, kA, 1, kC}},
    {"cublasSrot_v2",
     "mublasSrot",
     {kHandle, 3, kA, 1, kB, 2, kAlpha, kBeta},
     {kHandle, 3, kA, 1, kB, 2, kAlpha, kBeta}},
    {"cublasDrotm_v2",
     "mublasDrotm",
     {kHandle, 3, kA, 1, kB, 2, kAlpha},
     {kHandle, 3, kA, 1, kB, 2, kAlpha}},
    {"cublasCrotg_v2",
     "mublasCrotg",
     {kHandle, kA, kB, kAlpha, kBeta},
     {kHandle, kA, kB, kAlpha, kBeta}},
    // Level 2.
    {"cublasSgemv_v2",
     "mublasSgemv",
     {kHandle, 0, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 111, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasCgemv_v2",
     "mublasCgemv",
     {kHandle, 2, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 113, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasZgemv_v2_64",
     "mublasZgemv",
     {kHandle, 1, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, kMinus2},
     {kHandle, 112, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, kMinus2}},
    {"cublasSgbmv_v2",
     "mublasSgbmv",
     {kHandle, 1, 3, 4, 1, 2, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 112, 3, 4, 1, 2, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasSsymv_v2",
     "mublasSsymv",
     {kHandle, 0, 3, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 122, 3, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasChemv_v2",
     "mublasChemv",
     {kHandle, 1, 3, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 121, 3, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasSsbmv_v2",
     "mublasSsbmv",
     {kHandle, 1, 3, 1, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 121, 3, 1, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasZhbmv_v2",
     "mublasZhbmv",
     {kHandle, 0, 3, 1, kAlpha, kA, 5, kB, 1, kBeta, kC, 2},
     {kHandle, 122, 3, 1, kAlpha, kA, 5, kB, 1, kBeta, kC, 2}},
    {"cublasSspmv_v2",
     "mublasSspmv",
     {kHandle, 0, 3, kAlpha, kA, kB, 1, kBeta, kC, 2},
     {kHandle, 122, 3, kAlpha, kA, kB, 1, kBeta, kC, 2}},
    {"cublasChpmv_v2",
     "mublasChpmv",
     {kHandle, 1, 3, kAlpha, kA, kB, 1, kBeta, kC, 2},
     {kHandle, 121, 3, kAlpha, kA, kB, 1, kBeta, kC, 2}},
    {"cublasStrmv_v2",
     "mublasStrmv",
     {kHandle, 1, 1, 1, 3, kA, 4, kB, 5},
     {kHandle, 121, 112, 132, 3, kA, 4, kB, 5}},
    {"cublasCtrsv_v2",
     "mublasCtrsv",
     {kHandle, 0, 2, 0, 3, kA, 4, kB, 5},
     {kHandle, 122, 113, 131, 3, kA, 4, kB, 5}},
    {"cublasStbmv_v2",
     "mublasStbmv",
     {kHandle, 0, 0, 0, 3, 1, kA, 4, kB, 5},
     {kHandle, 122, 111, 131, 3, 1, kA, 4, kB, 5}},
    {"cublasDtbsv_v2",
     "mublasDtbsv",
     {kHandle, 1, 1, 1, 3, 1, kA, 4, kB, 5},
     {kHandle, 121, 112, 132, 3, 1, kA, 4, kB, 5}},
    {"cublasStpmv_v2",
     "mublasStpmv",
     {kHandle, 1, 0, 1, 3, kA, kB, 5},
     {kHandle, 121, 111, 132, 3, kA, kB, 5}},
    {"cublasZtpsv_v2",
     "mublasZtpsv",
     {kHandle, 0, 2, 1, 3, kA, kB, 5},
     {kHandle, 122, 113, 132, 3, kA, kB, 5}},
    {"cublasSger_v2",
     "mublasSger",
     {kHandle, 3, 4, kAlpha, kA, 1, kB, 2, kC, 5},
     {kHandle, 3, 4, kAlpha, kA, 1, kB, 2, kC, 5}},
    {"cublasCgerc_v2",
     "mublasCgerc",
     {kHandle, 3, 4, kAlpha, kA, 1, kB, 2, kC, 5},
     {kHandle, 3, 4, kAlpha, kA, 1, kB, 2, kC, 5}},
    {"cublasSsyr_v2",
     "mublasSsyr",
     {kHandle, 0, 3, kAlpha, kA, 1, kC, 4},
     {kHandle, 122, 3, kAlpha, kA, 1, kC, 4}},
    {"cublasCher_v2",
     "mublasCher",
     {kHandle, 1, 3, kAlpha, kA, 1, kC, 4},
     {kHandle, 121, 3, kAlpha, kA, 1, kC, 4}},
    {"cublasDspr_v2",
     "mublasDspr",
     {kHandle, 1, 3, kAlpha, kA, 1, kC},
     {kHandle, 121, 3, kAlpha, kA, 1, kC}},
    {"cublasDsyr2_v2",
     "mublasDsyr2",
     {kHandle, 0, 3, kAlpha, kA, 1, kB, 2, kC, 5},
     {kHandle, 122, 3, kAlpha, kA, 1, kB, 2, kC, 5}},
    {"cublasZher2_v2",
     "mublasZher2",
     {kHandle, 1, 3, kAlpha, kA, 1, kB, 2, kC, 5},
     {kHandle, 121, 3, kAlpha, kA, 1, kB, 2, kC, 5}},
    {"cublasChpr2_v2",
     "mublasChpr2",
     {kHandle, 0, 3, kAlpha, kA, 1, kB, 2, kC},
     {kHandle, 122, 3, kAlpha, kA, 1, kB, 2, kC}},
    // Level 3.
    {"cublasSgemm_v2",
     "mublasSgemm",
     {kHandle, 1, 2, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 112, 113, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasDgemm_v2",
     "mublasDgemm",
     {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 111, 111, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasCgemm_v2",
     "mublasCgemm",
     {kHandle, 2, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 113, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasHgemm",
     "mublasHgemm",
     {kHandle, 1, 0, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8},
     {kHandle, 112, 111, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8}},
    {"cublasCgemm_v2_64",
     "mublasCgemm",
     {kHandle, 2, 0, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, kLargestInt},
     {kHandle, 113, 111, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, kLargestInt}},
    {"cublasSsymm_v2",
     "mublasSsymm",
     {kHandle, 0, 0, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 141, 122, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasDsymm_v2",
     "mublasDsymm",
     {kHandle, 1, 1, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 142, 121, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasChemm_v2",
     "mublasChemm",
     {kHandle, 1, 0, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 142, 122, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasDsyrk_v2",
     "mublasDsyrk",
     {kHandle, 0, 0, 3, 4, kAlpha, kA, 5, kBeta, kC, 6},
     {kHandle, 122, 111, 3, 4, kAlpha, kA, 5, kBeta, kC, 6}},
    {"cublasZsyrk_v2_64",
     "mublasZsyrk",
     {kHandle, 1, 1, 3, 4, kAlpha, kA, 5, kBeta, kC, 6},
     {kHandle, 121, 112, 3, 4, kAlpha, kA, 5, kBeta, kC, 6}},
    {"cublasZherk_v2",
     "mublasZherk",
     {kHandle, 1, 0, 3, 4, kAlpha, kA, 5, kBeta, kC, 6},
     {kHandle, 121, 111, 3, 4, kAlpha, kA, 5, kBeta, kC, 6}},
    {"cublasSsyr2k_v2",
     "mublasSsyr2k",
     {kHandle, 0, 1, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 122, 112, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasCher2k_v2",
     "mublasCher2k",
     {kHandle, 1, 2, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 121, 113, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasSsyrkx",
     "mublasSsyrkx",
     {kHandle, 1, 0, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 121, 111, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasZherkx",
     "mublasZherkx",
     {kHandle, 0, 2, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7},
     {kHandle, 122, 113, 3, 4, kAlpha, kA, 5, kB, 6, kBeta, kC, 7}},
    {"cublasStrmm_v2",
     "mublasStrmm",
     {kHandle, 0, 0, 0, 0, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7},
     {kHandle, 141, 122, 111, 131, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7}},
    {"cublasZtrmm_v2_64",
     "mublasZtrmm",
     {kHandle, 1, 1, 2, 1, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7},
     {kHandle, 142, 121, 113, 132, 3, 4, kAlpha, kA, 5, kB, 6, kC, 7}},
    {"cublasCtrsm_v2",
     "mublasCtrsm",
     {kHandle, 0, 1, 2, 0, 3, 4, kAlpha, kA, 5, kB, 6},
     {kHandle, 141, 121, 113, 131, 3, 4, kAlpha, kA, 5, kB, 6}},
    {"cublasZtrsm_v2_64",
     "mublasZtrsm",
     {kHandle, 1, 0, 0, 1, 3, 4, kAlpha, kA, 5, kB, 6},
     {kHandle, 142, 122, 111, 132, 3, 4, kAlpha, kA, 5, kB, 6}},
    // Beyond BLAS.
    {"cublasSgeam",
     "mublasSgeam",
     {kHandle, 0, 1, 3, 4, kAlpha, kA, 5, kBeta, kB, 6, kC, 7},
     {kHandle, 111, 112, 3, 4, kAlpha, kA, 5, kBeta, kB, 6, kC, 7}},
    {"cublasZgeam",
     "mublasZgeam",
     {kHandle, 2, 0, 3, 4, kAlpha, kA, 5, kBeta, kB, 6, kC, 7},
     {kHandle, 113, 111, 3, 4, kAlpha, kA, 5, kBeta, kB, 6, kC, 7}},
    {"cublasCdgmm",
     "mublasCdgmm",
     {kHandle, 0, 3, 4, kA, 5, kB, 1, kC, 6},
     {kHandle, 141, 3, 4, kA, 5, kB, 1, kC, 6}},
    {"cublasDdgmm_64",
     "mublasDdgmm",
     {kHandle, 1, 3, 4, kA, 5, kB, 1, kC, 6},
     {kHandle, 142, 3, 4, kA, 5, kB, 1, kC, 6}},
    // Batched and strided.
    {"cublasSgemmBatched",
     "mublasSgemmBatched",
     {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9},
     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9}},
    {"cublasZgemmBatched_64",
     "mublasZgemmBatched",
     {kHandle, 2, 2, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9},
     {kHandle, 113, 113, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9}},
    {"cublasHgemmBatched",
     "mublasHgemmBatched",
     {kHandle, 1, 1, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9},
     {kHandle, 112, 112, 3, 4, 5, kAlpha, kA, 6, kB, 7, kBeta, kC, 8, 9}},
    {"cublasDgemmStridedBatched",
     "mublasDgemmStridedBatched",
     {kHandle, 0, 2, 3, 4, 5, kAlpha, kA, 6, kWide, kB, 7, kMinus1, kBeta, kC, 8, 3, 9},
     {kHandle, 111, 113, 3, 4, 5, kAlpha, kA, 6, kWide, kB, 7, kMinus1, kBeta, kC, 8, 3, 9}},
    {"cublasHgemmStridedBatched",
     "mublasHgemmStridedBatched",
     {kHandle, 1, 0, 3, 4, 5, kAlpha, kA, 6, 10, kB, 7, 11, kBeta, kC, 8, 12, 9},
     {kHandle, 112, 111, 3, 4, 5, kAlpha, kA, 6, 10, kB, 7, 11, kBeta, kC, 8, 12, 9}},
    {"cublasSgemvBatched",
     "mublasSgemvBatched",
     {kHandle, 1, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2, 9},
     {kHandle, 112, 3, 4, kAlpha, kA, 5, kB, 1, kBeta, kC, 2, 9}},
    {"cublasDgemvStridedBatched",
     "mublasDgemvStridedBatched",
     {kHandle, 0, 3, 4, kAlpha, kA, 5, 10, kB, 1, 11, kBeta, kC, 2, 12, 9},
     {kHandle, 111, 3, 4, kAlpha, kA, 5, 10, kB, 1, 11, kBeta, kC, 2, 12, 9}},
    {"cublasStrsmBatched",
     "mublasStrsmBatched",
     {kHandle, 0, 1, 0, 1, 3, 4, kAlpha, kA, 5, kB, 6, 9},
     {kHandle, 141, 121, 111, 132, 3, 4, kAlpha, kA, 5, kB, 6, 9}},
    {"cublasCtrsmBatched",
     "mublasCtrsmBatched",
     {kHandle, 1, 0, 2, 0, 3, 4, kAlpha, kA, 5, kB, 6, 9},
     {kHandle, 142, 122, 113, 131, 3, 4, kAlpha, kA, 5, kB, 6, 9}},
    // Settings of a handle.
    {"cublasSetPointerMode_v2", "mublasSetPointerMode", {kHandle, 0}, {kHandle, 0}},
    {"cublasGetPointerMode_v2", "mublasGetPointerMode", {kHandle, kA}, {kHandle, kA}},
    {"cublasGetStream_v2", "mublasGetStream", {kHandle, kA}, {kHandle, kA}},
    {"cublasSetWorkspace_v2", "mublasSetWorkspace", {kHandle, kA, kWide}, {kHandle, kA, kWide}},
    {"cublasSetVectorAsync",
     "mublasSetVectorAsync",
     {3, 4, kA, 1, kB, 2, kC},
     {3, 4, kA, 1, kB, 2, kC}},
    {"cublasGetMatrixAsync",
     "mublasGetMatrixAsync",
     {3, 4, 8, kA, 5, kB, 6, kC},
     {3, 4, 8, kA, 5, kB, 6, kC}},
    // Ex functions: half is 2, float 0, bfloat16 14 and int8 3 on both sides. So are the compute
    // types 64 (half), 68 (float), 70 (double), 72 (int32) and 77 (float by TF32). MUSA has two
    // algorithms.
    {"cublasGemmEx",
     GEMM_EX,
     {kHandle, 1, 2, 3, 4, 5, kAlpha, kA, 14, 6, kB, 14, 7, kBeta, kC, 14, 8, 68, 115},
     {kHandle, 112, 113, 3, 4, 5, kAlpha, kA, 14, 6, kB, 14, 7, kBeta, kC, 14, 8, 68, 1}},
    {"cublasGemmEx",
     GEMM_EX,
     {kHandle, 0, 0, 3, 4, 5, kAlpha, kA, 1, 6, kB, 1, 7, kBeta, kC, 1, 8, 70, 23},
     {kHandle, 111, 111, 3, 4, 5, kAlpha, kA, 1, 6, kB, 1, 7, kBeta, kC, 1, 8, 70, 0}},
    {"cublasGemmEx_64",
     GEMM_EX,
     {kHandle, 1, 0, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 2, kLargestInt, 64, 99},
     {kHandle, 112, 111, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 2, kLargestInt, 64, 1}},
    {"cublasGemmBatchedEx",
     GEMM_BATCHED_EX,
     {kHandle, 0, 1, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 9, 68, kMinus1},
     {kHandle, 111, 112, 3, 4, 5, kAlpha, kA, 2, 6, kB, 2, 7, kBeta, kC, 0, 8, 9, 68, 0}},
    {"cublasGemmBatchedEx_64",
     GEMM_BATCHED_EX,
     {kHandle, 2, 2, 3, 4, 5, kAlpha, kA, 0, 6, kB, 0, 7, kBeta, kC, 0, 8, 9, 77, 0},
     {kHandle, 113, 113, 3, 4, 5, kAlpha, kA, 0, 6, kB, 0, 7, kBeta, kC, 0, 8, 9, 77, 0}},
    {"cublasGemmStridedBatchedEx",
     GEMM_STRIDED_EX,
     {kHandle, 1, 1,  3,     4,  5, kAlpha, kA, 14, 6,  kWide, kB,
      14,      7, 11, kBeta, kC, 0, 8,      12, 9,  68, 100},
     {kHandle, 112, 112, 3,     4,  5, kAlpha, kA, 14, 6,  kWide, kB,
      14,      7,   11,  kBeta, kC, 0, 8,      12, 9,  68, 1}},
    {"cublasGemmStridedBatchedEx",
     GEMM_STRIDED_EX,
     {kHandle, 0, 2, 3, 4, 5, kAlpha, kA, 3, 6, 10, kB, 3, 7, 11, kBeta, kC, 10, 8, 12, 9, 72, 5},
     {kHandle, 111, 113, 3,     4,  5,  kAlpha, kA, 3, 6,  10, kB,
      3,       7,   11,  kBeta, kC, 10, 8,      12, 9, 72, 0}},
    {"cublasCsyrkEx",
     "mublasCsyrkEx",
     {kHandle, 0, 1, 3, 4, kAlpha, kA, 4, 5, kBeta, kC, 4, 6},
     {kHandle, 122, 112, 3, 4, kAlpha, kA, 4, 5, kBeta, kC, 4, 6}},
};

bool arrived(std::int64_t expected, std::uint64_t got) {
  if (expected == static_cast<std::int32_t>(expected)) {
    return expected == static_cast<std::int32_t>(got);
  }
  return expected == static_cast<std::int64_t>(got);
}

std::string wrong_calls() {
  const std::string path = REPLACEMENT_FOLDER "/libcublas.so.12";
  const recording::Application environment(path, MUSA_ROOT);
  const Library library(path);
  std::string complaints;
  for (const Literal& literal : kLiterals) {
    Passing passing;
    std::copy(literal.passed.begin(), literal.passed.end(), passing.integers.begin());
    recording_behave(literal.musa, 0, -1, 0);
    const std::int64_t status = library.call(literal.cuda, passing);
    const recording::CallLog log = recording::backend_log();
    if (status != 0 || log.size() != 1 || log[0].musa != literal.musa) {
      complaints += std::string(literal.cuda) + ": status " + std::to_string(status) +
                    ", did not reach " + literal.musa + "\n";
      continue;
    }
    const recording_arguments& arguments = log[0].exchange.arguments;
    for (std::size_t i = 0; i < literal.received.size(); ++i) {
      const std::uint64_t got = i < 6 ? arguments.integers[i] : arguments.stack[i - 6];
      if (arrived(literal.received[i], got)) continue;
      complaints += std::string(literal.cuda) + ": argument " + std::to_string(i) + ": expected " +
                    std::to_string(literal.received[i]) + ", got " + std::to_string(got) + "\n";
    }
  }
  return complaints;
}

// Modes of a handle stay in the library: muBLAS has other numbers than cuBLAS, and no source gives
// them. What a handle had is gone when it is destroyed, because the next one may have its address.
std::string modes_that_leave() {
  const std::string path = std::string(REPLACEMENT_FOLDER "/") + "libcublas.so.12";
  const recording::Application environment(path, MUSA_ROOT);
  const Library library(path);
  recording_answer_all(0);
  std::string complaints;
  Passing passing;
  const auto call = [&](const char* name, std::int64_t handle, std::int64_t value) {
    passing.integers[0] = static_cast<std::uint64_t>(handle);
    passing.integers[1] = static_cast<std::uint64_t>(value);
    const std::int64_t status = library.call(name, passing);
    for (const recording::LoggedCall& logged : recording::backend_log()) {
      if (logged.musa == "mublasGetPointerMode" || logged.musa == "mublasDestroy") continue;
      complaints += std::string(name) + ": " + logged.musa + " was called\n";
    }
    return status;
  };
  const auto expect = [&](const char* name, std::int64_t handle, int expected) {
    int mode = -1;
    call(name, handle, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&mode)));
    if (mode != expected) complaints += std::string(name) + " tells " + std::to_string(mode) + "\n";
  };
  for (const int mode : {0, 1, 2, 3, 16, 17, 18, 19}) {
    if (call("cublasSetMathMode", kHandle, mode) != 0) complaints += "a mode is refused\n";
    expect("cublasGetMathMode", kHandle, mode);
    expect("cublasGetMathMode", kA, 0);
  }
  for (const int mode : {4, 20}) {
    if (call("cublasSetMathMode", kHandle, mode) != 15) complaints += "emulation is not refused\n";
  }
  for (const int mode : {5, 15, 32, 99, -1, 111}) {
    if (call("cublasSetMathMode", kHandle, mode) != 7) complaints += "a strange mode passes\n";
  }
  expect("cublasGetMathMode", kHandle, 19);
  for (const int mode : {1, 0, 1}) {
    if (call("cublasSetAtomicsMode", kHandle, mode) != 0) complaints += "atomics are refused\n";
    expect("cublasGetAtomicsMode", kHandle, mode);
  }
  for (const int mode : {2, -1}) {
    if (call("cublasSetAtomicsMode", kHandle, mode) != 7) complaints += "strange atomics pass\n";
  }
  if (call("cublasSetEmulationStrategy", kHandle, 1) != 0) complaints += "a strategy is refused\n";
  expect("cublasGetEmulationStrategy", kHandle, 1);
  call("cublasDestroy_v2", kHandle, 0);
  for (const char* name :
       {"cublasGetMathMode", "cublasGetAtomicsMode", "cublasGetEmulationStrategy"}) {
    expect(name, kHandle, 0);
  }
  return complaints;
}

TEST(Literals, ModesOfCublasDoNotReachMusa) {
  EXPECT_EQ(recording::in_child(modes_that_leave), "");
}

TEST(Literals, OfCublasArrive) {
  EXPECT_GE(sizeof kLiterals / sizeof *kLiterals, 86u);
  EXPECT_EQ(recording::in_child(wrong_calls), "");
}

}  // namespace
}  // namespace adapters
