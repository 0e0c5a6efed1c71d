"""torchada kernels build: images for the stand-in, its cache, and what mcc is given.

The mcc here is a script that writes down its arguments: no real one is needed, and none was tried."""
import json
import os
import shutil
import signal
import subprocess

import support
from kernels_support import GOOD, KernelsTest
from support import FAILED, NATIVE, NO, OK, STAGE, USAGE, start, torchada


class Run(KernelsTest):
    """torchada run --kernels: what the program finds in TORCHADA_KERNELS."""

    def run_env(self, kernels):
        return start("/bin/sh", "-c", 'cd "$1" && exec "$2" run --backend=host "--kernels=$3" -- /usr/bin/env', "sh",
                     self.where, os.path.join(STAGE, "bin", "torchada"), kernels)

    def test_paths_are_absolute(self):
        self.file("one.image")
        self.file("more/two.image")
        result = self.run_env("one.image::more")
        self.assertEqual(OK, result.status, str(result))
        self.assertIn("\nTORCHADA_KERNELS=%s/one.image:%s/more\n" % (self.where, self.where), "\n" + result.stdout)

    def test_missing_files_stop_it(self):
        self.file("one.image")
        for kernels, named in (("one.image:gone.image", "gone.image does not exist"), (":", "names no kernel library")):
            result = self.run_env(kernels)
            self.done(result, USAGE)
            self.assertIn("--kernels", result.stderr)
            self.assertIn(named, result.stderr)
            self.assertEqual("", result.stdout)

    def run_env_with(self, *options):
        return start("/bin/sh", "-c", 'cd "$1" && shift && exec "$@" -- /usr/bin/env', "sh", self.where,
                     os.path.join(STAGE, "bin", "torchada"), "run", "--backend=host", *options)

    def test_recipes_and_records(self):
        """A recipe is a file or a name; files become absolute."""
        self.file("my.yaml", "name: own\nsources: [a.cu]\n")
        for recipe, found in (("my.yaml", self.where + "/my.yaml"), ("./my.yaml", self.where + "/./my.yaml"),
                              ("pytorch-2.6", "pytorch-2.6")):
            result = self.run_env_with("--kernels-from=" + recipe, "--record-kernels=list")
            self.assertEqual(OK, result.status, str(result))
            self.assertIn("\nTORCHADA_KERNELS_FROM=%s\n" % found, result.stdout)
            self.assertIn("\nTORCHADA_RECORD_KERNELS=%s/list\n" % self.where, result.stdout)
        result = self.run_env_with("--kernels-from=gone/my.yaml")
        self.done(result, USAGE)
        self.assertIn("--kernels-from: gone/my.yaml is not a file", result.stderr)


