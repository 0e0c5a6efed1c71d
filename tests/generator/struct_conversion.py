#!/usr/bin/env python3
"""Structs that differ between CUDA and MUSA, converted by generated adapters that are compiled and run.

struct_conversion.py TORCHADA_GEN MAPPINGS STUBS COMPILER

In a copy of the tables, MUSA's layouts are changed to some that no SDK has: members in another
order, a missing member, other numbers of an enumeration. The test has the expected result byte
by byte.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MEMSET = """  musaMemsetParams:
  - kind: struct
    tier: map
    size: 40
    align: 8
    complete: true
    sources: []
    fields:
    - [dst, void *, 0]
    - [value, unsigned int, 8]
    - [pitch, size_t, 16]
    - [width, size_t, 24]
    - [height, size_t, 32]
"""

HARNESS = r"""
#include "adapters.cpp"

#include <stdio.h>
#include <stdlib.h>

extern "C" {
void* torchada_callees[512];
%(calls)s
}
namespace torchada {
int failed = 0;
int fail(int status) { failed = status; return status; }
int refuse_member(unsigned, int status) { return fail(status); }
int refuse_listed(unsigned, long, int status) { return fail(status); }
}  // namespace torchada

static unsigned char received[40];
static int calls, status_to_give;

extern "C" int set_params(void*, const unsigned char* params) {
  ++calls;
  memcpy(received, params, sizeof received);
  return status_to_give;
}
extern "C" int get_params(void*, unsigned char* params) {
  ++calls;
  if (status_to_give == 0) for (int i = 0; i < 40; ++i) params[i] = static_cast<unsigned char>(i + 1);
  return status_to_give;
}
extern "C" int get_attributes(unsigned char* attributes, const void*) {
  const int type = 12, device = 3;
  memcpy(attributes, &type, 4);
  memcpy(attributes + 4, &device, 4);
  memset(attributes + 8, 0x77, 16);
  return 0;
}

#define EXPECT(what) do { if (!(what)) { printf("line %%d: %%s\n", __LINE__, #what); bad = 1; } } while (0)

template <typename F> void answer_with(F* function) {
  for (void*& slot : torchada_callees) slot = reinterpret_cast<void*>(function);
}

int main() {
  int bad = 0;
  // cudaMemsetParams: dst 0, pitch 8, value 16, elementSize 20, width 24, height 32.
  unsigned char cuda[48];
  for (int i = 0; i < 48; ++i) cuda[i] = static_cast<unsigned char>(0x40 + i);
  answer_with(set_params);
  EXPECT(torchada::torchada_adapted_cudaGraphMemsetNodeSetParams(nullptr, cuda) == 801);
  EXPECT(torchada::failed == 801 && calls == 0);
  memset(cuda + 20, 0, 4);
  EXPECT(torchada::torchada_adapted_cudaGraphMemsetNodeSetParams(nullptr, cuda) == 0);
  EXPECT(calls == 1);
  EXPECT(memcmp(received, cuda, 8) == 0);           // dst
  EXPECT(memcmp(received + 8, cuda + 16, 4) == 0);  // value
  for (int i = 12; i < 16; ++i) EXPECT(received[i] == 0);
  EXPECT(memcmp(received + 16, cuda + 8, 8) == 0);  // pitch
  EXPECT(memcmp(received + 24, cuda + 24, 16) == 0);

  answer_with(get_params);
  memset(cuda, 0xee, sizeof cuda);
  status_to_give = 1;
  EXPECT(torchada::torchada_adapted_cudaGraphMemsetNodeGetParams(nullptr, cuda) == 1);
  for (unsigned char byte : cuda) EXPECT(byte == 0xee);
  status_to_give = 0;
  EXPECT(torchada::torchada_adapted_cudaGraphMemsetNodeGetParams(nullptr, cuda) == 0);
  for (int i = 0; i < 8; ++i) EXPECT(cuda[i] == i + 1 && cuda[8 + i] == 16 + i + 1);
  for (int i = 0; i < 4; ++i) EXPECT(cuda[16 + i] == 8 + i + 1 && cuda[20 + i] == 0);
  for (int i = 24; i < 40; ++i) EXPECT(cuda[i] == i + 1);
  for (int i = 40; i < 48; ++i) EXPECT(cuda[i] == 0xee);

  // Device memory is 2 in CUDA and 12 in these tables.
  answer_with(get_attributes);
  unsigned char attributes[96];
  memset(attributes, 0xee, sizeof attributes);
  EXPECT(torchada::torchada_adapted_cudaPointerGetAttributes(attributes, nullptr) == 0);
  const unsigned char start[8] = {2, 0, 0, 0, 3, 0, 0, 0};
  EXPECT(memcmp(attributes, start, 8) == 0);
  for (int i = 8; i < 24; ++i) EXPECT(attributes[i] == 0x77);
  for (int i = 24; i < 88; ++i) EXPECT(attributes[i] == 0);
  for (int i = 88; i < 96; ++i) EXPECT(attributes[i] == 0xee);
  return bad;
}
"""


def change(path, pattern, text):
    content, count = re.subn(pattern, text, path.read_text(encoding="utf-8"), flags=re.M)
    if count == 0:
        sys.exit(f"{path} has nothing like {pattern!r}: adapt the test")
    path.write_text(content, encoding="utf-8")


def main():
    generator, mappings, stubs, compiler = sys.argv[1], *map(Path, sys.argv[2:4]), sys.argv[4]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        shutil.copytree(mappings, folder / "mappings")
        musart = folder / "mappings/musa/musart.yaml"
        change(musart, r"^  musaMemsetParams:\n(  [-#] .*\n|    .*\n)*", MEMSET)
        for number, name in enumerate(("Host", "Device", "Managed"), 1):
            change(musart, rf"\bmusaMemoryType{name}: (\{{value: )?{number}\b",
                   rf"musaMemoryType{name}: \g<1>{number + 10}")
        emitted = folder / "generated"
        subprocess.run([generator, "emit", "--mappings", folder / "mappings", "--out", emitted], check=True)
        code = (emitted / "cudart-13/adapters.cpp").read_text(encoding="utf-8")
        calls = "\n".join(f"int {name}(void*) {{ return 0; }}"
                          for name in sorted(set(re.findall(r"\b(musaStream\w+)\(own", code))))
        (folder / "harness.cpp").write_text(HARNESS % {"calls": calls}, encoding="utf-8")
        subprocess.run([
            compiler, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", emitted / "cudart-13",
            "-I", stubs, "-I", folder, folder / "harness.cpp", "-o", folder / "harness"
        ], check=True)
        result = subprocess.run([folder / "harness"], check=False)
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
