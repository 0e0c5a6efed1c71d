"""verify on trees that do one thing wrong: it must find and name each fault."""
import fnmatch
import os
import re
import subprocess
import sys

import support


class Spoilt(support.VerifyTest):
    def finds(self, library, what, named, sdk="5.2", others=(), only=None, **environment):
        """`named` lists what must be contradicted; `others` may be contradicted too."""
        only = only or ONLY[library]
        root = self.copy_of(sdk, [library])
        run, report = support.verify(root, "--only=" + only, SPOILT=what,
                                     **environment)
        self.assertEqual(1, run.status, str(run))
        found = report.of("contradicted")
        self.assertEqual(set(named), found - set(others), str(run))
        for id in named:
            self.assertIn("contradicted " + id, run.stdout)
            self.assertIn(report.results[id]["place"], run.stdout)
        return run, report

    def test_what_poses_is_otherwise_right(self):
        for sdk in ("4.3", "5.2"):
            run, report = support.verify(self.copy_of(sdk, LIBRARIES), SPOILT="nothing")
            self.assertEqual(set(), report.of("contradicted"), str(run))
            self.assertEqual(0, run.status, str(run))

    # ---- compiling at run time
    def test_text_of_a_result(self):
        self.finds("mtrtc", "error_text", ["prototype:mtrtc/mtrtcGetErrorString@>=5.2"])

    def test_version_of_the_compiler(self):
        self.finds("mtrtc", "version_in_one_number", ["prototype:mtrtc/mtrtcVersion@>=5.2"])

    def test_headers_in_memory(self):
        self.finds("mtrtc", "header_arguments", ["prototype:mtrtc/mtrtcCreateProgram@>=5.2"])

    def test_handle_of_a_destroyed_program(self):
        self.finds("mtrtc", "kept_handle", ["prototype:mtrtc/mtrtcDestroyProgram@>=5.2"])

    def test_late_expression(self):
        self.finds("mtrtc", "late_expression",
                   ["value:mtrtc/mtrtcResult/MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION"])

    def test_lowered_name(self):
        self.finds("mtrtc", "plain_name", ["prototype:mtrtc/mtrtcAddNameExpression@>=5.2",
                                           "prototype:mtrtc/mtrtcGetLoweredName@>=5.2"])

    def test_options_of_the_compiler(self):
        self.finds("mtrtc", "options_dropped", ["prototype:mtrtc/mtrtcCompileProgram@>=5.2"],
                   others=["value:mtrtc/mtrtcResult/MTRTC_ERROR_INVALID_OPTION"])

    def test_status_of_a_source_with_an_error(self):
        self.finds("mtrtc", "compilation_status", ["value:mtrtc/mtrtcResult/MTRTC_ERROR_COMPILATION"])

    def test_bytes_of_an_image(self):
        self.finds("mtrtc", "image_with_zero", ["prototype:mtrtc/mtrtcGetMUSA@>=5.2",
                                                "prototype:mtrtc/mtrtcGetMUSASize@>=5.2"])

    def test_bytes_of_a_log(self):
        self.finds("mtrtc", "log_without_zero", ["prototype:mtrtc/mtrtcGetProgramLog@>=5.2",
                                                 "prototype:mtrtc/mtrtcGetProgramLogSize@>=5.2"])

    def test_prefetching(self):
        self.finds("musart", "prefetch_arguments", ["prototype:musart/musaMemPrefetchAsync"])

    def test_profiler(self):
        self.finds("musart", "profiler", ["prototype:musart/musaProfilerStart"])

    # ---- numbers of enumerators
    def test_device_attribute(self):
        self.finds("musart", "attribute", ["value:musart/musaDeviceAttr/musaDevAttrWarpSize@<5.0",
                                           "field:musart/musaDeviceProp/warpSize@>=4.3"], "4.3")

    def test_error_code(self):
        self.finds("musart", "error",
                   ["value:musart/musaError_t/musaErrorInvalidResourceHandle@>=5.0"])

    def test_memcpy_kinds(self):
        # All libraries copy, and none is blamed.
        self.finds("musart", "kind", ["value:musart/musaMemcpyKind/musaMemcpyHostToDevice",
                                      "value:musart/musaMemcpyKind/musaMemcpyDeviceToHost"], only="*")

    def test_blas_operation(self):
        self.finds("mublas", "operation", ["value:mublas/mublasOperation_t/MUBLAS_OP_T"])

    def test_blas_fill_modes(self):
        self.finds("mublas", "fill", ["value:mublas/mublasFillMode_t/MUBLAS_FILL_MODE_UPPER",
                                      "value:mublas/mublasFillMode_t/MUBLAS_FILL_MODE_LOWER"])

    def test_generator(self):
        self.finds("murand", "generator", ["value:murand/murandRngType_t/MURAND_RNG_PSEUDO_MRG32K3A"])

    def test_reduction(self):
        self.finds("mccl", "operator", ["value:mccl/mcclRedOp_t/mcclMax"],
                   TORCHADA_HOST_DEVICES="2")
        self.finds("mccl", "type", ["value:mccl/mcclDataType_t/mcclBfloat16@>=5.1"],
                   TORCHADA_HOST_DEVICES="2")

    def test_reduction_in_eight_bits(self):
        self.finds("mccl", "eight_bits", ["value:mccl/mcclDataType_t/mcclFp8E4M3@>=5.1"], TORCHADA_HOST_DEVICES="2")

    # ---- structs
    def test_parameters_of_a_node(self):
        names = ["dst", "pitch", "value", "elementSize", "width", "height"]
        self.finds("musart", "memset_params", ["size:musart/musaMemsetParams",
                                               "prototype:musart/musaGraphAddMemsetNode",
                                               *("field:musart/musaMemsetParams/" + name for name in names)])

    def test_identifier_longer(self):
        self.finds("mccl", "long_id", ["size:mccl/mcclUniqueId"])

    def test_properties_shorter(self):
        # As long as before SDK 4.3.
        names = ["hostRegisterSupported", "hostRegisterReadOnlySupported", "memoryPoolsSupported",
                 "gpuDirectRDMASupported", "gpuDirectRDMAFlushWritesOptions", "gpuDirectRDMAWritesOrdering",
                 "memoryPoolSupportedHandleTypes", "sparseMusaArraySupported"]
        attributes = [name[0].upper() + name[1:] if name[0] != "g" else "GPU" + name[3:] for name in names]
        self.finds("musart", "short_properties", ["size:musart/musaDeviceProp@>=4.3"], "4.3",
                   only="layouts.*",
                   others=["field:musart/musaDeviceProp/%s@>=4.3" % name
                           for name in [*names, "timelineSemaphoreInteropSupported"]] +
                   ["value:musart/musaDeviceAttr/musaDevAttr%s@<5.0" % name
                    for name in [*attributes, "MaxTimelineSemaphoreInteropSupported"]])

    def test_properties_longer(self):
        _, report = self.finds("musart", "long_properties", ["size:musart/musaDeviceProp@>=4.3"],
                               "4.3")
        item = report.results["size:musart/musaDeviceProp@>=4.3"]
        self.assertEqual(("1032 bytes", "1048 bytes were written"),
                         (item["expected"], item["found"]))

    def test_members_moved(self):
        self.finds("musart", "member",
                   ["field:musart/musaDeviceProp/warpSize@>=4.3",
                    "field:musart/musaDeviceProp/memPitch@>=4.3"], "4.3",
                   others=["value:musart/musaDeviceAttr/musaDevAttrWarpSize@<5.0",
                           "value:musart/musaDeviceAttr/musaDevAttrMaxPitch@<5.0"])

    def test_pointer_attributes_of_unknown_size(self):
        # Nothing public tells the size between 3.1 and 5.2, so the report says how far MUSA wrote.
        for fault, written in (("nothing", 24), ("long_pointer_attributes", 32)):
            _, report = support.verify(self.copy_of("4.3", ["musart"]), "--only=memory.*", SPOILT=fault)
            item = report.results["size:musart/musaPointerAttributes@>=4.0 <5.2"]
            self.assertEqual("the tables do not know its size; %d bytes were written" % written, item["found"])

    def test_pointer_attributes_longer(self):
        _, report = self.finds("musart", "long_pointer_attributes", ["size:musart/musaPointerAttributes@>=5.2"])
        item = report.results["size:musart/musaPointerAttributes@>=5.2"]
        self.assertEqual(("88 bytes", "96 bytes were written"), (item["expected"], item["found"]))

    # ---- arguments
    def test_wider_result(self):
        _, report = self.finds("musart", "count_of_64_bits", ["prototype:musart/musaGetDeviceCount"])
        self.assertEqual("8 bytes written",
                         report.results["prototype:musart/musaGetDeviceCount"]["found"])

    def test_arguments_in_another_order(self):
        self.finds("musart", "memset_arguments", ["prototype:musart/musaMemset"])

    def test_blas_arguments_in_another_order(self):
        self.finds("mublas", "gemm_arguments", ["prototype:mublas/mublasSgemm"])

    def test_lt_arguments_in_another_order(self):
        # A wrong product may come from any of the calls that prepared it.
        self.finds("mublasLt", "matmul_arguments", ["prototype:mublasLt/mublasLtMatmul@>=4.3"],
                   others=["prototype:mublasLt/mublasLt%s@>=4.3" % name
                           for name in ("Create", "MatmulDescCreate", "MatrixLayoutCreate")])

    def test_wider_argument(self):
        self.finds("mublas", "wide_count", ["prototype:mublas/mublasSaxpy"])

    def test_random_arguments_in_another_order(self):
        self.finds("murand", "normal_arguments", ["prototype:murand/murandGenerateNormal"])

    # ---- the driver
    def test_each_fault_of_the_driver(self):
        for fault, (probe, named, others) in DRIVER.items():
            with self.subTest(fault):
                self.finds_of_driver("musa", fault, probe, named, others)

    def test_each_fault_of_management(self):
        for fault, (probe, named, others) in MANAGEMENT.items():
            with self.subTest(fault):
                self.finds_of_driver("mtml", fault, probe, named, others)

    def test_every_probe_of_management_has_a_fault(self):
        run = support.Run(support.TORCHADA, "verify", "--only=nothing", "--musa-root=" + support.tree("5.2"))
        probes = set(re.findall(r" (management\.\w+)", run.stderr))
        self.assertGreaterEqual(len(probes), 16)
        self.assertEqual(probes, {probe for probe, _, _ in MANAGEMENT.values()})

    def finds_of_driver(self, library, fault, probe, named, others):
        """Ids are given without library and SDK; `others` are patterns."""
        run, report = support.verify(self.copy_of("5.2", [library]), "--only=" + probe, SPOILT=fault)
        self.assertEqual(1, run.status, str(run))
        found = {re.sub(library + r"/|@.*", "", id) for id in report.of("contradicted")}
        self.assertLessEqual(set(named), found, str(run))
        self.assertEqual([], [id for id in found - set(named)
                              if not any(fnmatch.fnmatch(id, pattern) for pattern in others)], str(run))

    def test_every_probe_of_the_driver_has_a_fault(self):
        run = support.Run(support.TORCHADA, "verify", "--only=nothing", "--musa-root=" + support.tree("5.2"))
        probes = set(re.findall(r" (driver[_a-z]*\.\w+)", run.stderr))
        self.assertGreaterEqual(len(probes), 44)
        self.assertEqual(probes, {probe for probe, _, _ in DRIVER.values()})

    def test_each_fault_of_the_runtime(self):
        for fault, (probe, named, others) in RUNTIME.items():
            with self.subTest(fault):
                self.finds_of_driver("musart", fault, probe, named, others)

    def test_handles_for_other_machines(self):
        """The stand-in has none. Where a device has them, their size and number are decided."""
        size = "size:musa/MUmemFabricHandle@>=5.2"
        attribute = "value:musa/MUdevice_attribute/MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED@>=4.0"
        number = "value:musa/MUmemAllocationHandleType/MU_MEM_HANDLE_TYPE_FABRIC@>=4.0"
        for fault, results in (("nothing", ["not probed"] * 3), ("no_fabric", ["not probed"] * 3),
                               ("fabric", ["confirmed"] * 3),
                               ("long_fabric", ["contradicted", "confirmed", "confirmed"]),
                               ("silent_fabric", ["not probed", "contradicted", "not probed"])):
            with self.subTest(fault):
                _, report = support.verify(self.copy_of("5.2", ["musa"]), "--only=driver_sharing.fabric", SPOILT=fault)
                self.assertEqual(results, [report.results[id]["result"] for id in (size, attribute, number)])
                if fault == "long_fabric":
                    self.assertEqual("136 bytes were written", report.results[size]["found"])

    # ---- behaviour that programs count on
    def test_each_fault_of_behaviour(self):
        for fault, (library, probe, named, others) in BEHAVIOUR.items():
            with self.subTest(fault):
                self.finds(library, fault, ["quirk:" + name for name in named], only=probe,
                           others=["quirk:" + name for name in others], TORCHADA_HOST_DEVICES="2")

    def test_every_probe_of_behaviour_has_a_fault(self):
        run = support.Run(support.TORCHADA, "verify", "--only=nothing", "--musa-root=" + support.tree("5.2"))
        probes = set(re.findall(r" (behaviour\.\w+)", run.stderr)) | {"quirks.devices"}
        self.assertGreaterEqual(len(probes), 12)
        self.assertEqual(probes, {probe for _, probe, _, _ in BEHAVIOUR.values()})

    def test_what_was_seen_before_is_told(self):
        run, report = self.finds("mublas", "algorithm", ["quirk:tensor_op_algorithm_takes_every_type"],
                                 only="behaviour.algorithms")
        found = report.results["quirk:tensor_op_algorithm_takes_every_type"]["found"]
        self.assertIn("MUSA_R_16F: 0 works, 1 status 2, MUSA_R_16BF: 0 works, 1 works", found)
        self.assertIn("seen before: llaisys says that F16 has no such product", run.stdout)

    def test_a_warp_of_128(self):
        """What a device of mp_21 says is right."""
        run, report = support.verify(self.copy_of("5.2", ["musart"]), "--only=quirks.devices", SPOILT="mp_21")
        self.assertEqual(0, run.status, str(run))
        item = report.results["quirk:warp_size_follows_the_architecture"]
        self.assertEqual(("confirmed", "mp_21 with 128"), (item["result"], item["found"]))

    def test_how_many_executables_are_taken(self):
        _, report = support.verify(self.copy_of("5.2", ["musart"]), "--only=behaviour.many_executables",
                                   SPOILT="executables")
        self.assertRegex(report.results["quirk:many_executables_live"]["found"],
                         r"\A2042 executables, then status 700; seen before: an MTT S5000 .* about 2043")

    def test_one_device_decides_nothing_about_two(self):
        _, report = support.verify(self.copy_of("5.2"), "--only=behaviour.*", TORCHADA_HOST_DEVICES="1")
        for name in ("peer_copy_needs_no_peer_access", "memory_of_another_process_opens_on_any_device"):
            item = report.results["quirk:" + name]
            self.assertEqual(("not probed", "this machine has one device"), (item["result"], item["found"]))

    # ---- symbols
    def test_missing_symbols(self):
        for library, name in MISSING.items():
            with self.subTest(name):
                root = self.copy_of("5.2")
                path = os.path.join(root, "lib", "lib" + library + ".so")
                real = os.path.realpath(path)
                for link in os.listdir(os.path.dirname(path)):
                    if link.startswith("lib" + library + ".so"):
                        os.unlink(os.path.join(root, "lib", link))
                soname = os.path.join(root, "lib", os.path.basename(real).split(".so")[0] + ".so." +
                                      os.path.basename(real).split(".so.")[1].split(".")[0])
                subprocess.run([sys.executable, "-B", support.HIDE_NAMES, real, soname, name],
                               check=True)
                os.symlink(soname, path)
                run, report = support.verify(root, "--only=symbols.*")
                self.assertEqual(1, run.status, str(run))
                self.assertEqual(["symbol:%s/%s" % (library, name)],
                                 [id.split("@")[0] for id in report.of("contradicted")])
                self.assertIn("contradicted symbol:%s/%s" % (library, name), run.stdout)

    # ---- the worst
    def test_crash(self):
        run, report = self.finds("musart", "crash", ["prototype:musart/musaMemGetInfo"],
                                 only="memory.*")
        self.assertIn("was killed by signal 11 (Segmentation fault) in this call",
                      report.results["prototype:musart/musaMemGetInfo"]["found"])
        self.assertIn("broken probe memory.info", run.stdout)
        self.assertIn("prototype:musart/musaMemset", report.of("confirmed"))

    def test_hang(self):
        root = self.copy_of("5.2", ["musart"])
        run, report = support.verify(root, "--only=memory.*", "--timeout=1", SPOILT="hang")
        self.assertEqual(1, run.status, str(run))
        self.assertEqual({"prototype:musart/musaMemGetInfo"}, report.of("contradicted"))
        self.assertIn("did not answer within 1 seconds in this call",
                      report.results["prototype:musart/musaMemGetInfo"]["found"])

    def test_exit(self):
        self.finds("musart", "exit", ["prototype:musart/musaMemGetInfo"], only="memory.*")


