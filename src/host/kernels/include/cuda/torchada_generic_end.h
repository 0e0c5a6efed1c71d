#pragma pop_macro("NV_PROVIDES_SM_80")
#pragma pop_macro("NV_PROVIDES_SM_90")
