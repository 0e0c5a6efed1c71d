// What libmusart asks of libmusa: the operations of the driver, with the arguments and answers of
// the runtime's functions of the same names.
//
// Each returns its status and leaves the thread's last error alone, which only a runtime has. No
// exception leaves any of them: the two libraries contain a C++ runtime each.
#ifndef TORCHADA_HOST_MUSA_OPERATIONS_H_
#define TORCHADA_HOST_MUSA_OPERATIONS_H_

#include "musa_runtime_api.h"

#pragma GCC visibility push(default)

namespace musa {

// Devices.
decltype(::musaGetDeviceCount) get_device_count;
decltype(::musaGetDevice) get_device;
decltype(::musaSetDevice) set_device;
decltype(::musaInitDevice) init_device;
decltype(::musaDeviceGetAttribute) device_get_attribute;
decltype(::musaGetDeviceProperties) get_device_properties;
decltype(::musaGetDeviceProperties_v2) get_device_properties_v2;
decltype(::musaChooseDevice) choose_device;
decltype(::musaSetValidDevices) set_valid_devices;
decltype(::musaDeviceSynchronize) device_synchronize;
decltype(::musaDeviceReset) device_reset;
decltype(::musaDeviceGetStreamPriorityRange) device_get_stream_priority_range;
decltype(::musaDeviceGetLimit) device_get_limit;
decltype(::musaDeviceSetLimit) device_set_limit;
decltype(::musaDeviceGetCacheConfig) device_get_cache_config;
decltype(::musaDeviceSetCacheConfig) device_set_cache_config;
decltype(::musaDeviceGetSharedMemConfig) device_get_shared_mem_config;
decltype(::musaDeviceSetSharedMemConfig) device_set_shared_mem_config;
decltype(::musaGetDeviceFlags) get_device_flags;
decltype(::musaSetDeviceFlags) set_device_flags;
decltype(::musaDeviceGetPCIBusId) device_get_pci_bus_id;
decltype(::musaDeviceGetByPCIBusId) device_get_by_pci_bus_id;
decltype(::musaDeviceCanAccessPeer) device_can_access_peer;
decltype(::musaDeviceEnablePeerAccess) device_enable_peer_access;
decltype(::musaDeviceDisablePeerAccess) device_disable_peer_access;
decltype(::musaDeviceGetP2PAttribute) device_get_p2p_attribute;
decltype(::musaDeviceGetTexture1DLinearMaxWidth) device_get_texture_1d_linear_max_width;
decltype(::musaDeviceFlushGPUDirectRDMAWrites) device_flush_gpu_direct_rdma_writes;
decltype(::musaDeviceRegisterAsyncNotification) device_register_async_notification;
decltype(::musaDeviceUnregisterAsyncNotification) device_unregister_async_notification;
decltype(::musaCtxResetPersistingL2Cache) ctx_reset_persisting_l2_cache;
decltype(::musaProfilerStart) profiler_start;
decltype(::musaProfilerStop) profiler_stop;

// Memory.
decltype(::musaMalloc) malloc;
decltype(::musaFree) free;
decltype(::musaMallocHost) malloc_host;
decltype(::musaHostAlloc) host_alloc;
decltype(::musaFreeHost) free_host;
decltype(::musaHostRegister) host_register;
decltype(::musaHostUnregister) host_unregister;
decltype(::musaHostGetDevicePointer) host_get_device_pointer;
decltype(::musaHostGetFlags) host_get_flags;
decltype(::musaMallocManaged) malloc_managed;
decltype(::musaMallocPitch) malloc_pitch;
decltype(::musaMalloc3D) malloc_3d;
decltype(::musaMemGetInfo) mem_get_info;
decltype(::musaPointerGetAttributes) pointer_get_attributes;
decltype(::musaMemPrefetchAsync) mem_prefetch_async;
decltype(::musaMemAdvise) mem_advise;
decltype(::musaMemRangeGetAttribute) mem_range_get_attribute;
decltype(::musaMemPrefetchAsync_v2) mem_prefetch_async_v2;
decltype(::musaMemAdvise_v2) mem_advise_v2;
decltype(::musaMemRangeGetAttributes) mem_range_get_attributes;

// Arrays.
decltype(::musaMallocArray) malloc_array;
decltype(::musaMalloc3DArray) malloc_3d_array;
decltype(::musaFreeArray) free_array;
decltype(::musaMallocMipmappedArray) malloc_mipmapped_array;
decltype(::musaGetMipmappedArrayLevel) get_mipmapped_array_level;
decltype(::musaFreeMipmappedArray) free_mipmapped_array;
decltype(::musaArrayGetInfo) array_get_info;
decltype(::musaGetChannelDesc) get_channel_desc;
decltype(::musaArrayGetPlane) array_get_plane;
decltype(::musaArrayGetMemoryRequirements) array_get_memory_requirements;
decltype(::musaMipmappedArrayGetMemoryRequirements) mipmapped_array_get_memory_requirements;
decltype(::musaArrayGetSparseProperties) array_get_sparse_properties;
decltype(::musaMipmappedArrayGetSparseProperties) mipmapped_array_get_sparse_properties;

decltype(::musaCreateTextureObject) create_texture_object;
decltype(::musaDestroyTextureObject) destroy_texture_object;
decltype(::musaGetTextureObjectResourceDesc) get_texture_object_resource_desc;
decltype(::musaGetTextureObjectTextureDesc) get_texture_object_texture_desc;
decltype(::musaGetTextureObjectResourceViewDesc) get_texture_object_resource_view_desc;

// Stream-ordered memory.
decltype(::musaMallocAsync) malloc_async;
decltype(::musaFreeAsync) free_async;
decltype(::musaMallocFromPoolAsync) malloc_from_pool_async;
decltype(::musaDeviceGetDefaultMemPool) device_get_default_mem_pool;
decltype(::musaDeviceGetMemPool) device_get_mem_pool;
decltype(::musaDeviceSetMemPool) device_set_mem_pool;
decltype(::musaMemPoolCreate) mem_pool_create;
decltype(::musaMemPoolDestroy) mem_pool_destroy;
decltype(::musaMemPoolTrimTo) mem_pool_trim_to;
decltype(::musaMemPoolGetAttribute) mem_pool_get_attribute;
decltype(::musaMemPoolSetAttribute) mem_pool_set_attribute;
decltype(::musaMemPoolGetAccess) mem_pool_get_access;
decltype(::musaMemPoolSetAccess) mem_pool_set_access;
decltype(::musaMemPoolExportToShareableHandle) mem_pool_export_to_shareable_handle;
decltype(::musaMemPoolImportFromShareableHandle) mem_pool_import_from_shareable_handle;
decltype(::musaMemPoolExportPointer) mem_pool_export_pointer;
decltype(::musaMemPoolImportPointer) mem_pool_import_pointer;

// Copies.
decltype(::musaMemcpy) memcpy;
decltype(::musaMemcpyAsync) memcpy_async;
decltype(::musaMemcpy2D) memcpy_2d;
decltype(::musaMemcpy2DAsync) memcpy_2d_async;
decltype(::musaMemcpy3D) memcpy_3d;
decltype(::musaMemcpy3DAsync) memcpy_3d_async;
decltype(::musaMemcpyPeer) memcpy_peer;
decltype(::musaMemcpyPeerAsync) memcpy_peer_async;
decltype(::musaMemcpy3DPeer) memcpy_3d_peer;
decltype(::musaMemcpy3DPeerAsync) memcpy_3d_peer_async;
decltype(::musaMemcpy2DToArray) memcpy_2d_to_array;
decltype(::musaMemcpy2DToArrayAsync) memcpy_2d_to_array_async;
decltype(::musaMemcpy2DFromArray) memcpy_2d_from_array;
decltype(::musaMemcpy2DFromArrayAsync) memcpy_2d_from_array_async;
decltype(::musaMemcpy2DArrayToArray) memcpy_2d_array_to_array;
decltype(::musaMemcpyBatchAsync) memcpy_batch_async;
decltype(::musaMemcpy3DBatchAsync) memcpy_3d_batch_async;
// memcpy_2d_array_to_array in a stream, for which the API has no name.
musaError_t memcpy_2d_array_to_array_async(musaArray_t dst, size_t dst_x, size_t dst_y,
                                           musaArray_const_t src, size_t src_x, size_t src_y,
                                           size_t width, size_t height, musaMemcpyKind kind,
                                           musaStream_t stream);

// Fills.
decltype(::musaMemset) memset;
decltype(::musaMemsetAsync) memset_async;
decltype(::musaMemset2D) memset_2d;
decltype(::musaMemset2DAsync) memset_2d_async;
decltype(::musaMemset3D) memset_3d;
decltype(::musaMemset3DAsync) memset_3d_async;

// Streams.
decltype(::musaStreamCreate) stream_create;
decltype(::musaStreamCreateWithFlags) stream_create_with_flags;
decltype(::musaStreamCreateWithPriority) stream_create_with_priority;
decltype(::musaStreamDestroy) stream_destroy;
decltype(::musaStreamQuery) stream_query;
decltype(::musaStreamSynchronize) stream_synchronize;
decltype(::musaStreamWaitEvent) stream_wait_event;
decltype(::musaStreamGetPriority) stream_get_priority;
decltype(::musaStreamGetFlags) stream_get_flags;
decltype(::musaStreamGetId) stream_get_id;
decltype(::musaStreamGetDevice) stream_get_device;
decltype(::musaStreamGetAttribute) stream_get_attribute;
decltype(::musaStreamSetAttribute) stream_set_attribute;
decltype(::musaStreamCopyAttributes) stream_copy_attributes;
decltype(::musaStreamAddCallback) stream_add_callback;
decltype(::musaLaunchHostFunc) launch_host_func;
decltype(::musaStreamAttachMemAsync) stream_attach_mem_async;
// musaErrorInvalidResourceHandle unless the stream is live.
musaError_t check_stream(musaStream_t stream);

// What a device refuses before it looks at the function.
musaError_t check_launch(dim3 grid, dim3 block, size_t shared_bytes, musaStream_t stream);
musaError_t check_launches(const musaLaunchParams* launches, unsigned int count,
                           unsigned int flags);

// Events.
decltype(::musaEventCreate) event_create;
decltype(::musaEventCreateWithFlags) event_create_with_flags;
decltype(::musaEventDestroy) event_destroy;
decltype(::musaEventRecord) event_record;
decltype(::musaEventRecordWithFlags) event_record_with_flags;
decltype(::musaEventQuery) event_query;
decltype(::musaEventSynchronize) event_synchronize;
decltype(::musaEventElapsedTime) event_elapsed_time;
decltype(::musaEventElapsedTime_v2) event_elapsed_time_v2;

// Sharing with other processes.
decltype(::musaIpcGetMemHandle) ipc_get_mem_handle;
decltype(::musaIpcOpenMemHandle) ipc_open_mem_handle;
decltype(::musaIpcCloseMemHandle) ipc_close_mem_handle;
decltype(::musaIpcGetEventHandle) ipc_get_event_handle;
decltype(::musaIpcOpenEventHandle) ipc_open_event_handle;

// Capture.
decltype(::musaStreamIsCapturing) stream_is_capturing;
decltype(::musaThreadExchangeStreamCaptureMode) thread_exchange_stream_capture_mode;
decltype(::musaStreamGetCaptureInfo_v2) stream_get_capture_info_v2;
decltype(::musaStreamBeginCapture) stream_begin_capture;
decltype(::musaStreamBeginCaptureToGraph) stream_begin_capture_to_graph;
decltype(::musaStreamEndCapture) stream_end_capture;
decltype(::musaStreamGetCaptureInfo_v3) stream_get_capture_info_v3;
decltype(::musaStreamUpdateCaptureDependencies) stream_update_capture_dependencies;
decltype(::musaStreamUpdateCaptureDependencies_v2) stream_update_capture_dependencies_v2;

// Graphs.
decltype(::musaDeviceGetGraphMemAttribute) device_get_graph_mem_attribute;
decltype(::musaDeviceGraphMemTrim) device_graph_mem_trim;
decltype(::musaDeviceSetGraphMemAttribute) device_set_graph_mem_attribute;
decltype(::musaGraphAddChildGraphNode) graph_add_child_graph_node;
decltype(::musaGraphAddDependencies) graph_add_dependencies;
decltype(::musaGraphAddDependencies_v2) graph_add_dependencies_v2;
decltype(::musaGraphAddEmptyNode) graph_add_empty_node;
decltype(::musaGraphAddEventRecordNode) graph_add_event_record_node;
decltype(::musaGraphAddEventWaitNode) graph_add_event_wait_node;
decltype(::musaGraphAddHostNode) graph_add_host_node;
decltype(::musaGraphAddKernelNode) graph_add_kernel_node;
decltype(::musaGraphAddMemAllocNode) graph_add_mem_alloc_node;
decltype(::musaGraphAddMemFreeNode) graph_add_mem_free_node;
decltype(::musaGraphAddMemcpyNode) graph_add_memcpy_node;
decltype(::musaGraphAddMemcpyNode1D) graph_add_memcpy_node_1d;
decltype(::musaGraphAddMemsetNode) graph_add_memset_node;
decltype(::musaGraphChildGraphNodeGetGraph) graph_child_graph_node_get_graph;
decltype(::musaGraphClone) graph_clone;
decltype(::musaGraphCreate) graph_create;
decltype(::musaGraphDebugDotPrint) graph_debug_dot_print;
decltype(::musaGraphDestroy) graph_destroy;
decltype(::musaGraphDestroyNode) graph_destroy_node;
decltype(::musaGraphEventRecordNodeGetEvent) graph_event_record_node_get_event;
decltype(::musaGraphEventRecordNodeSetEvent) graph_event_record_node_set_event;
decltype(::musaGraphEventWaitNodeGetEvent) graph_event_wait_node_get_event;
decltype(::musaGraphEventWaitNodeSetEvent) graph_event_wait_node_set_event;
decltype(::musaGraphExecChildGraphNodeSetParams) graph_exec_child_graph_node_set_params;
decltype(::musaGraphExecDestroy) graph_exec_destroy;
decltype(::musaGraphExecEventRecordNodeSetEvent) graph_exec_event_record_node_set_event;
decltype(::musaGraphExecEventWaitNodeSetEvent) graph_exec_event_wait_node_set_event;
decltype(::musaGraphExecGetFlags) graph_exec_get_flags;
decltype(::musaGraphExecHostNodeSetParams) graph_exec_host_node_set_params;
decltype(::musaGraphExecKernelNodeSetParams) graph_exec_kernel_node_set_params;
decltype(::musaGraphExecMemcpyNodeSetParams) graph_exec_memcpy_node_set_params;
decltype(::musaGraphExecMemcpyNodeSetParams1D) graph_exec_memcpy_node_set_params_1d;
decltype(::musaGraphExecMemsetNodeSetParams) graph_exec_memset_node_set_params;
decltype(::musaGraphGetEdges) graph_get_edges;
decltype(::musaGraphGetEdges_v2) graph_get_edges_v2;
decltype(::musaGraphGetNodes) graph_get_nodes;
decltype(::musaGraphGetRootNodes) graph_get_root_nodes;
decltype(::musaGraphHostNodeGetParams) graph_host_node_get_params;
decltype(::musaGraphHostNodeSetParams) graph_host_node_set_params;
decltype(::musaGraphInstantiateWithFlags) graph_instantiate_with_flags;
decltype(::musaGraphInstantiateWithParams) graph_instantiate_with_params;
decltype(::musaGraphKernelNodeCopyAttributes) graph_kernel_node_copy_attributes;
decltype(::musaGraphKernelNodeGetAttribute) graph_kernel_node_get_attribute;
decltype(::musaGraphKernelNodeGetParams) graph_kernel_node_get_params;
decltype(::musaGraphKernelNodeSetAttribute) graph_kernel_node_set_attribute;
decltype(::musaGraphKernelNodeSetParams) graph_kernel_node_set_params;
decltype(::musaGraphLaunch) graph_launch;
decltype(::musaGraphMemAllocNodeGetParams) graph_mem_alloc_node_get_params;
decltype(::musaGraphMemFreeNodeGetParams) graph_mem_free_node_get_params;
decltype(::musaGraphMemcpyNodeGetParams) graph_memcpy_node_get_params;
decltype(::musaGraphMemcpyNodeSetParams) graph_memcpy_node_set_params;
decltype(::musaGraphMemcpyNodeSetParams1D) graph_memcpy_node_set_params_1d;
decltype(::musaGraphMemsetNodeGetParams) graph_memset_node_get_params;
decltype(::musaGraphMemsetNodeSetParams) graph_memset_node_set_params;
decltype(::musaGraphNodeFindInClone) graph_node_find_in_clone;
decltype(::musaGraphNodeGetDependencies) graph_node_get_dependencies;
decltype(::musaGraphNodeGetDependencies_v2) graph_node_get_dependencies_v2;
decltype(::musaGraphNodeGetDependentNodes) graph_node_get_dependent_nodes;
decltype(::musaGraphNodeGetDependentNodes_v2) graph_node_get_dependent_nodes_v2;
decltype(::musaGraphNodeGetEnabled) graph_node_get_enabled;
decltype(::musaGraphNodeGetType) graph_node_get_type;
decltype(::musaGraphNodeSetEnabled) graph_node_set_enabled;
decltype(::musaGraphReleaseUserObject) graph_release_user_object;
decltype(::musaGraphRemoveDependencies) graph_remove_dependencies;
decltype(::musaGraphRemoveDependencies_v2) graph_remove_dependencies_v2;
decltype(::musaGraphRetainUserObject) graph_retain_user_object;
decltype(::musaGraphUpload) graph_upload;
decltype(::musaUserObjectCreate) user_object_create;
decltype(::musaUserObjectRelease) user_object_release;
decltype(::musaUserObjectRetain) user_object_retain;

// SDK 5.0 changed the arguments of the two runtime functions that use these.
struct Instantiation {
  unsigned long long flags = 0;
  musaGraphExec_t exec = nullptr;
  musaGraphNode_t blamed = nullptr;
  musaGraphInstantiateResult result = musaGraphInstantiateError;
};
musaError_t instantiate(musaGraph_t graph, Instantiation* made);

struct Update {
  musaGraphExecUpdateResult result = musaGraphExecUpdateError;
  musaGraphNode_t node = nullptr;
  musaGraphNode_t from = nullptr;
};
musaError_t update_exec(musaGraphExec_t exec, musaGraph_t graph, Update* update);

// Whether work that runs in a stream may use these bytes: they are allocated, or are the program's
// own. If not, the stream's device has met an illegal address, which every wait reports from now
// on.
bool may_use(const void* start, size_t bytes) noexcept;

// What differs between the trees' drivers: the version, and whether musaSetDevice makes a context
// current at once.
int driver_version();
bool set_device_makes_current();

}  // namespace musa

#pragma GCC visibility pop

#endif  // TORCHADA_HOST_MUSA_OPERATIONS_H_
