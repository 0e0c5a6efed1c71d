#include "musa_runtime_api.h"

struct musaChannelFormatDesc musaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum musaChannelFormatKind f) {
  return {x, y, z, w, f};
}
