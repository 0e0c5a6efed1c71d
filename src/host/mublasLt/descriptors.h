#pragma once

#include <memory>

#include "src/host/mublasLt/attributes.h"

namespace host_mublaslt {

// Null if the handle is not live.
std::shared_ptr<Attributes> find(mublasLtMatrixLayout_t layout);
std::shared_ptr<Attributes> find(mublasLtMatmulDesc_t description);
std::shared_ptr<Attributes> find(mublasLtMatmulPreference_t preference);
std::shared_ptr<Attributes> find(mublasLtMatrixTransformDesc_t description);

bool is_live(mublasLtHandle_t handle);

}  // namespace host_mublaslt
