// The attributes of descriptions of products, matrices, preferences and transformations.
#include "stubs/cublasLt/attributes.h"

using torchada::list_of;

extern "C" int torchada_adapter_cublasLtMatmulDescSetAttribute(void* description, int attribute,
                                                               const void* buffer, size_t size) {
  return torchada::set_attribute(
      {"cublasLtMatmulDescSetAttribute", "mublasLtMatmulDescSetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatmulDescAttributes_t), mublasLtMatmulDescSetAttribute,
      description, attribute, buffer, size);
}

extern "C" int torchada_adapter_cublasLtMatmulDescGetAttribute(void* description, int attribute,
                                                               void* buffer, size_t size,
                                                               size_t* written) {
  return torchada::get_attribute(
      {"cublasLtMatmulDescGetAttribute", "mublasLtMatmulDescGetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatmulDescAttributes_t), mublasLtMatmulDescGetAttribute,
      description, attribute, buffer, size, written);
}

extern "C" int torchada_adapter_cublasLtMatrixLayoutSetAttribute(void* layout, int attribute,
                                                                 const void* buffer, size_t size) {
  return torchada::set_attribute(
      {"cublasLtMatrixLayoutSetAttribute", "mublasLtMatrixLayoutSetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatrixLayoutAttribute_t),
      mublasLtMatrixLayoutSetAttribute, layout, attribute, buffer, size);
}

extern "C" int torchada_adapter_cublasLtMatrixLayoutGetAttribute(void* layout, int attribute,
                                                                 void* buffer, size_t size,
                                                                 size_t* written) {
  return torchada::get_attribute(
      {"cublasLtMatrixLayoutGetAttribute", "mublasLtMatrixLayoutGetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatrixLayoutAttribute_t),
      mublasLtMatrixLayoutGetAttribute, layout, attribute, buffer, size, written);
}

extern "C" int torchada_adapter_cublasLtMatmulPreferenceSetAttribute(void* preference,
                                                                     int attribute,
                                                                     const void* buffer,
                                                                     size_t size) {
  return torchada::set_attribute(
      {"cublasLtMatmulPreferenceSetAttribute", "mublasLtMatmulPreferenceSetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatmulPreferenceAttributes_t),
      mublasLtMatmulPreferenceSetAttribute, preference, attribute, buffer, size);
}

extern "C" int torchada_adapter_cublasLtMatrixTransformDescSetAttribute(void* description,
                                                                        int attribute,
                                                                        const void* buffer,
                                                                        size_t size) {
  return torchada::set_attribute(
      {"cublasLtMatrixTransformDescSetAttribute", "mublasLtMatrixTransformDescSetAttribute"},
      list_of(torchada::kAttributes_cublasLtMatrixTransformDescAttributes_t),
      mublasLtMatrixTransformDescSetAttribute, description, attribute, buffer, size);
}
