// CCCL's branches for devices before 8.0, whose own are PTX. Until torchada_generic_end.h.
#include <nv/target>
#pragma push_macro("NV_PROVIDES_SM_80")
#pragma push_macro("NV_PROVIDES_SM_90")
#undef NV_PROVIDES_SM_80
#undef NV_PROVIDES_SM_90
#define NV_PROVIDES_SM_80 NV_NO_TARGET
#define NV_PROVIDES_SM_90 NV_NO_TARGET
