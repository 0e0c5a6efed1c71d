// The driver's struct for copies of boxes, in the runtime's terms and back.
#pragma once

#include "musa.h"
#include "musa_runtime_api.h"

namespace musa {

// musaErrorInvalidValue if the parameters are null or no copy could have them, or an offset or
// width is not that of whole elements of an array. Pitches and heights of 0 fit the box.
musaError_t runtime_box(const MUSA_MEMCPY3D* box, musaMemcpy3DParms* params);
MUSA_MEMCPY3D driver_box(const musaMemcpy3DParms& params);
// A plane as a box of one slice.
MUSA_MEMCPY3D box_of(const MUSA_MEMCPY2D& plane);

}  // namespace musa
