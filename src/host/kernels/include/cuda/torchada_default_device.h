// Behind the other headers of ours, for NVRTC's --device-as-default-execution-space: what has no
// attribute is device code. libmtrtc ends both at the end of the source.
#pragma clang force_cuda_host_device begin
#pragma clang attribute push(__attribute__((device)), apply_to = variable(is_global))
