#include "src/host/musa/operations.h"
#include "src/host/musart/error.h"

using musart::recorded;

musaError_t musaCreateTextureObject(musaTextureObject_t* pTexObject,
                                    const struct musaResourceDesc* pResDesc,
                                    const struct musaTextureDesc* pTexDesc,
                                    const struct musaResourceViewDesc* pResViewDesc) {
  return recorded(musa::create_texture_object(pTexObject, pResDesc, pTexDesc, pResViewDesc));
}

musaError_t musaDestroyTextureObject(musaTextureObject_t texObject) {
  return recorded(musa::destroy_texture_object(texObject));
}

musaError_t musaGetTextureObjectResourceDesc(struct musaResourceDesc* pResDesc,
                                             musaTextureObject_t texObject) {
  return recorded(musa::get_texture_object_resource_desc(pResDesc, texObject));
}

musaError_t musaGetTextureObjectTextureDesc(struct musaTextureDesc* pTexDesc,
                                            musaTextureObject_t texObject) {
  return recorded(musa::get_texture_object_texture_desc(pTexDesc, texObject));
}

musaError_t musaGetTextureObjectResourceViewDesc(struct musaResourceViewDesc* pResViewDesc,
                                                 musaTextureObject_t texObject) {
  return recorded(musa::get_texture_object_resource_view_desc(pResViewDesc, texObject));
}