# Faults of the runtime that one probe is made for; as those of the driver.
RUNTIME = {
    "long_parameters": ("graphs.parameters", ["size:musaMemsetParams"], []),
    "configuration": ("launches.configuration",
                      ["prototype:__musaPushCallConfiguration", "prototype:__musaPopCallConfiguration",
                       "field:dim3/x", "field:dim3/y", "field:dim3/z"], []),
    "long_dimensions": ("launches.configuration", ["size:dim3"], []),
    "graph_memory": ("graphs.memory", ["prototype:musaDeviceGetGraphMemAttribute"], []),
    "array": ("layouts.array", ["prototype:musaArrayGetInfo"], []),
}
# Faults of the driver: the probe that must find each, what it must name, and what may be named too.
DRIVER = {
    "early": ("driver.start", ["value:MUresult/MUSA_ERROR_NOT_INITIALIZED"], []),
    "name": ("driver.error_names", ["value:MUresult/MUSA_ERROR_NOT_FOUND"], []),
    "entry": ("driver.entry_points", ["prototype:muGetProcAddress"], []),
    "ordinal": ("driver.device", ["prototype:muDeviceGet"], []),
    "long_uuid": ("driver.device", ["size:MUuuid"], []),
    "attribute": ("driver.attributes", ["value:MUdevice_attribute/MU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z"], []),
    "property": ("driver.properties", ["field:MUdevprop/SIMDWidth"], []),
    "primary_flags": ("driver.primary_context", ["prototype:muDevicePrimaryCtxSetFlags_v2"], []),
    "push": ("driver.contexts", ["prototype:muCtxPushCurrent_v2", "prototype:muCtxPopCurrent_v2"], []),
    "limit": ("driver.limits", ["prototype:muCtxSetLimit", "prototype:muCtxGetLimit"], []),
    "priorities": ("driver.settings", ["prototype:muCtxGetStreamPriorityRange"], []),
    "image": ("driver.images", ["prototype:muModuleLoadData"], []),
    "file": ("driver.images", ["value:MUresult/MUSA_ERROR_FILE_NOT_FOUND"], []),
    "range": ("driver_memory.round_trip", ["prototype:muMemGetAddressRange_v2"], []),
    "copy_arguments": ("driver_memory.round_trip", ["prototype:muMemcpyDtoD_v2"], []),
    "info": ("driver_memory.info", ["prototype:muMemGetInfo_v2"], []),
    "async": ("driver_memory.async", ["prototype:muMemcpyDtoDAsync_v2"],
              ["prototype:muMemcpy*Async_v2", "prototype:muStreamSynchronize"]),
    "fill": ("driver_memory.fills", ["prototype:muMemsetD16_v2"], []),
    "fill_2d": ("driver_memory.fills_2d", ["prototype:muMemsetD2D32Async"], []),
    "copy_2d": ("driver_memory.copies_2d", ["prototype:muMemcpy2D_v2", "field:MUSA_MEMCPY2D/dstXInBytes"],
                ["*:MUSA_MEMCPY2D*"]),
    "copy_3d": ("driver_memory.copies_3d", ["prototype:muMemcpy3D_v2", "field:MUSA_MEMCPY3D/Depth"],
                ["*:MUSA_MEMCPY3D*"]),
    "pitch": ("driver_memory.pitch", ["prototype:muMemAllocPitch_v2"], []),
    "host_flags": ("driver_memory.host", ["prototype:muMemHostAlloc", "prototype:muMemHostGetFlags"], []),
    "pointer": ("driver_memory.pointers", ["value:MUpointer_attribute/MU_POINTER_ATTRIBUTE_RANGE_SIZE"], []),
    "memory_type": ("driver_memory.pointers",
                    ["value:MUmemorytype/MU_MEMORYTYPE_DEVICE", "value:MUmemorytype/MU_MEMORYTYPE_HOST",
                     "value:MUpointer_attribute/MU_POINTER_ATTRIBUTE_MEMORY_TYPE"], []),
    "advice": ("driver_memory.managed",
               ["value:MUmem_advise/MU_MEM_ADVISE_SET_READ_MOSTLY",
                "value:MUmem_advise/MU_MEM_ADVISE_UNSET_READ_MOSTLY",
                "value:MUmem_range_attribute/MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY"],
               ["prototype:muMemAdvise", "prototype:muMemRangeGetAttribute"]),
    "array": ("driver_memory.arrays", ["field:MUSA_ARRAY_DESCRIPTOR/Width"],
              ["*:MUSA_ARRAY_DESCRIPTOR*", "prototype:muArrayCreate_v2", "prototype:muArrayGetDescriptor_v2"]),
    "map": ("driver_sharing.virtual_memory", ["prototype:muMemMap"],
            ["prototype:muMemCreate", "prototype:muMemAddress*", "prototype:muMemSetAccess",
             "prototype:muMemUnmap", "prototype:muMemRelease"]),
    "descriptor": ("driver_sharing.descriptor", ["prototype:muMemExportToShareableHandle"], []),
    "long_memory_handle": ("driver_sharing.ipc_memory", ["size:MUipcMemHandle"], []),
    "open_memory": ("driver_sharing.ipc_memory", ["prototype:muIpcOpenMemHandle_v2"], []),
    "long_event_handle": ("driver_sharing.ipc_events", ["size:MUipcEventHandle"], []),
    "stream_flags": ("driver_work.streams", ["prototype:muStreamCreate", "prototype:muStreamGetFlags"], []),
    "policy": ("driver_work.stream_attributes",
               ["value:MUstreamAttrID/MU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY"], []),
    "elapsed": ("driver_work.events", ["prototype:muEventElapsedTime"], []),
    "callback": ("driver_work.host_functions", ["prototype:muStreamAddCallback"], []),
    "wait": ("driver_work.waiting", ["prototype:muStreamWaitEvent"], []),
    "capture": ("driver_work.capture", ["prototype:muStreamEndCapture"],
                ["prototype:muStreamBeginCapture_v2", "prototype:muGraphGetNodes", "prototype:muGraphLaunch",
                 "prototype:muMemsetD8Async"]),
    "node_type": ("driver_work.nodes", ["value:MUgraphNodeType/MU_GRAPH_NODE_TYPE_HOST"], []),
    "memset_node": ("driver_work.nodes", ["prototype:muGraphAddMemsetNode",
                                          "field:MUSA_MEMSET_NODE_PARAMS/elementSize"],
                    ["*:MUSA_MEMSET_NODE_PARAMS*"]),
    "edges": ("driver_work.edges", ["prototype:muGraphGetEdges"], []),
    "child": ("driver_work.child_graphs", ["prototype:muGraphChildGraphNodeGetGraph"], []),
    "event_node": ("driver_work.event_nodes",
                   ["prototype:muGraphAddEventWaitNode", "prototype:muGraphEventWaitNodeGetEvent",
                    "prototype:muGraphEventWaitNodeSetEvent"], []),
    "exec_copy": ("driver_work.copy_nodes", ["prototype:muGraphExecMemcpyNodeSetParams"], []),
    "update": ("driver_work.updates", ["value:MUgraphExecUpdateResult/MU_GRAPH_EXEC_UPDATE_SUCCESS"], []),
    "memory_node": ("driver_work.memory_nodes", ["prototype:muGraphAddMemAllocNode"], []),
    "peer": ("driver_memory.peers", ["prototype:muMemcpyPeer"], []),
    "batch": ("driver_memory.batch", ["prototype:muMemoryTransferBatchAsync"], []),
    "silent_fabric": ("driver_sharing.fabric",
                      ["value:MUdevice_attribute/MU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED"], []),
    "long_stream_attribute": ("driver_work.stream_attributes", ["size:MUstreamAttrValue"], []),
    "level": ("driver_memory.mipmaps", ["prototype:muMipmappedArrayCreate",
                                        "prototype:muMipmappedArrayGetLevel"], []),
    "texture": ("driver_memory.objects", ["field:MUSA_TEXTURE_DESC/maxAnisotropy"],
                ["*:MUSA_TEXTURE_DESC*", "prototype:muTexObjectGetTextureDesc"]),
    "surface": ("driver_memory.objects", ["prototype:muSurfObjectGetResourceDesc"],
                ["*:MUSA_RESOURCE_DESC*", "prototype:muSurfObjectCreate"]),
}
# The same of the management library.
MANAGEMENT = {
    "version": ("management.library", ["prototype:mtmlLibraryGetVersion"], []),
    "closing": ("management.closing", ["prototype:mtmlLibraryShutDown"], []),
    "driver_version": ("management.system", ["prototype:mtmlSystemGetDriverVersion"], []),
    "count": ("management.count", ["prototype:mtmlLibraryCountDevice"], []),
    "index": ("management.index", ["prototype:mtmlLibraryInitDeviceByIndex", "prototype:mtmlDeviceGetIndex"], []),
    "name": ("management.name", ["prototype:mtmlDeviceGetName"], []),
    "uuid": ("management.uuid", ["prototype:mtmlLibraryInitDeviceByUuid"], []),
    "pci": ("management.pci", ["field:MtmlPciInfo/segment"], []),
    "long_property": ("management.property", ["size:MtmlDeviceProperty"], []),
    "long_log": ("management.structs", ["size:MtmlLogConfiguration"], []),
    "total": ("management.memory", ["prototype:mtmlMemoryGetTotal", "prototype:mtmlDeviceInitMemory"], []),
    "used": ("management.memory_in_use", ["prototype:mtmlMemoryGetUsed"], []),
    "utilization": ("management.utilization",
                    ["prototype:mtmlGpuGetUtilization", "prototype:mtmlDeviceInitGpu"], []),
    "topology": ("management.topology", ["value:MtmlDeviceTopologyLevel/MTML_TOPOLOGY_INTERNAL"], []),
    "argument": ("management.statuses", ["value:MtmlReturn/MTML_ERROR_INVALID_ARGUMENT"], []),
    "size": ("management.statuses", ["value:MtmlReturn/MTML_ERROR_INSUFFICIENT_SIZE"], []),
    "found": ("management.statuses", ["value:MtmlReturn/MTML_ERROR_NOT_FOUND"], []),
    "text": ("management.error_texts", ["prototype:mtmlErrorString"], []),
}
# Faults of behaviour: the library that has each, the probe that must find it, what the probe must name, and
# what it may name too.
BEHAVIOUR = {
    "warp": ("musart", "quirks.devices", ["warp_size_follows_the_architecture"], []),
    "capability": ("musart", "quirks.devices", ["capability_is_the_architecture"],
                   ["warp_size_follows_the_architecture"]),
    "algorithm": ("mublas", "behaviour.algorithms", ["tensor_op_algorithm_takes_every_type"], []),
    "pending": ("mublas", "behaviour.pending_error", ["success_leaves_no_error"], []),
    "executables": ("musart", "behaviour.many_executables", ["many_executables_live"], []),
    "waiting": ("musart", "behaviour.waiting_in_capture", ["waiting_in_capture_returns"], []),
    "graph": ("musart", "behaviour.destroyed_graph", ["executable_outlives_its_graph"], []),
    "later_attributes": ("musart", "behaviour.later_attributes", ["later_attributes_are_refused"], []),
    "ipc": ("musart", "behaviour.ipc_device", ["memory_of_another_process_opens_on_any_device"], []),
    "peer": ("musart", "behaviour.peer_copy", ["peer_copy_needs_no_peer_access"], []),
    "legacy": ("musart", "behaviour.default_streams", ["handle_1_is_the_legacy_stream"], []),
    "own_stream": ("musart", "behaviour.default_streams", ["handle_2_is_the_threads_own_stream"], []),
    "order": ("musart", "behaviour.default_streams", ["legacy_stream_waits_for_other_streams"], []),
    "narrow": ("musart", "behaviour.narrow_rows", ["narrow_rows_are_copied"], []),
    "uuid": ("musart", "behaviour.identity", ["devices_have_a_uuid"], []),
    "numbers": ("mtml", "behaviour.device_numbers", ["mtml_numbers_devices_as_musa"], []),
}
# One symbol of each library that is known by evidence.
MISSING = {"musart": "musaMallocPitch", "mublas": "mublasSgemm", "mublasLt": "mublasLtMatmul",
           "murand": "murandGenerateUniform", "mccl": "mcclAllReduce"}
# For the other libraries only their own probes, and for the runtime not those of libraries that use
# it: which gives the same result faster.
ONLY = {"musart": "[!bcr]*", "mublas": "blas.*", "mublasLt": "blas_lt.*", "murand": "random.*",
        "mccl": "collectives.*", "musa": "driver*", "mtml": "management.*", "mtrtc": "compiling.*"}
LIBRARIES = list(ONLY)

if __name__ == "__main__":
    support.main()
