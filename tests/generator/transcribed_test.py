#!/usr/bin/env python3
"""Facts that no header of the stand-in states, against a second copy, written by hand from the sources.

transcribed_test.py TORCHADA_GEN MAPPINGS REPOSITORY

The environment map, names of files, version numbers, behaviour that `verify` expects, the SDKs between
two trees of the stand-in, the members of cudaDeviceProp (the stand-in has its own list), and the names
in names.json (tests/recording/musa_names.csv). Whoever corrects a fact corrects it in both places.
"""

import csv
import json
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import yaml

ENVIRONMENT = {
    ("CUDA_VISIBLE_DEVICES", "MUSA_VISIBLE_DEVICES", ()),
    ("CUDA_LAUNCH_BLOCKING", "MUSA_LAUNCH_BLOCKING", ()),
    ("CUBLAS_WORKSPACE_CONFIG", "MUBLAS_WORKSPACE_CONFIG", ()),
    ("NCCL_*", "MCCL_*", ("NCCL_PROTO", "NCCL_ALGO")),
}
SONAMES = {
    "musart": [("libmusart.so.5", ">=5.0"), ("libmusart.so.4", ">=4.2 <5.0"), ("libmusart.so.1.5", ">=4.0 <4.2"),
               ("libmusart.so.1.0", "<4.0"), ("libmusart.so", "any")],
    "mccl": [("libmccl.so.2", "any"), ("libmccl.so", "any")],
    "mublas": [("libmublas.so.1", ">=5.0"), ("libmublas.so.1", ">=4.3 <5.0"), ("libmublas.so", "any")],
    "mublasLt": [("libmublasLt.so.1", ">=4.3"), ("libmublasLt.so", ">=4.3")],
    "murand": [("libmurand.so.1", ">=4.3"), ("libmurand.so", "any")],
    "mufft": [("libmufft.so.1", ">=4.3"), ("libmufft.so", "any")],
    "mtrtc": [("libmtrtc.so.5", ">=5.2"), ("libmtrtc.so.5.2.0", ">=5.2"), ("libmtrtc.so", ">=5.2")],
    "musa": [("libmusa.so.1", ">=4.2"), ("libmusa.so.1.5", ">=4.0 <4.2"), ("libmusa.so.1.0", "<4.0"),
             ("libmusa.so", "any")],
    "mtml": [("libmtml.so.2", "any"), ("libmtml.so", "any")],
}
# What musaRuntimeGetVersion reports, and the SDK that it means; 4.0.1 reports 10504.
RUNTIME_VERSIONS = [(">=20000", "reported"), (">=10500 <20000", "4.0.1"), ("<10500", "3.1.0")]
ENCODINGS = {"musart": "major*10000 + minor*100 + patch", "mccl": "nccl", "mublas": "unknown", "murand": "unknown"}
QUIRKS = {
    "musaMalloc_in_capture_fails": "musaMalloc while a stream captures in global mode returns an error",
    "warp_size_follows_the_architecture": "the warp size is 128 on mp_21 and mp_22, 32 on mp_31",
    "capability_is_the_architecture": "devices report compute capability 2.1, 2.2 or 3.1",
    "graph_survives_its_executable":
        "an executable graph runs while the graph it was instantiated from is kept",
    "uniform_excludes_zero": "murandGenerateUniform gives numbers above 0 and at most 1",
    "normal_needs_an_even_count": "murandGenerateNormal requires an even number of numbers",
    "philox_has_no_64_bit_numbers":
        "murandGenerateLongLong with a PHILOX4_32_10 generator returns MURAND_STATUS_TYPE_ERROR on an MTT S5000",
    "compute_16F_takes_half_scalars":
        "products with MUBLAS_COMPUTE_16F read alpha and beta as half; the source calls mublasGemmStridedBatchedEx",
    "pageable_memory_has_no_attributes":
        "musaPointerGetAttributes of pageable host memory returns an error or musaMemoryTypeUnregistered",
    "no_libcuda_of_musa": "no library of MUSA or of another vendor answers to libcuda.so.1",
    "tensor_op_algorithm_takes_every_type":
        "mublasGemmEx takes the algorithms 0 and 1 for each type that it takes with MUBLAS_GEMM_DEFAULT",
    "success_leaves_no_error": "after a product that succeeds, musaGetLastError returns musaSuccess",
    "executable_outlives_its_graph":
        "an executable graph runs after the graph that it was made of is destroyed",
    "many_executables_live":
        "musaGraphInstantiateWithFlags makes 4096 executable graphs that live at the same time in one process",
    "waiting_in_capture_returns":
        "musaMemGetInfo, musaStreamSynchronize and musaDeviceSynchronize return, with an error or without, while a "
        "stream captures",
    "later_attributes_are_refused":
        "musaDeviceGetAttribute returns an error for the numbers from 125 to 160, which CUDA added later",
    "memory_of_another_process_opens_on_any_device":
        "musaIpcOpenMemHandle opens memory of device 0 while device 1 is current",
    "peer_copy_needs_no_peer_access":
        "musaMemcpyPeer and musaMemcpyPeerAsync copy from device 0 to device 1 without peer access",
    "handle_1_is_the_legacy_stream": "the stream handle 1 is the default stream that handle 0 is",
    "handle_2_is_the_threads_own_stream":
        "the stream handle 2 is a stream of the calling thread, which does not wait for other streams",
    "legacy_stream_waits_for_other_streams":
        "work in the default stream waits for earlier work in a stream of musaStreamCreate, and later work there "
        "waits for it",
    "narrow_rows_are_copied": "musaMemcpy2D copies rows of 8 bytes to the host, as often as it is called",
    "devices_have_a_uuid":
        "musaGetDeviceProperties gives a uuid that is not all zero, the same as muDeviceGetUuid_v2",
    "mtml_numbers_devices_as_musa": "device N of libmtml is device N of MUSA, unless MUSA_VISIBLE_DEVICES is set",
}
# What was seen of a MUSA that behaves differently, by the sources' repositories.
OTHERWISE = {
    "tensor_op_algorithm_takes_every_type": {"PanZezhong1725/llaisys", "ggml-org/ggml", "zml/xla"},
    "success_leaves_no_error": {"flagos-ai/FlagBLAS"},
    "executable_outlives_its_graph": {"MooreThreads/torch_musa"},
    "peer_copy_needs_no_peer_access": {"https"},
    "narrow_rows_are_copied": {"ZhaoShanBiounite/musapy"},
    "many_executables_live": {"MooreThreads/torchada", "https"},
    "waiting_in_capture_returns": {"MooreThreads/vllm-musa", "https"},
}
# Symbols by the SDKs that have them. The trees are 3.1, 4.3, 5.1 and 5.2: of 4.2 and 4.3 they see no difference.
SINCE = {
    "musart": {">=4.2": 1, ">=4.3": 68, ">=5.0": 2, ">=5.1": 39, "any": 410},
    "musa": {">=4.0": 34, ">=5.1": 11, ">=5.2": 1, "any": 264},
    "mccl": {">=5.1": 9, "any": 28},
    "mublas": {"any": 281, ">=4.0": 1, ">=4.2": 1, ">=5.1": 16},
    "mublasLt": {">=4.3": 43},
    "mufft": {"any": 48},
    "mtml": {"any": 116},
    "mtrtc": {">=5.2": 13},
    "murand": {"any": 26, ">=5.1": 2},
}
# Members of cudaDeviceProp that the stand-in counts anew for each question.
ONLY_FOUND = {
    "multiProcessorCount": "musaDevAttrMultiProcessorCount",
}

