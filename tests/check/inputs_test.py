"""torchada check: its inputs (strange files, archives, sources), outputs and exit statuses."""
import io
import os
import re
import subprocess
import tarfile
import zipfile

import support_path  # noqa: F401  pylint: disable=unused-import
import elf_maker
import support
from checked import CANNOT, RUNTIME, CheckTest
from compiled import build, calls
from support import FAILED, NO, OK, TORCHADA, USAGE, start, torchada


class Strange(CheckTest):

    def test_bad_usage(self):
        for words, pattern in (([], "nothing to check"), (["--jobs=0", "."], "--jobs=0: expected a number from 1"),
                               (["--jobs=100000", "."], "--jobs=100000: expected a number from 1 to 256"),
                               (["--format=xml", "."], "--format=xml: expected text or json"),
                               (["--abi=10", "."], "--abi=10: expected 11, 12 or 13"),
                               (["--nothing", "."], "unknown option")):
            result = self.done(torchada("check", *words), USAGE)
            self.assertRegex(result.stderr, pattern)

    def unreadable(self, path, reason):
        report = self.one(FAILED, path)
        self.assertEqual(("unreadable", path), (report["verdict"], report["path"]))
        self.assertRegex(report["reasons"][0], reason)
        self.assertIn("could not be examined", torchada("check", path).stdout)

    def test_named_files(self):
        folder = self.folder()
        self.unreadable(self.write(folder, "empty", b""), r"\Aempty file\Z")
        self.unreadable(os.path.join(folder, "missing"), "No such file")
        self.unreadable(self.write(folder, "text", "hello"), "not an ELF file, a known archive or a known source file")
        self.unreadable("/dev/null", "not a regular file")
        os.mkfifo(os.path.join(folder, "pipe"))
        self.unreadable(os.path.join(folder, "pipe"), "not a regular file")
        self.unreadable(self.write(folder, "elf", b"\x7fELF"), "ELF")

    def test_of_a_folder_only_what_is_meant(self):
        """Every package contains empty files and texts."""
        folder = self.folder()
        self.write(folder, "empty", b"")
        self.write(folder, "__init__.py", b"")
        self.write(folder, "README", b"cudaMalloc")
        os.mkfifo(os.path.join(folder, "pipe"))
        os.symlink("nowhere", os.path.join(folder, "dangling"))
        self.assertEqual("nothing", self.check(OK, folder)["verdict"])
        self.assertEqual([], self.check(OK, self.folder())["reports"])

    def test_unreadable_file(self):
        support.need_other_users(self)
        folder = self.folder()
        os.chmod(folder, 0o755)
        path = self.write(folder, "secret.so", elf_maker.elf(["libcudart.so.12"]))
        closed = os.path.join(folder, "closed")
        os.mkdir(closed)
        for name in (path, closed):
            os.chmod(name, 0)
        as_nobody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        ended = subprocess.run([TORCHADA, "check", "--format=json", folder], capture_output=True,
                               text=True, check=False, timeout=100, **as_nobody)
        self.assertEqual(FAILED, ended.returncode, ended.stderr)
        reasons = re.findall("Permission denied", ended.stdout)
        self.assertEqual(2, len(reasons), ended.stdout)
        os.chmod(closed, 0o700)

    def test_loop_of_links(self):
        folder = self.folder()
        below = os.path.join(folder, "a", "b")
        os.makedirs(below)
        self.write(below, "lib.so", elf_maker.elf(["libcudart.so.12"]))
        os.symlink(folder, os.path.join(below, "up"))
        os.symlink("self", os.path.join(folder, "self"))
        os.symlink("a/b/lib.so", os.path.join(folder, "link.so"))
        os.link(os.path.join(below, "lib.so"), os.path.join(folder, "hard.so"))
        everything = self.check(OK, folder, below, folder)
        self.assertEqual(1, len(everything["reports"]), everything)

    def test_deep_folders(self):
        """A tree too deep for recursion."""
        folder = self.folder()
        code = "import os\nfor _ in range(900):\n  os.mkdir('d')\n  os.chdir('d')\n"
        subprocess.run(["python3", "-c", code], cwd=folder, check=True)
        self.assertEqual("nothing", self.check(OK, folder)["verdict"])
        subprocess.run(["rm", "-rf", os.path.join(folder, "d")], check=True)

    def test_truncated_elf(self):
        """Cuts a file at every byte of the header, and at all boundaries of headers and sections.
        """
        folder = self.folder()
        path = build(folder, "whole", *RUNTIME, source=calls("cudaMalloc"))
        with open(path, "rb") as file:
            whole = file.read()
        os.unlink(path)
        sections = int.from_bytes(whole[40:48], "little")
        count = int.from_bytes(whole[60:62], "little")
        cuts = set(range(1, 64)) | {sections + 64 * index for index in range(count)}
        cuts |= {64 + 56 * index for index in range(int.from_bytes(whole[56:58], "little") + 1)}
        for index in range(count):
            header = whole[sections + 64 * index:][:64]
            offset, size = (int.from_bytes(header[at:at + 8], "little") for at in (24, 32))
            cuts |= {offset, offset + size, offset + size // 2}
        cuts = {cut for cut in cuts if 4 <= cut < len(whole)}
        self.assertGreater(len(cuts), 100)
        for cut in cuts:
            self.write(folder, "cut%d" % cut, whole[:cut])
        everything = self.check(FAILED, folder)
        self.assertEqual({"unreadable": len(cuts)}, everything["counts"])
        for report in everything["reports"]:
            self.assertRegex(report["reasons"][0], "truncated|cannot be read|not an ELF|corrupt|"
                                                   "no section headers")

    def test_any_byte_wrong(self):
        """Changes each byte of a small file in turn. check must answer or refuse, and never die of
        a signal."""
        folder = self.folder()
        whole = elf_maker.elf(["libcudart.so.12", "libnccl.so.2"], rodata=b"\0libcublas.so.12\0",
                              fatbin=elf_maker.fat_binary(elf_maker.image(2, 80, b"x" * 8)))
        for at in range(4, len(whole)):
            for value in (0, 0x7f, 0xff):
                self.write(folder, "at%d.%d" % (at, value),
                           whole[:at] + bytes([value]) + whole[at + 1:])
        result = torchada("check", "--format=json", folder)
        self.assertIn(result.status, (FAILED, CANNOT), result.stderr[:2000])
        self.assertEqual(3 * (len(whole) - 4), result.json()["files"])

    def test_other_machines(self):
        folder = self.folder()
        for bits, big, machine in ((32, False, elf_maker.EM_386), (64, True, elf_maker.EM_PPC64),
                                   (32, True, elf_maker.EM_386),
                                   (64, False, elf_maker.EM_AARCH64)):
            contents = elf_maker.elf(["libcudart.so.12"], bits, big, machine)
            report = self.one(CANNOT, self.write(folder, "lib.so", contents))
            self.assertIn("it is not built for x86-64", report["reasons"])
            self.assertEqual(["libcudart.so.12"], [item["asked"] for item in report["libraries"]])
            contents = elf_maker.elf(["libc.so.6"], bits, big, machine)
            self.assertEqual("nothing", self.one(OK, "--all", self.write(folder, "lib.so",
                                                                         contents))["verdict"])

    def test_many_symbols(self):
        folder = self.folder()
        names = ["some_function_%d" % number for number in range(100000)]
        assembly = ".text\nf:\n" + "".join("call %s@PLT\n" % name for name in names)
        assembly += "call cudaMalloc@PLT\n.section .note.GNU-stack,\"\",@progbits\n"
        path = build(folder, "lib.so", "-shared", "-nostdlib", *RUNTIME, source=assembly,
                     language="assembler")
        library, = self.one(OK, path)["libraries"]
        self.assertEqual(["cudaMalloc"], [item["name"] for item in library["symbols"]])

    def test_names_that_are_no_text(self):
        folder = self.folder()
        name = os.path.join(os.fsencode(folder), b"lib\xff\xfe.so")
        with open(name, "wb") as out:
            out.write(elf_maker.elf(["libcudart.so.12"]))
        self.assertEqual("runs", self.one(OK, folder)["verdict"])
        self.assertEqual(OK, torchada("check", folder).status)

    def test_output_that_cannot_be_written(self):
        result = start("/bin/sh", "-c", "exec \"$0\" check /bin/sh >&-", TORCHADA)
        self.assertEqual(FAILED, result.status, str(result))
        result = start("/bin/sh", "-c", "exec \"$0\" check /bin/sh >/dev/full", TORCHADA)
        self.assertEqual(FAILED, result.status, str(result))

    def test_jobs_make_no_difference(self):
        folder = self.folder()
        for number in range(40):
            self.write(folder, "lib%d.so" % number, elf_maker.elf(["libcudart.so.12"]))
        wanted = self.check(OK, "--jobs=1", folder)
        self.assertEqual(40, len(wanted["reports"]))
        for _ in range(5):
            self.assertEqual(wanted, self.check(OK, "-j", "16", folder))

    def test_progress(self):
        """Appears on a terminal and disappears at the end. Never appears in a file."""
        folder = self.folder()
        for number in range(5):
            self.write(folder, "lib%d.so" % number, elf_maker.elf(["libcudart.so.12"]))
        leader, follower = os.openpty()
        ended = subprocess.run([TORCHADA, "check", folder], stdout=subprocess.PIPE,
                               stderr=follower, check=False, timeout=100,
                               env={**os.environ, "TERM": "xterm"})
        os.close(follower)
        shown = b""
        try:
            while not shown.endswith(b"\r\033[K"):
                shown += os.read(leader, 65536)
        except OSError:  # the end of the terminal's output
            pass
        os.close(leader)
        self.assertEqual(0, ended.returncode)
        self.assertIn(b"of 5 files", shown)
        self.assertTrue(shown.endswith(b"\r\033[K"), shown)
        self.assertNotIn(b"\033", ended.stdout)


class Archives(CheckTest):

    LIBRARY = elf_maker.elf(["libcudart.so.12"])

    def wheel(self, members, name="some-1.0-py3-none-any.whl"):
        path = os.path.join(self.folder(), name)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for member, contents in members.items():
                out.writestr(member, contents)
        return path

    def test_wheel(self):
        path = self.wheel({"some/lib.so": self.LIBRARY, "some/use.py": "x.cudaMalloc()\n",
                           "some/data.bin": b"\0" * 1000, "some/\u00fc.so": self.LIBRARY})
        everything = self.check(OK, path)
        self.assertEqual({path + "!some/lib.so", path + "!some/use.py", path + "!some/\u00fc.so"},
                         {report["path"] for report in everything["reports"]})
        self.assertEqual({"runs": 3}, everything["counts"])

    def tar(self, mode, suffix):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:" + mode) as archive:
            for name, contents in (("./opt/lib.so", self.LIBRARY), ("./opt/other", b"x" * 9000)):
                entry = tarfile.TarInfo(name)
                entry.size = len(contents)
                archive.addfile(entry, io.BytesIO(contents))
        return self.write(self.folder(), "some" + suffix, out.getvalue())

    def test_tar(self):
        for mode, suffix in (("", ".tar"), ("gz", ".tar.gz"), ("gz", ".tgz"), ("xz", ".tar.xz"),
                             ("bz2", ".tar.bz2")):
            path = self.tar(mode, suffix)
            self.assertEqual(path + "!./opt/lib.so", self.one(OK, path)["path"])

    def test_debian_package(self):
        folder = self.folder()
        os.rename(self.tar("xz", ".tar.xz"), os.path.join(folder, "data.tar.xz"))
        path = os.path.join(folder, "some.deb")
        subprocess.run(["ar", "rc", path, os.path.join(folder, "data.tar.xz")], check=True)
        os.unlink(os.path.join(folder, "data.tar.xz"))
        self.assertEqual(path + "!data.tar.xz!./opt/lib.so", self.one(OK, path)["path"])

    def test_too_deep(self):
        contents = self.LIBRARY
        for number in range(6):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                archive.writestr("lib.so" if number == 0 else "inner.zip", contents)
            contents = out.getvalue()
        report = self.one(FAILED, self.write(self.folder(), "outer.zip", contents))
        self.assertIn("archives are nested too deeply", report["reasons"][0])

    def test_bad_wheel(self):
        folder = self.folder()
        self.write(folder, "bad.whl", b"this is no zip")
        report = self.one(FAILED, folder)
        self.assertEqual(("archive", ["not a zip archive"]), (report["kind"], report["reasons"]))
        with open(self.wheel({"a/lib.so": self.LIBRARY * 50, "b.so": self.LIBRARY}), "rb") as file:
            whole = file.read()
        for cut in (10, 40, len(whole) // 2):
            result = torchada("check", "--format=json", self.write(folder, "bad.whl", whole[:cut]))
            self.assertIn("unreadable", result.json()["counts"], cut)
            self.assertEqual(FAILED, result.status)
        at = whole.index(b"lib.so") + 20
        self.write(folder, "bad.whl", whole[:at] + b"\xff\xff\xff" + whole[at + 3:])
        self.assertEqual(FAILED, torchada("check", folder).status)

    def test_bomb(self):
        """An ELF file that unpacks to a thousand times its size is refused."""
        header = bytearray(elf_maker.elf([])[:64])
        header[40:48] = (99 << 20).to_bytes(8, "little")  # the section headers are at the end
        path = self.wheel({"bomb.so": bytes(header) + b"\0" * (100 << 20)})
        self.assertLess(os.path.getsize(path), 200000)
        reasons = [report["reasons"][0] for report in self.check(FAILED, path)["reports"]]
        self.assertIn("the unpacked data are more than 200 times as large as the archive", reasons)
        # What cannot be an ELF file of that size is not unpacked at all.
        path = self.wheel({"bomb.so": b"\x7fELF" + b"\0" * (100 << 20)})
        self.assertEqual("unexamined", self.one(NO, path)["verdict"])
        # Members that check ignores are not unpacked.
        path = self.wheel({"bomb.bin": b"\0" * (100 << 20), "lib.so": self.LIBRARY})
        self.assertEqual("runs", self.one(OK, path)["verdict"])


class Sources(CheckTest):

    def names(self, name, text, status=OK, *words):
        reports = self.check(status, *words, self.write(self.folder(), name, text))["reports"]
        if not reports:
            return {}
        return {symbol["name"]: symbol["lines"] for library in reports[0]["libraries"]
                for symbol in library["symbols"]}

    def test_c(self):
        text = ("// cudaMalloc in a comment\n/* cudaFree\n cudaFree */ int a = 1'000;\n"
                "cudaMemcpy(a); cudaMemcpy(b);\ncudaMemcpy(c);\n"
                "puts(\"cudaFree failed\"); dlsym(h, \"cudaFree\");\n"
                "const char* t = R\"x(cudaMalloc \" )\" cudaMalloc\n)x\"; cudaSetDevice(0);\n"
                "char q = '\"'; cudaGetDevice(&d); // \"\nmy_cudaMalloc(); cudaMallocX();\n"
                "\"a\\\" cudaMalloc\"; ncclGetVersion(&v);\n")
        self.assertEqual({"cudaMemcpy": [4, 5], "cudaFree": [6], "cudaSetDevice": [8],
                          "cudaGetDevice": [9], "ncclGetVersion": [11]}, self.names("a.cpp", text))

    def test_python(self):
        text = ("\"\"\"cudaMalloc\ncudaFree\"\"\"\n# cudaMemcpy\nlib.cudaMemset(p, 0, n)\n"
                "f = getattr(lib, \"cudaFree\")\nx = 'no cudaMalloc here'\nlib.cudaSetDevice(0)\n")
        self.assertEqual({"cudaMemset": [4], "cudaFree": [5], "cudaSetDevice": [7]},
                         self.names("a.py", text))

    def test_names_that_headers_replace(self):
        """cublas_v2.h turns cublasCreate into cublasCreate_v2. With Python and cublas.h, names stay
        as written."""
        self.assertEqual({"cublasCreate_v2": [2]},
                         self.names("a.cu", "#include <cublas_v2.h>\ncublasCreate(&h);\n"))
        for name, text in (("a.c", "# include \"cublas.h\"\ncublasInit();\n"),
                           ("a.py", "\nlib.cublasInit()\n")):
            self.assertEqual({"cublasInit": [2]}, self.names(name, text))

    def test_kernels(self):
        path = self.write(self.folder(), "a.cu", "cudaMalloc(&p);\nadd<<<1, 2>>>(p);\n"
                                                 "// f<<<1,1>>>();\n<<<<<<< HEAD\n")
        report = self.one(NO, path)
        self.assertEqual(("kernels", [2]), (report["verdict"], report["launches"]))

    def test_what_is_no_text(self):
        for contents in (b"\0\xff" * 1000 + b" cudaMalloc ", b"\"unterminated\ncudaMalloc",
                         b"/* open\n", b"R\"(", b"\"\\", b"#include", b"'", b"1'", b"<<",
                         b"\"\"\"\n"):
            for name in ("a.cu", "a.py"):
                self.names(name, contents)
        self.assertEqual({"cudaMalloc": [2]}, self.names("a.c", b"\"unterminated\ncudaMalloc"))

    def test_major(self):
        text = "cudaThreadSynchronize();\n"
        self.assertEqual({}, self.names("a.c", text, OK, "--abi=13"))
        self.assertIn("cudaThreadSynchronize",
                      {symbol["name"] for library in torchada(
                          "check", "--format=json", "--abi=12",
                          self.write(self.folder(), "a.c", text)).json()["reports"][0]["libraries"]
                       for symbol in library["symbols"]})


if __name__ == "__main__":
    support.main()