class Build(KernelsTest):

    def test_include_folders_and_macros(self):
        self.file("inner/value.h", "#pragma once\n#define VALUE BASE + 1\n")
        source = self.file("fill.cu", '#include "value.h"\n' + GOOD)
        inner = os.path.join(self.where, "inner")
        for words in (("-I" + inner, "-DBASE=4"), ("-I", inner, "-D", "BASE=4"),
                      ("--include=" + inner, "--define=BASE=4")):
            self.done(self.build(source, *words))
            self.assertIn("_Z4fillPi", self.names_in(self.image))
        self.leaves_nothing()

    def test_the_host_part_may_print_and_have_objects(self):
        """Their constructors would run while the image is loaded, and no image may have any."""
        self.file("table.h", "#pragma once\n#include <map>\n#include <string>\n"
                  'static std::map<std::string, int> table = {{"a", 1}};\n')
        source = self.file("fill.cu", '#include <iostream>\n#include "table.h"\n#define VALUE 1\n' + GOOD +
                           'std::string name = "of the host";\n'
                           "int main() { std::cout << name << table.size() << std::endl; std::wcerr << 1; }\n")
        self.done(self.build(source))
        self.assertIn("_Z4fillPi", self.names_in(self.image))

    def test_several_sources_and_the_standard(self):
        first = self.file("fill.cu", GOOD)
        second = self.file("more.cu", "template <auto N> __global__ void more(int* p) { *p = N; }\n"
                           "template __global__ void more<3>(int*);\n")
        result = self.build("-DVALUE=1", "--std=c++20", first, second)
        self.assertEqual((OK, "1 of 2: %s\n2 of 2: %s\n" % (first, second)), (result.status, result.stderr))
        names = self.names_in(self.image)
        self.assertIn("_Z4fillPi", names)
        self.assertIn("_Z4moreILi3EEvPi", names)

    def test_compile_commands(self):
        self.file("inner/value.h", "#define VALUE 7\n")
        first = self.file("fill.cu", '#include "value.h"\n' + GOOD)
        second = self.file("more.cu", GOOD.replace("fill", "more"))
        flags = "nvcc -O2 -Iinner '-DVALUE=(7)' -std=gnu++17 -arch=sm_80 -c "
        entries = [{"directory": self.where, "file": first, "command": flags + "fill.cu"},
                   {"directory": self.where, "file": "more.cu",
                    "arguments": (flags + "more.cu").replace("'", "").split()},
                   {"directory": self.where, "file": "host.cpp", "command": "g++ -c host.cpp"}]
        listing = self.file("compile_commands.json", json.dumps(entries))
        self.assertEqual(OK, self.build("--from-compile-commands=" + listing).status)
        self.assertIn("_Z4morePi", self.names_in(self.image))
        self.done(self.build("--from-compile-commands=" + listing, first))
        self.assertNotIn("_Z4morePi", self.names_in(self.image))
        entries[1]["arguments"].append("-DOTHER")
        listing = self.file("compile_commands.json", json.dumps(entries))
        result = self.done(self.build("--from-compile-commands=" + listing), USAGE)
        self.assertIn("other flags for " + second, result.stderr)
        result = self.done(self.build("--from-compile-commands=" + listing, self.file("none.cu")), USAGE)
        self.assertIn("has no entry for some of the sources", result.stderr)
        self.done(self.build("--from-compile-commands=" + self.file("broken.json", "{")), FAILED)

    def test_every_way_in_which_compile_commands_say_it(self):
        source = self.file("fill.cu", GOOD)
        words = os.path.join(self.where, "words")
        script = self.file("my-clang", '#!/bin/sh\necho "$@" >> %s\nexec clang++-19 "$@"\n' % words)
        os.chmod(script, 0o755)
        for said, given in (("-isystem=inner -I=more", "-isystem %s/inner -I %s/more " % (self.where, self.where)),
                            ("-std=gnu++20", "-std=c++20"), ("--std c++20", "-std=c++20"), ("-std=c++14", "-std=c++14"),
                            ("-fmad=false", "-ffp-contract=off"), ("--fmad false", "-ffp-contract=off"),
                            ("-fmad=false --fmad=true", "-ffp-contract=off -ffp-contract=fast"),
                            ("-ffp-contract=off", "-ffp-contract=off"), ("-arch=sm_80", "-D__CUDA_ARCH_LIST__=800"),
                            ("-gencode arch=compute_90,code=sm_90 --generate-code=arch=compute_75,code=[sm_75]",
                             "-D__CUDA_ARCH_LIST__=750,900")):
            self.file("words")
            command = "nvcc %s -DVALUE=1 -c fill.cu" % said
            listing = self.file("commands.json", json.dumps([{"directory": self.where, "file": source,
                                                              "command": command}]))
            self.done(self.build("--from-compile-commands=" + listing, TORCHADA_CLANG=script))
            self.assertIn(" %s" % given, self.content_of(words), said)

    def test_the_architecture_that_kernels_see(self):
        """That of nvcc, as far as its instructions are here."""
        for flags, expected in (([], 700), (["-D__CUDA_ARCH_LIST__=750,800,900"], 750),
                                (["-D__CUDA_ARCH_LIST__=600"], 700), (["-D__CUDA_ARCH_LIST__=800"], 800),
                                (["-D__CUDA_ARCH_LIST__=900,1000"], 800),
                                (["-D__CUDA_ARCH_LIST__=800", "-D__CUDA_ARCH__=700"], 700),
                                (["-D__CUDA_ARCH_LIST__=600,700,800", "-D__CUDA_ARCH__=800"], 800)):
            source = self.file("fill.cu", "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != %d\n#error no\n#endif\n%s" %
                               (expected, GOOD))
            self.done(self.build(source, "-DVALUE=1", *flags))

    def test_damaged_compile_commands(self):
        for text, named in (("[1]", "entry 1 is no compile command"),
                            ('[{"directory": 1, "file": "a.cu"}]', "entry 1 is"),
                            ('[{"directory": "/"}]', "entry 1 is"), ('{"a"', "not a list of compile commands")):
            path = self.file("compile_commands.json", text)
            result = self.build("--from-compile-commands=" + path)
            self.done(result, FAILED)
            self.assertIn(path + ": " + named, result.stderr)
        result = self.build("--from-compile-commands=" + self.where)
        self.done(result, FAILED)

    def test_the_compiler_of_the_user(self):
        source = self.file("fill.cu", GOOD)
        script = self.file("my-clang", '#!/bin/sh\necho "$@" >> %s/words\nexec clang++-19 "$@"\n' % self.where)
        os.chmod(script, 0o755)
        self.done(self.build("-DVALUE=1", source, TORCHADA_CLANG=script + " -DEXTRA"))
        with open(os.path.join(self.where, "words"), encoding="utf-8") as words:
            self.assertIn("-DEXTRA", words.read())
        result = self.build("-DVALUE=1", source, TORCHADA_CLANG="/nonexistent/clang")
        self.assertEqual(NO, result.status, str(result))
        self.assertIn("/nonexistent/clang: No such file or directory; install clang-19", result.stderr)
        self.leaves_nothing()

    def test_an_interrupted_build_leaves_nothing(self):
        started = self.file("started")
        slow = self.file("slow", "#!/bin/sh\necho $$ > %s\nsleep 1000\n" % started)
        os.chmod(slow, 0o755)
        words = [os.path.join(STAGE, "bin", "torchada"), "kernels", "build", "-o", os.path.join(self.where, "image"),
                 "--backend=host", self.file("good.cu", GOOD), "-DVALUE=1"]
        for number in (signal.SIGINT, signal.SIGTERM):
            os.truncate(started, 0)
            with subprocess.Popen(words, env={**os.environ, "TMPDIR": self.where, "TORCHADA_CLANG": slow}) as run:
                compiler = self.content_of(started)
                run.send_signal(number)
                self.assertEqual(-number, run.wait(60))
            self.leaves_nothing()
            # Killed; its new parent may not have noticed yet.
            self.wait_until(lambda pid=compiler: not os.path.exists("/proc/%s/exe" % pid))

    def test_a_source_that_takes_too_long(self):
        """For clang, and for LLVM. The other source is compiled."""
        macros = self.file("macros.cu", "#define A0 *p = 1;\n" + "".join(
            "#define A%d A%d A%d\n" % (i, i - 1, i - 1) for i in range(1, 60)) + "__global__ void k(int* p) { A59 }\n")
        cases = "".join("case %d: *p = %d; break;" % (i, i * i % 77777) for i in range(20000))
        switch = self.file("switch.cu", "__global__ void k(int* p) { switch (*p) { %s } }\n" % cases)
        good = self.file("good.cu", GOOD)
        for slow in (macros, switch):
            # The good one takes a second on a busy machine, and the others more than 20.
            result = self.build("-DVALUE=1", "--seconds=4", "--jobs=1", slow, good)
            said = "%s: error: it was ended after 4 seconds of compiling; --seconds sets the limit\n" % slow
            self.assertEqual((NO, "1 of 2: %s\n%s2 of 2: %s\n" % (slow, said, good)), (result.status, result.stderr))
            self.leaves_nothing()

    def test_a_compiler_that_is_killed(self):
        """For its time, as a script's compiler may be, or for another reason."""
        source = self.file("good.cu", GOOD)
        endless = "while :; do :; done"
        for commands, limit, said in ((endless, 1, "it was ended after 1 seconds"),
                                      ("sh -c '%s'; exit $?" % endless, 2, "it was ended after 2 seconds"),
                                      ("kill -KILL $$", 60, "clang gives up")):
            script = self.file("killed", "#!/bin/sh\n%s\n" % commands)
            os.chmod(script, 0o755)
            result = self.build("-DVALUE=1", "--seconds=%d" % limit, source, TORCHADA_CLANG=script)
            self.assertEqual(NO, result.status, str(result))
            self.assertIn("%s: error: %s" % (source, said), result.stderr)
            self.leaves_nothing()

    def test_usage(self):
        source = self.file("fill.cu", GOOD)
        for words, message in (((), "no subcommand given"), (("make",), "unknown word 'make'"),
                               (("build", source), "no image named"), (("build", "-o", "x"), "no source given"),
                               (("build", "-o", "x", "/nonexistent.cu"), "no such file"),
                               (("build", "-o", "x", "--backend=mcc", source), "no MUSA found"),
                               (("build", "-o", "x", "--seconds=-1", source), "expected a number of seconds")):
            result = torchada("kernels", *words)
            self.assertIn(result.status, (USAGE, FAILED), str(result))
            self.assertIn(message, result.stderr)


