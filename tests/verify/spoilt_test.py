"""verify on trees that do one thing wrong: it must find and name each fault."""
import os
import subprocess
import sys

import support


class Spoilt(support.VerifyTest):
    def finds(self, library, what, named, sdk="5.1", others=(), only=None, **environment):
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
        for sdk in ("4.3", "5.1"):
            run, report = support.verify(self.copy_of(sdk, LIBRARIES), SPOILT="nothing")
            self.assertEqual(set(), report.of("contradicted"), str(run))
            self.assertEqual(0, run.status, str(run))

    # ---- numbers of enumerators
    def test_device_attribute(self):
        self.finds("musart", "attribute", ["value:musart/musaDeviceAttr/musaDevAttrWarpSize@<5.0",
                                           "field:musart/musaDeviceProp/warpSize@<5.0"], "4.3")

    def test_error_code(self):
        self.finds("musart", "error",
                   ["value:musart/musaError_t/musaErrorInvalidResourceHandle@>=5.0"])

    def test_memcpy_kinds(self):
        self.finds("musart", "kind", ["value:musart/musaMemcpyKind/musaMemcpyHostToDevice",
                                      "value:musart/musaMemcpyKind/musaMemcpyDeviceToHost"])

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

    # ---- structs
    def test_identifier_longer(self):
        self.finds("mccl", "long_id", ["size:mccl/mcclUniqueId"])

    def test_properties_shorter(self):
        self.finds("musart", "short_properties", ["size:musart/musaDeviceProp@<5.0"], "4.3",
                   only="layouts.*",
                   others=["field:musart/musaDeviceProp/%s@<5.0" % name for name in (
                       "cooperativeMultiDeviceLaunch", "sharedMemPerBlockOptin",
                       "pageableMemoryAccessUsesHostPageTables", "directManagedMemAccessFromHost",
                       "maxBlocksPerMultiProcessor", "accessPolicyMaxWindowSize",
                       "reservedSharedMemPerBlock")] + [
                           "value:musart/musaDeviceAttr/musaDevAttr%s@<5.0" % name for name in (
                               "MaxSharedMemoryPerBlockOptin", "MaxBlocksPerMultiprocessor",
                               "PageableMemoryAccessUsesHostPageTables",
                               "DirectManagedMemAccessFromHost", "MaxAccessPolicyWindowSize",
                               "ReservedSharedMemoryPerBlock", "CooperativeMultiDeviceLaunch")])

    def test_properties_longer(self):
        _, report = self.finds("musart", "long_properties", ["size:musart/musaDeviceProp@<5.0"],
                               "4.3")
        item = report.results["size:musart/musaDeviceProp@<5.0"]
        self.assertEqual(("728 bytes", "744 bytes were written"),
                         (item["expected"], item["found"]))

    def test_members_moved(self):
        self.finds("musart", "member",
                   ["field:musart/musaDeviceProp/warpSize@<5.0",
                    "field:musart/musaDeviceProp/memPitch@<5.0"], "4.3",
                   others=["value:musart/musaDeviceAttr/musaDevAttrWarpSize@<5.0",
                           "value:musart/musaDeviceAttr/musaDevAttrMaxPitch@<5.0"])

    def test_pointer_attributes_longer(self):
        self.finds("musart", "long_pointer_attributes", ["size:musart/musaPointerAttributes"])

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

    # ---- symbols
    def test_missing_symbols(self):
        for library, name in MISSING.items():
            with self.subTest(name):
                root = self.copy_of("5.1")
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
        root = self.copy_of("5.1", ["musart"])
        run, report = support.verify(root, "--only=memory.*", "--timeout=1", SPOILT="hang")
        self.assertEqual(1, run.status, str(run))
        self.assertEqual({"prototype:musart/musaMemGetInfo"}, report.of("contradicted"))
        self.assertIn("did not answer within 1 seconds in this call",
                      report.results["prototype:musart/musaMemGetInfo"]["found"])

    def test_exit(self):
        self.finds("musart", "exit", ["prototype:musart/musaMemGetInfo"], only="memory.*")


# One symbol of each library that is known by evidence.
MISSING = {"musart": "musaMallocPitch", "mublas": "mublasSgemm", "mublasLt": "mublasLtMatmul",
           "murand": "murandGenerateUniform", "mccl": "mcclAllReduce"}
# All probes of the runtime; for the other libraries only their own probes, which gives the same
# result faster.
ONLY = {"musart": "*", "mublas": "blas.*", "mublasLt": "blas_lt.*", "murand": "random.*",
        "mccl": "collectives.*"}
LIBRARIES = list(ONLY)

if __name__ == "__main__":
    support.main()
