// What has no attribute in the program is device code: NVRTC's --device-as-default-execution-space.
#ifdef TORCHADA_PARSE
#pragma clang force_cuda_host_device begin
#endif
