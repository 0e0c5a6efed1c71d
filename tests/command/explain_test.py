"""torchada explain: functions and enumerators of CUDA and MUSA, numbers, unknown names."""
import re

import support
from support import FAILED, NO, OK, USAGE, torchada


class Explain(support.CommandTest):

    def answer(self, word, status=OK):
        result = torchada("explain", "--format=json", "--", word)
        self.done(result, status)
        self.assertEqual([word], [item["query"] for item in result.json()])
        self.assertEqual(status == OK, result.json()[0]["known"])
        return result.json()[0]

    def test_direct(self):
        function, = self.answer("cudaMalloc")["cuda_functions"]
        self.assertEqual(["libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"],
                         function["libraries"])
        self.assertEqual(("supported", "direct"), (function["standing"], function["decision"]))
        self.assertEqual("cudaError_t cudaMalloc(void **devPtr, size_t size)",
                         function["prototype"])
        target = function["target"]
        self.assertEqual(("musaMalloc", "nm"), (target["name"], target["tier"]))
        self.assertTrue(target["sources"])
        self.assertEqual("musaError_t musaMalloc(void **devPtr, size_t size)",
                         target["prototypes"][0]["prototype"])

    def test_adapted(self):
        text = self.done(torchada("explain", "cublasSgemm_v2")).stdout
        for part in ("adapted: mublasSgemm (tier nm)", "cublasOperation_t transa",
                     "mublasOperation_t transa", "sources: "):
            self.assertIn(part, text)

    def test_mangled(self):
        target = self.answer("cublasGemmEx")["cuda_functions"][0]["target"]
        if target is None:  # whatever happens to GemmEx, its target has a mangled name
            self.fail("cublasGemmEx has no target")
        self.assertTrue(target["exported_as"].startswith("_Z"), target)
        by_link, = self.answer(target["exported_as"])["musa_functions"]
        self.assertEqual(target["name"], by_link["name"])
        self.assertIn("cublasGemmEx", by_link["serves"])

    def test_unsupported(self):
        text = self.done(torchada("explain", "cudaLaunchKernel")).stdout
        self.assertIn("CUDA device code is taken from kernel libraries by name, or refused", text)
        text = self.done(torchada("explain", "cudaFuncGetParamCount")).stdout
        self.assertIn("unsupported", text)
        self.assertIn("reason: CUDA device code does not run on MUSA", text)

    def test_majors_that_differ(self):
        functions = self.answer("cudaGetDeviceProperties_v2")["cuda_functions"]
        self.assertEqual([["libcudart.so.12"]], [item["libraries"] for item in functions])
        functions = self.answer("cudaStreamGetCaptureInfo")["cuda_functions"]
        self.assertGreater(len(functions), 1)

    def test_alias(self):
        function, = self.answer("pncclAllReduce")["cuda_functions"]
        self.assertEqual("ncclAllReduce", function["same_as"])
        self.assertEqual("mcclAllReduce", function["target"]["name"])

    def test_musa_function(self):
        function, = self.answer("musaMemcpyAsync")["musa_functions"]
        self.assertEqual("musart", function["library"])
        self.assertIn("cudaMemcpyAsync", function["serves"])

    def test_enumerators(self):
        """Numbers entered by hand from MUSA's public evidence."""
        for cuda, number, musa, other in (("CUBLAS_OP_N", 0, "MUBLAS_OP_N", 111),
                                          ("CUBLAS_OP_C", 2, "MUBLAS_OP_C", 113),
                                          ("CUBLAS_SIDE_RIGHT", 1, "MUBLAS_SIDE_RIGHT", 142),
                                          ("cudaErrorNotSupported", 801, "musaErrorNotSupported",
                                           801)):
            item, = self.answer(cuda)["cuda_enumerators"]
            self.assertEqual((number, musa, other),
                             (item["value"], item["musa"]["name"], item["musa"]["value"]))
            back = self.answer(musa)["musa_enumerators"]
            self.assertEqual({other}, {item["value"] for item in back})
            self.assertIn(cuda, back[0]["cuda"])

    def test_code(self):
        """A number: its meaning in each library, on both sides."""
        answer = self.answer("1")
        self.assertLessEqual({("cudaError_t", "cudaErrorInvalidValue"),
                              ("cublasStatus_t", "CUBLAS_STATUS_NOT_INITIALIZED"),
                              ("ncclResult_t", "ncclUnhandledCudaError")},
                             {(item["type"], item["name"]) for item in answer["cuda_enumerators"]})
        self.assertIn(("musaError_t", "musaErrorInvalidValue"),
                      {(item["type"], item["name"]) for item in answer["musa_enumerators"]})
        texts = {item["name"]: item["text"] for item in answer["cuda_enumerators"]}
        self.assertEqual("invalid argument", texts["cudaErrorInvalidValue"])
        self.assertEqual(answer["cuda_enumerators"], self.answer("0x1")["cuda_enumerators"])

    def test_becomes(self):
        """No source gives this number, so it is not taken for what its name says."""
        item, = self.answer("MUBLAS_STATUS_NOT_IMPLEMENTED")["musa_enumerators"]
        self.assertEqual("CUBLAS_STATUS_INTERNAL_ERROR", item["becomes"])

    def test_unknown(self):
        for word, nearest in (("cudaMaloc", "cudaMalloc"), ("cublassgemm_v2", "cublasSgemm_v2"),
                              ("CUDAMALLOC", "cudaMalloc"), ("cudaMlaloc", "cudaMalloc"),
                              ("musaMalocAsync", "musaMallocAsync"), ("CUBLAS_OP", "CUBLAS_OP_T"),
                              ("cudaErrorNotSuported", "cudaErrorNotSupported")):
            result = self.done(torchada("explain", word), NO)
            self.assertEqual("", result.stdout)
            self.assertIn("'%s' is not a known name or status code; did you mean" % word, result.stderr)
            self.assertIn(nearest, self.answer(word, NO)["nearest"])
        for word in ("", "zzzzzzzzzz", "-77777", "99999999999999999999", "12x", "0x", "+", "\x01"):
            self.assertEqual([], self.answer(word, NO)["cuda_functions"])
            self.assertNotIn("did you mean", self.done(torchada("explain", "--", word), NO).stderr)

    def test_other_libraries(self):
        """A function of a CUDA library that torchada does not replace."""
        said = self.done(torchada("explain", "cudnnCreate"), NO).stderr
        self.assertRegex(said, r"cudnnCreate belongs to libcudnn \(cuDNN, .*\), which torchada does not replace; ")
        self.assertIn("muDNN", said)
        self.assertNotIn("did you mean", said)

    def test_an_emulated_function(self):
        """The standing is not said twice, and a fact that no probe settles says so plainly."""
        text = self.done(torchada("explain", "cudaGetErrorName", "cuGetProcAddress_v2")).stdout
        self.assertIn("emulated", text)
        self.assertNotRegex(text, r"(?m)^ +emulated$")
        self.assertNotIn("settled by: no probe", text)

    def test_several(self):
        result = self.done(torchada("explain", "cudaMalloc", "nothing-such", "cudaFree"), NO)
        self.assertIn("musaMalloc", result.stdout)
        self.assertIn("musaFree", result.stdout)
        result = torchada("explain", "--format=json", "cudaMalloc", "nothing-such")
        self.assertEqual([True, False], [item["known"] for item in result.json()])

    def test_every_symbol(self):
        """Each name has an answer. A command line of maximal length holds only a few hundred."""
        names = sorted({symbol["name"] for library in support.real_tables()["libraries"]
                        for symbol in library["symbols"]})
        self.assertGreater(len(names), 1500)
        for first in range(0, len(names), 400):
            part = names[first:first + 400]
            result = self.done(torchada("explain", "--format=json", *part)).json()
            self.assertEqual(part, [item["query"] for item in result])
            for item in result:
                self.assertTrue(item["cuda_functions"], item["query"])

    def test_supported(self):
        """Weak evidence of an SDK of which a supported function is only assumed says so."""
        names = sorted({symbol["name"] for library in support.real_tables()["libraries"]
                        for symbol in library["symbols"] if symbol["standing"] == "supported"})
        self.assertGreater(len(names), 200)
        for first in range(0, len(names), 400):
            text = self.done(torchada("explain", *names[first:first + 400])).stdout
            for part in re.split(r"\n(?=  \S)", text):
                if ": supported\n" in part:
                    self.assertNotRegex(part, r"\(tier (driver|cbid|map|comment|absent)\)", part)

    def type(self, name):
        answer, = self.done(torchada("explain", "--format=json", name)).json()
        found = answer["cuda_types"] or answer["musa_types"]
        self.assertEqual(1, len(found), answer)
        return found[0]

    def test_enumeration(self):
        """The numbers in the headers, on both sides."""
        found = self.type("cublasOperation_t")
        numbers = {item["name"]: item["value"] for item in found["values"]}
        self.assertEqual((0, 1, 2), (numbers["CUBLAS_OP_N"], numbers["CUBLAS_OP_T"],
                                     numbers["CUBLAS_OP_C"]))
        self.assertEqual("mublasOperation_t", found["musa_name"])
        other, = found["musa"]
        self.assertEqual({"MUBLAS_OP_N": 111, "MUBLAS_OP_T": 112, "MUBLAS_OP_C": 113},
                         {item["name"]: item["value"] for item in other["values"]})
        self.assertTrue(other["sources"] and other["tier"])
        text = self.done(torchada("explain", "cublasOperation_t")).stdout
        self.assertIn("CUBLAS_OP_T = 1; in MUSA MUBLAS_OP_T = 112 (tier ", text)
        self.assertEqual(["cublasOperation_t"], self.type("mublasOperation_t")["cuda"])

    def test_struct(self):
        """Sizes as a compiler computes them from NVIDIA's headers, and offsets of members."""
        found = self.type("cudaDeviceProp")
        sizes = {release: item["size"] for item in found["variants"] for release in item["releases"]}
        self.assertEqual((728, 1032, 1008), (sizes["11.8"], sizes["12.9"], sizes["13.0"]))
        offsets = {field["name"]: field["offset"] for field in found["variants"][0]["fields"]}
        self.assertEqual((0, 288, 360), (offsets["name"], offsets["totalGlobalMem"],
                                         offsets["major"]))
        self.assertIn(728, [item.get("size") for item in found["musa"]])
        text = self.done(torchada("explain", "cudaDeviceProp")).stdout
        self.assertIn("CUDA 12.9: struct of 1032 bytes, aligned to 8\n", text)
        self.assertIn("size_t totalGlobalMem at 288; in MUSA at 288\n", text)
        # CUDA 13 has no clockRate, so later members have other offsets.
        self.assertRegex(text, r"int clockRate at \d+ \(11.8\), at \d+ \(12.9\), absent \(13.0, 13.5\)")
        text = self.done(torchada("explain", "musaDeviceProp")).stdout
        self.assertIn("size_t totalGlobalMem at 288", text)
        self.assertIn("in CUDA: cudaDeviceProp\n", text)

    def test_other_types(self):
        for name, kind in (("cudaStream_t", "handle"), ("cudaHostFn_t", "callback"),
                           ("ncclConfig_t", "struct")):
            variants = self.type(name)["variants"]
            self.assertEqual({kind}, {item["kind"] for item in variants}, name)
        self.assertIn("did you mean cudaDeviceProp",
                      self.done(torchada("explain", "cudaDevceProp"), NO).stderr)

    def test_bytes_that_are_no_text(self):
        name = b"cuda\xff\xfe".decode("utf-8", "surrogateescape")
        result = torchada("explain", "--format=json", name)
        self.assertEqual(NO, result.status)
        self.assertFalse(result.json()[0]["known"])


if __name__ == "__main__":
    assert (FAILED, USAGE) == (3, 2)
    support.main()
