// A destructor that does nothing, so that a barrier can be shared.
#pragma once
#include <nv/target>
#pragma push_macro("_NV_BLOCK_EXPAND")
#undef _NV_BLOCK_EXPAND
#define _NV_BLOCK_EXPAND(...) _NV_REMOVE_PAREN(__VA_ARGS__)
#include_next <cuda/__barrier/barrier_block_scope.h>
#pragma pop_macro("_NV_BLOCK_EXPAND")