class Cache(KernelsTest):
    """--cache: TORCHADA_CLANG counts compilers, and gives no object of a source that is named in `blocked`."""

    def setUp(self):
        super().setUp()
        self.kept = os.path.join(self.where, "kept")
        self.compiled = os.path.join(self.where, "compiled")
        self.blocked = self.file("blocked")
        script = self.file("counting", """#!/bin/sh
for source; do :; done
case $source in *.cu)
  echo "$(basename $source)" >> %s
  if [ "$(basename $source)" = "$(cat %s)" ]; then sleep 1000; fi
esac
exec clang++-19 "$@"
""" % (self.compiled, self.blocked))
        os.chmod(script, 0o755)
        self.clang = script
        self.file("one.h", "#define VALUE 1\n")
        self.sources = [self.file(name + ".cu", '#include "one.h"\n' * (name == "a") +
                                  "__global__ void %s(int* p) { *p = %s; }\n" % (name, "VALUE" if name == "a" else "2"))
                        for name in "abc"]

    def compiles(self, *words, cache="kept", status=OK, sources=None, **environment):
        """The sources that a build compiles, of all if none is given, and what it says."""
        self.file("compiled")
        result = self.build("--cache=" + os.path.join(self.where, cache), *words, *(sources or self.sources),
                            TORCHADA_CLANG=self.clang, **environment)
        self.assertEqual(status, result.status, str(result))
        self.leaves_nothing()
        with open(self.compiled, encoding="utf-8") as names:
            return sorted(names.read().split()), result.stderr

    def all_of(self, *from_cache):
        return "".join("%d of 3: %s%s\n" % (i + 1, path, " (from the cache)" * ("abc"[i] in from_cache))
                       for i, path in enumerate(self.sources))

    def test_what_is_the_same_is_not_compiled_again(self):
        every = ["a.cu", "b.cu", "c.cu"]
        self.assertEqual((every, self.all_of()), self.compiles())
        first = self.names_in(self.image)
        self.assertEqual(([], self.all_of("a", "b", "c")), self.compiles("--jobs=1"))
        self.assertEqual(first, self.names_in(self.image))
        self.file("one.h", "#define VALUE 3\n")
        self.assertEqual((["a.cu"], self.all_of("b", "c")), self.compiles())
        os.utime(os.path.join(self.where, "one.h"))
        self.assertEqual(([], self.all_of("a", "b", "c")), self.compiles())
        self.file("b.cu", "__global__ void b() {}\n")
        self.assertEqual((["b.cu"], self.all_of("a", "c")), self.compiles())

    def test_options_and_headers_of_the_system_count(self):
        self.file("system/one.h", "#define VALUE 1\n")
        os.remove(os.path.join(self.where, "one.h"))
        environment = {"CPLUS_INCLUDE_PATH": os.path.join(self.where, "system"), "sources": self.sources[:1]}
        for words, more in (((), {}), (("-DOTHER",), {}), ((), {"TORCHADA_HOST_ARCH": "mp_22"}), (("--std=c++20",), {}),
                            ((), {"cache": "other"})):
            self.assertEqual((["a.cu"], ""), self.compiles(*words, **environment, **more))
        self.assertEqual(([], ""), self.compiles(**environment))
        self.file("system/one.h", "#define VALUE 2\n")
        self.assertEqual(["a.cu"], self.compiles(**environment)[0])

    def test_warnings_are_kept(self):
        source = [self.file("b.cu", "__global__ void b(int* p) { *p = threadIdx.x % 32; }\n")]
        names, said = self.compiles(sources=source)
        self.assertIn("b.cu:1: warning: this takes a warp", said)
        self.assertEqual(([], said), self.compiles(sources=source))

    def test_errors_are_not_kept(self):
        self.file("b.cu", "__global__ void b() { missing(); }\n")
        self.assertEqual(["a.cu", "b.cu"], self.compiles(status=NO, sources=self.sources[:2])[0])
        names, said = self.compiles(status=NO, sources=self.sources[:2])
        self.assertEqual(["b.cu"], names)
        self.assertIn("b.cu:1:23: error:", said)

    def test_an_interrupted_build_goes_on(self):
        self.file("blocked", "b.cu")
        words = [os.path.join(STAGE, "bin", "torchada"), "kernels", "build", "-o", os.path.join(self.where, "image"),
                 "--backend=host", "--cache=" + self.kept, "--jobs=1", *self.sources]
        environment = {**os.environ, "TMPDIR": self.where, "TORCHADA_CLANG": self.clang}
        self.file("compiled")
        with subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL) as run:
            self.wait_until(lambda: "b.cu" in self.content_of(self.compiled))
            run.send_signal(signal.SIGTERM)
            self.assertEqual(-signal.SIGTERM, run.wait(60))
        self.file("blocked")
        self.assertEqual((["b.cu", "c.cu"], self.all_of("a")), self.compiles())

    def test_builds_at_the_same_time(self):
        words = [os.path.join(STAGE, "bin", "torchada"), "kernels", "build", "--backend=host", "--cache=" + self.kept,
                 *self.sources[:2], "-o"]
        runs = [subprocess.Popen(words + [os.path.join(self.where, "image%d" % i)], env={**os.environ,
                                 "TMPDIR": self.where}, stderr=subprocess.PIPE) for i in range(3)]
        for run in runs:
            said = run.communicate()[1].splitlines()
            self.assertEqual([], [line for line in said if b" of 2: " not in line])
            self.assertEqual(OK, run.returncode)
        self.assertEqual(2, len(os.listdir(self.kept)))
        self.assertEqual(2, len([name for name in os.listdir(self.kept) if name.endswith(".compiled")]))

    def test_what_others_could_have_written_is_not_used(self):
        self.compiles()
        entries = sorted(os.path.join(self.kept, name) for name in os.listdir(self.kept))
        self.assertEqual(3, len(entries))
        os.chmod(entries[0], 0o666)
        os.truncate(entries[1], os.path.getsize(entries[1]) - 1)
        names, said = self.compiles()
        self.assertEqual(2, len(names), said)
        for entry, why in zip(entries, ("other users may write to it", "it is damaged")):
            self.assertIn("--cache: %s is not used: %s\n" % (os.path.basename(entry), why), said)
        self.assertEqual([], self.compiles()[0])
        os.chmod(self.kept, 0o777)
        names, said = self.compiles()
        self.assertEqual(3, len(names))
        self.assertIn("--cache: %s is not used: other users may write to it" % self.kept, said)


