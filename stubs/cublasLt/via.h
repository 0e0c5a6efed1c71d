// The way to muBLASLt that the attributes of its objects share (`via` in
// mappings/forward/cublasLt.yaml).
#pragma once

#include "stubs/cublasLt/attributes.h"

namespace torchada::via {

// The number of an attribute of one kind of object.
struct MatmulAlgoCap {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatmulAlgoCapAttributes_t, true};
};
struct MatmulAlgoConfig {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatmulAlgoConfigAttributes_t};
};
struct MatmulDesc {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatmulDescAttributes_t};
};
struct MatmulPreference {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatmulPreferenceAttributes_t};
};
struct MatrixLayout {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatrixLayoutAttribute_t};
};
struct MatrixTransformDesc {
  int number;
  static constexpr AttributeList kList{kAttributes_cublasLtMatrixTransformDescAttributes_t};
};

// No condition is documented of attributes.
template <typename Kind>
int attribute(const Function& function, const uint8_t* /*conditions*/, AttributeSetter set,
              void* object, Kind attribute, const void* buffer, size_t size) {
  return set_attribute(function, Kind::kList, set, object, attribute.number, buffer, size);
}

template <typename Kind>
int attribute(const Function& function, const uint8_t* /*conditions*/, AttributeGetter get,
              const void* object, Kind attribute, void* buffer, size_t size, void* written) {
  return get_attribute(function, Kind::kList, get, object, attribute.number, buffer, size,
                       static_cast<size_t*>(written));
}

}  // namespace torchada::via