GENERATOR, MAPPINGS, REPOSITORY = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
del sys.argv[1:]


def plain(name):
    """Without the version and the kind of default stream. MUSA has one form for aligned and unaligned copies."""
    return re.sub(r"(Unaligned|_v\d+|_64|_ptsz|_ptds)+$", "", name)


def load(name):
    return yaml.safe_load((MAPPINGS / name).read_text(encoding="utf-8"))


class Transcribed(unittest.TestCase):
    maxDiff = None

    def test_environment(self):
        rows = load("musa/backend.yaml")["environment"]
        found = [(row["cuda"], row["musa"], ()) if "cuda" in row else
                 (row["cuda_prefix"] + "*", row["musa_prefix"] + "*", tuple(row.get("except", ())))
                 for row in rows]
        self.assertEqual(ENVIRONMENT, set(found))
        self.assertEqual(len(ENVIRONMENT), len(found))

    def test_sonames(self):
        found = {name: [(soname["name"], soname.get("sdk", "any")) for soname in backend["sonames"]]
                 for name, backend in load("libraries.yaml")["backends"].items()}
        self.assertEqual(SONAMES, found)

    def test_versions(self):
        versions = load("musa/backend.yaml")["version"]
        self.assertEqual(ENCODINGS, {name: record["encoding"] for name, record in versions.items()})
        self.assertEqual(RUNTIME_VERSIONS, [(row["reported"], row["is"]) for row in versions["musart"]["sdk"]])

    def test_quirks(self):
        self.assertEqual(QUIRKS, {name: quirk["says"] for name, quirk in load("musa/quirks.yaml").items()})

    def test_other_behaviour(self):
        """Who saw it, and that the tables say what the stand-in shows."""
        quirks = load("musa/quirks.yaml")
        self.assertEqual(OTHERWISE, {name: {source.split(":")[0] for source in quirk["otherwise"]["sources"]}
                                     for name, quirk in quirks.items() if "otherwise" in quirk})
        self.assertEqual({"capability_is_the_architecture", "warp_size_follows_the_architecture", *list(QUIRKS)[10:]},
                         {name for name, quirk in quirks.items() if quirk.get("stand_in")})

    def test_fallbacks(self):
        self.assertEqual({"cublasGemmAlgo_t": {"CUBLAS_GEMM_DEFAULT_TENSOR_OP": "CUBLAS_GEMM_DEFAULT"}},
                         load("forward/types.yaml")["fallback_enumerators"])

    def test_since(self):
        for library, expected in SINCE.items():
            symbols = load(f"musa/{library}.yaml")["symbols"]
            found = Counter(symbol.get("sdk", "any") for symbol in symbols.values())
            self.assertEqual(expected, dict(found), library)

    def test_properties(self):
        """The members of cudaDeviceProp against FIELD(ATTRIBUTE, MEMBER) of the stand-in."""
        text = (REPOSITORY / "src/host/musa/device_properties.cpp").read_text(encoding="utf-8")
        own = {}
        ends = {"FIELD": ("",), "PLANE": ("Width", "Height"), "LAYERS": ("Width", "Layers"), "XYZ": "XYZ"}
        pattern = r"(?<!define )\b(FIELD|PLANE|LAYERS|XYZ)\((\w+),\s*(\w+(?:\[\d\])?)\)"
        for macro, attribute, member in re.findall(pattern, text):
            for i, end in enumerate(ends[macro]):
                member = member.replace("Musa", "Cuda")
                own[member if macro == "FIELD" else f"{member}[{i}]"] = f"musaDevAttr{attribute}{end}"
        self.assertGreater(len(own), 90)
        found = {}
        for member, attributes in load("forward/cudart.yaml")["properties"]["attributes"].items():
            if isinstance(attributes, str):
                found[member] = attributes
            else:
                found.update({f"{member}[{i}]": attribute for i, attribute in enumerate(attributes)})
        both = set(own) & set(found)
        self.assertEqual({name: own[name] for name in both}, {name: found[name] for name in both})
        self.assertEqual(set(), set(own) - both)
        self.assertEqual(ONLY_FOUND, {name: found[name] for name in set(found) - both})

    def test_names_json(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([GENERATOR, "reference", "--mappings", MAPPINGS, "--out", folder], check=True, timeout=300)
            names = json.loads((Path(folder) / "names.json").read_text(encoding="utf-8"))["names"]
        backend = {name: facts["backend"] for name, facts in load("libraries.yaml")["libraries"].items()}
        witness = {}
        with open(REPOSITORY / "tests/recording/musa_names.csv", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                witness.setdefault(row["library"], {})[row["musa"]] = row["cuda"]
        # What a way leads to has another name; tests/recording has those, one by one.
        ways = {(name, cuda) for name in backend for cuda, rows in load(f"forward/{name}.yaml")["rows"].items()
                if any("via" in row for row in (rows if isinstance(rows, list) else [rows]))}
        checked = 0
        for entry in names:
            if entry["decision"] not in ("direct", "adapted") or (entry["library"], entry["cuda"]) in ways:
                continue
            known = witness[backend[entry["library"]]]
            for target in entry["targets"]:
                with self.subTest(cuda=entry["cuda"], musa=target["musa"]):
                    self.assertIn(target["musa"], known)
                    cuda = re.sub("^p(?=nccl)", "", entry["cuda"])
                    # Of a name in the thread's own stream: the form that does not wait, and a wait.
                    forms = {plain(cuda), plain(cuda) + "Async"} if cuda.endswith("_ptds") else {plain(cuda)}
                    # CUDA defines the old names of devices' threads to be these functions of devices.
                    forms |= {{"cudaThreadExit": "cudaDeviceReset"}.get(cuda, cuda.replace("cudaThread", "cudaDevice"))}
                    self.assertIn(plain(known[target["musa"]]), forms)
                    checked += 1
        self.assertGreater(checked, 1000)


if __name__ == "__main__":
    unittest.main()