class Mcc(KernelsTest):

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.where, "musa")
        os.makedirs(os.path.join(self.root, "lib"))
        shutil.copy(os.path.join(NATIVE, "libmusart.so.5"), os.path.join(self.root, "lib"))
        self.source = self.file("fill.cu", GOOD)

        mcc = self.file("musa/bin/mcc", '#!/bin/sh\nprintf "%%s\\n" "$@" > %s/words\nexit 4\n' % self.where)
        os.chmod(mcc, 0o755)
        self.words = ("kernels", "build", "-o", "out.image", "--musa-root=" + self.root)

    def check_given(self, *expected):
        """What mcc was given."""
        with open(os.path.join(self.where, "words"), encoding="utf-8") as written:
            self.assertEqual(["-x", "musa", "-mtgpu", "--offload-arch=mp_22", "--cuda-device-only", "-O2",
                              *expected, "-o", "out.image"], written.read().split())

    def test_arguments(self):
        words = (*self.words, self.source, "-DVALUE=1")
        self.assertEqual(4, torchada(*words, "--arch=mp_22").status)
        self.check_given("-DVALUE=1", self.source)
        self.assertIn("give --arch", self.done(torchada(*words), USAGE).stderr)
        self.assertIn("an image of one source", self.done(torchada(*words, "--arch=mp_22", self.source), USAGE).stderr)

    def test_arguments_of_a_recipe(self):
        """Its flags, then those of the command; a source by its name."""
        recipe = self.file("own.yaml", "name: own\nflags: [-std=c++17, -DVALUE=1]\ninclude: [headers]\n"
                                       "sources: [kernels/*.cu]\n")
        source = self.file("kernels/scale.cu", GOOD)
        words = (*self.words, "--recipe=" + recipe, "--arch=mp_22", "-DMORE")
        for named in ("scale.cu", source):
            self.assertEqual(4, torchada(*words, named).status)
            self.check_given("-std=c++17", "-DVALUE=1", "-I" + os.path.join(self.where, "headers"), "-DMORE", source)

    def test_none(self):
        os.unlink(os.path.join(self.root, "bin", "mcc"))
        result = torchada("kernels", "build", self.source, "-o", "x", "--musa-root=" + self.root, "--arch=mp_22")
        self.assertIn("bin/mcc does not exist", self.done(result, FAILED).stderr)


