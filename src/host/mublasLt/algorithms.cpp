// The only algorithm, and the queries about it. The caller's struct holds a mark and the values of
// the configuration.
#include <algorithm>

#include "src/host/mublasLt/descriptors.h"
#include "src/host/mublasLt/plan.h"

namespace host_mublaslt {
namespace {

constexpr std::uint64_t kMark = 0x544C5341'4C42554DU;
constexpr std::int32_t kOnlyId = 0;

struct Setting {
  mublasLtMatmulAlgoConfigAttributes_t name;
  std::size_t size;
  std::uint32_t largest;
};

// Stored in the words behind the mark, in this order. Without a GPU there is nothing to configure.
constexpr std::array<Setting, 9> kSettings = {{
    {MUBLASLT_ALGO_CONFIG_ID, 4, 0},
    {MUBLASLT_ALGO_CONFIG_TILE_ID, 4, 0},
    {MUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4, 1},
    {MUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4, 0},
    {MUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4, 0},
    {MUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4, 0},
    {MUBLASLT_ALGO_CONFIG_STAGES_ID, 4, 0},
    {MUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2, 0},
    {MUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2, 0},
}};

struct Configuration {
  std::uint64_t mark;
  std::array<std::uint32_t, kSettings.size()> values;
};
static_assert(sizeof(Configuration) <= sizeof(mublasLtMatmulAlgo_t));

Configuration read(const mublasLtMatmulAlgo_t& algorithm) {
  Configuration configuration;
  std::memcpy(&configuration, &algorithm, sizeof configuration);
  return configuration;
}

void write(const Configuration& configuration, mublasLtMatmulAlgo_t* algorithm) {
  *algorithm = {};
  std::memcpy(algorithm, &configuration, sizeof configuration);
}

void initialise(mublasLtMatmulAlgo_t* algorithm) { write({kMark, {}}, algorithm); }

bool is_algorithm(const mublasLtMatmulAlgo_t* algorithm) {
  return algorithm != nullptr && read(*algorithm).mark == kMark;
}

std::size_t setting_index(mublasLtMatmulAlgoConfigAttributes_t name) {
  const auto found = std::find_if(kSettings.begin(), kSettings.end(),
                                  [&](const Setting& setting) { return setting.name == name; });
  return static_cast<std::size_t>(found - kSettings.begin());
}

mublasStatus_t check_types(mublasLtHandle_t handle, mublasComputeType_t compute,
                           musaDataType_t scale, musaDataType_t a, musaDataType_t b,
                           musaDataType_t c, musaDataType_t d) {
  if (!is_live(handle)) return MUBLAS_STATUS_INVALID_HANDLE;
  Formula formula{};
  return find_formula(compute, scale, a, b, c, d, &formula) ? MUBLAS_STATUS_SUCCESS
                                                            : MUBLAS_STATUS_NOT_IMPLEMENTED;
}

constexpr std::uint32_t kEpilogues =
    MUBLASLT_EPILOGUE_DEFAULT | MUBLASLT_EPILOGUE_RELU_AUX_BIAS | MUBLASLT_EPILOGUE_GELU_AUX_BIAS;

}  // namespace

mublasStatus_t check_algorithm(const mublasLtMatmulAlgo_t& algorithm) {
  if (!is_algorithm(&algorithm)) return MUBLAS_STATUS_INVALID_VALUE;
  const Configuration configuration = read(algorithm);
  for (std::size_t i = 0; i < kSettings.size(); ++i) {
    if (configuration.values[i] > kSettings[i].largest) return MUBLAS_STATUS_NOT_IMPLEMENTED;
  }
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace host_mublaslt

using namespace host_mublaslt;

mublasStatus_t mublasLtMatmulAlgoGetIds(mublasLtHandle_t lightHandle,
                                        mublasComputeType_t computeType, musaDataType_t scaleType,
                                        musaDataType_t Atype, musaDataType_t Btype,
                                        musaDataType_t Ctype, musaDataType_t Dtype,
                                        int requestedAlgoCount, int* algoIdsArray,
                                        int* returnAlgoCount) {
  const auto status = check_types(lightHandle, computeType, scaleType, Atype, Btype, Ctype, Dtype);
  if (status == MUBLAS_STATUS_INVALID_HANDLE) return status;
  if (requestedAlgoCount <= 0 || algoIdsArray == nullptr || returnAlgoCount == nullptr) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  *returnAlgoCount = 0;
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  algoIdsArray[0] = kOnlyId;
  *returnAlgoCount = 1;
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasLtMatmulAlgoInit(mublasLtHandle_t lightHandle, mublasComputeType_t computeType,
                                      musaDataType_t scaleType, musaDataType_t Atype,
                                      musaDataType_t Btype, musaDataType_t Ctype,
                                      musaDataType_t Dtype, int algoId,
                                      mublasLtMatmulAlgo_t* algo) {
  const auto status = check_types(lightHandle, computeType, scaleType, Atype, Btype, Ctype, Dtype);
  if (status == MUBLAS_STATUS_INVALID_HANDLE) return status;
  if (algo == nullptr || algoId != kOnlyId) return MUBLAS_STATUS_INVALID_VALUE;
  if (status == MUBLAS_STATUS_SUCCESS) initialise(algo);
  return status;
}

mublasStatus_t mublasLtMatmulAlgoCheck(mublasLtHandle_t lightHandle,
                                       mublasLtMatmulDesc_t operationDesc,
                                       mublasLtMatrixLayout_t Adesc, mublasLtMatrixLayout_t Bdesc,
                                       mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
                                       const mublasLtMatmulAlgo_t* algo,
                                       mublasLtMatmulHeuristicResult_t* result) {
  if (!is_live(lightHandle)) return MUBLAS_STATUS_INVALID_HANDLE;
  if (algo == nullptr || result == nullptr) return MUBLAS_STATUS_INVALID_VALUE;
  Plan plan;
  auto status = make_plan(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status == MUBLAS_STATUS_SUCCESS) status = check_algorithm(*algo);
  result->workspaceSize = 0;
  result->state = status;
  result->wavesCount = 1.0F;
  return status;
}

mublasStatus_t mublasLtMatmulAlgoGetHeuristic(
    mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t operationDesc, mublasLtMatrixLayout_t Adesc,
    mublasLtMatrixLayout_t Bdesc, mublasLtMatrixLayout_t Cdesc, mublasLtMatrixLayout_t Ddesc,
    mublasLtMatmulPreference_t preference, int requestedAlgoCount,
    mublasLtMatmulHeuristicResult_t* heuristicResultsArray, int* returnAlgoCount) {
  if (!is_live(lightHandle)) return MUBLAS_STATUS_INVALID_HANDLE;
  if (!find(preference) || requestedAlgoCount <= 0 || heuristicResultsArray == nullptr ||
      returnAlgoCount == nullptr) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  *returnAlgoCount = 0;
  Plan plan;
  const auto status = make_plan(operationDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status != MUBLAS_STATUS_SUCCESS) return status;
  heuristicResultsArray[0] = {};
  initialise(&heuristicResultsArray[0].algo);
  heuristicResultsArray[0].state = MUBLAS_STATUS_SUCCESS;
  heuristicResultsArray[0].wavesCount = 1.0F;
  *returnAlgoCount = 1;
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasLtMatmulAlgoCapGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                 mublasLtMatmulAlgoCapAttributes_t attr, void* buf,
                                                 size_t sizeInBytes, size_t* sizeWritten) {
  if (!is_algorithm(algo)) return MUBLAS_STATUS_INVALID_VALUE;
  std::uint32_t value = 0;
  switch (attr) {
    case MUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
    case MUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
    case MUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
    case MUBLASLT_ALGO_CAP_UPLO_SUPPORT:
    case MUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
    case MUBLASLT_ALGO_CAP_LD_NEGATIVE:
    // Lists with one member, so there is no choice.
    case MUBLASLT_ALGO_CAP_TILE_IDS:
    case MUBLASLT_ALGO_CAP_STAGES_IDS:
      break;
    case MUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
    case MUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    case MUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER:
    case MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
    case MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
    case MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
    case MUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
      value = 1;
      break;
    case MUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
      value = 1U << MUBLASLT_POINTER_MODE_HOST | 1U << MUBLASLT_POINTER_MODE_DEVICE;
      break;
    case MUBLASLT_ALGO_CAP_EPILOGUE_MASK:
      value = kEpilogues;
      break;
    default:
      return MUBLAS_STATUS_INVALID_VALUE;
  }
  return give(&value, sizeof value, buf, sizeInBytes, sizeWritten);
}

mublasStatus_t mublasLtMatmulAlgoConfigSetAttribute(mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr,
                                                    const void* buf, size_t sizeInBytes) {
  const std::size_t index = setting_index(attr);
  if (!is_algorithm(algo) || index == kSettings.size() || attr == MUBLASLT_ALGO_CONFIG_ID ||
      buf == nullptr || sizeInBytes != kSettings.at(index).size) {
    return MUBLAS_STATUS_INVALID_VALUE;
  }
  Configuration configuration = read(*algo);
  configuration.values.at(index) = 0;
  std::memcpy(&configuration.values.at(index), buf, sizeInBytes);
  write(configuration, algo);
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasLtMatmulAlgoConfigGetAttribute(const mublasLtMatmulAlgo_t* algo,
                                                    mublasLtMatmulAlgoConfigAttributes_t attr,
                                                    void* buf, size_t sizeInBytes,
                                                    size_t* sizeWritten) {
  const std::size_t index = setting_index(attr);
  if (!is_algorithm(algo) || index == kSettings.size()) return MUBLAS_STATUS_INVALID_VALUE;
  const Configuration configuration = read(*algo);
  return give(&configuration.values.at(index), kSettings.at(index).size, buf, sizeInBytes,
              sizeWritten);
}