class OfRecipe(KernelsTest):
    """build --recipe=, for the stand-in."""

    def setUp(self):
        super().setUp()
        self.recipe = "--recipe=" + self.file("own.yaml", "name: own\nflags: [-DVALUE=1]\nsources: [\"*/*.cu\"]\n")
        self.file("one/fill.cu", GOOD)

    def test_flags(self):
        self.done(self.build(self.recipe, "fill.cu"))

    def test_names_that_stand_for_none_and_for_several(self):
        said = self.done(self.build(self.recipe, "gone.cu"), USAGE).stderr
        self.assertIn("gone.cu: no such file, and no source of own", said)
        other = self.file("two/fill.cu", GOOD)
        said = self.done(self.build(self.recipe, "fill.cu"), USAGE).stderr
        self.assertIn("recipe own has several; name one by its path: %s/one/fill.cu, " % self.where, said)
        self.done(self.build(self.recipe, other))

    def test_sources_that_were_not_fetched(self):
        recipe = self.file("far.yaml", "name: far\nsources: [a/*.cu]\nfetch:\n  - {archive: a.tar.xz, "
                                       "urls: [http://localhost/a], into: a, sha256: %s}\n" % ("0" * 64))
        said = self.done(self.build("--recipe=" + recipe, "fill.cu", TORCHADA_KERNELS_FOLDER=self.where), FAILED).stderr
        self.assertIn("are not there; run: torchada kernels fetch " + recipe, said)


class Installed(KernelsTest):

    def test_help(self):
        text = self.done(torchada("kernels", "--help")).stdout
        for word in ("build SOURCE... -o IMAGE", "--from-compile-commands=FILE", "-I, --include=DIR"):
            self.assertIn(word, text)

    def test_without_the_stand_in(self):
        command = self.installation()
        os.unlink(os.path.join(os.path.dirname(command), "..", "host"))
        host = os.path.join(os.path.dirname(command), "..", "host")
        os.mkdir(host)
        os.symlink(os.path.join(STAGE, "host", "5.2"), os.path.join(host, "current"))
        result = start(command, "kernels", "build", self.file("fill.cu", GOOD), "-o", "x", "--backend=host")
        self.assertIn("install torchada-host", self.done(result, FAILED).stderr)


if __name__ == "__main__":
    support.main()
