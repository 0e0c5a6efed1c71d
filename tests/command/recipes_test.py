"""Recipes: what torchada kernels serve and run answer without a compiler, and torchada kernels fetch."""
import glob
import hashlib
import io
import os
import subprocess
import tarfile
import zipfile

import support
from recipes_support import RecipesTest
from support import FAILED, OK, STAGE, USAGE, torchada

RECIPE = """name: own
sources: [sources/*.cu]
"""


class Answers(RecipesTest):
    """What needs no compiler."""

    def answer(self, recipe, **environment):
        server = self.serve(recipe, **environment)
        answer = server.make("fill_cu", "_Z4fillPi")
        self.assertEqual(answer, server.make("fill_cu", "_Z4fillPi"))
        return answer

    def test_malformed_recipes(self):
        for text, expected in (
                ("name: own\nsources: [a.cu]\nflag: [-w]\n", "3: unknown key 'flag'"),
                ("name: own\n", "1: missing key 'sources'"),
                ("name: ../own\nsources: [a.cu]\n", "1: expected a name of letters, digits"),
                ("name: objects\nsources: [a.cu]\n", "1: 'objects' is the name of the cache"),
                ("name: own\nsources: a.cu\n", "2: expected a list"),
                ("name: own\ncapability: 8\nsources: [a.cu]\n", "2: '8' is no compute capability"),
                ("name: [own\n", "2: "),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {archive: a, into: b, sha256: 1}\n", "4: expected a SHA-256"),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {archive: ../a, into: b}\n", "4: expected a path below"),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {into: b}\n", "4: expected either 'archive' or 'wheel'")):
            recipe = self.file("own.yaml", text)
            self.assertIn("none %s:%s" % (recipe, expected), self.answer(recipe), text)

    def test_the_compute_capability_that_a_program_sees(self):
        recipe = self.file("own.yaml", "name: own\ncapability: '8.0'\nsources: [a.cu]\n")
        for given, expected in (({}, "8.0\n"), ({"TORCHADA_COMPUTE_CAPABILITY": "9.0"}, "9.0\n")):
            ran = torchada("run", "--backend=host", "--kernels-from=" + recipe, "--", "printenv",
                           "TORCHADA_COMPUTE_CAPABILITY", **self.environment(), **given)
            self.assertEqual(ran.stdout, expected)

    def test_run_takes_several(self):
        first = self.file("first.yaml", "name: first\nsources: [a.cu]\n")
        second = self.file("second.yaml", "name: second\ncapability: '8.0'\nsources: [a.cu]\n")
        for given, expected in ((first + ":" + second, first + ":" + second), ("pytorch-2.6::" + first,
                                                                               "pytorch-2.6:" + first)):
            ran = torchada("run", "--backend=host", "--kernels-from=" + given, "--", "printenv",
                           "TORCHADA_KERNELS_FROM", "TORCHADA_COMPUTE_CAPABILITY", **self.environment())
            self.assertEqual(ran.stdout, expected + "\n8.0\n")
        ran = torchada("run", "--backend=host", "--kernels-from=:", "--", "true", **self.environment())
        self.assertIn("--kernels-from names no recipe", self.done(ran, USAGE).stderr)

    def test_run_reads_the_recipe_first(self):
        recipe = self.file("own.yaml", "name: own\n")
        ran = torchada("run", "--backend=host", "--kernels-from=" + recipe, "--", "true", **self.environment())
        self.assertIn(recipe + ":1: missing key 'sources'", self.done(ran, FAILED).stderr)

    def test_a_recipe_that_is_missing(self):
        self.assertIn("gone.yaml: file not found", self.answer(self.where + "/gone.yaml"))
        self.assertIn("none there is no recipe 'pytorch'", self.answer("pytorch"))

    def test_a_program_that_does_not_tell_its_sources(self):
        server = self.serve(self.file("own.yaml", RECIPE))
        self.assertEqual("none the program does not tell its source, and recipe own names none for such kernels "
                         "(exceptions: '')\n", server.make("", "_Z4fillPi"))

    def test_names_that_no_source_has(self):
        recipe = self.file("own.yaml", RECIPE)
        self.assertEqual("none recipe own has no source for fill_cu\n", self.answer(recipe))

    def test_sources_that_were_not_fetched(self):
        recipe = self.file("own.yaml", RECIPE + "fetch:\n  - {archive: a.tar.xz, urls: [http://localhost/a], into: a,"
                                                " sha256: %s}\n" % ("0" * 64))
        self.assertIn("are not there; run: torchada kernels fetch own", self.answer(recipe))

    def test_a_folder_that_others_may_write_to(self):
        os.makedirs(self.kernels + "/objects")
        os.chmod(self.kernels + "/objects", 0o777)
        answer = self.answer(self.file("own.yaml", RECIPE))
        self.assertIn("kernels/objects is not used: other users may write to it", answer)

    def test_requests_that_are_not_understood(self):
        server = self.serve(self.file("own.yaml", RECIPE))
        for text in ("", "make", "make\nfill_cu\nkernel\n", "make\nfill_cu\nthing\nname\n", "x" * 100000):
            answer, end = os.pipe()
            server.send(text or "\n", end)
            with os.fdopen(answer) as file:
                self.assertEqual("failed the request is not understood\n", file.read())
        self.assertIn("no source", server.make("fill_cu", "_Z4fillPi"))

    def test_what_check_says_of_a_program_that_has_a_recipe(self):
        source = self.file("site/torch/kernels.cu", "__global__ void k();\nvoid f() { k<<<1, 1>>>(); }\n")
        self.file("site/torch/lib/libtorch_cuda.so")
        for version, expected in (("2.6.0+cu124", "torchada run --kernels-from=pytorch-2.6, which makes them from "
                                                  "their sources; still lacking: its sources (torchada kernels fetch "
                                                  "pytorch-2.6)|; refused all the same: cuDNN (torch.backends."),
                                  ("2.5.1+cu124", "if you have the source of the kernels: torchada kernels build")):
            self.file("site/torch/version.py", "__version__ = '%s'\n" % version)
            result = torchada("check", source, **self.environment())
            for part in expected.split("|"):
                self.assertIn(part, result.stdout, str(result))

    def test_it_is_not_for_users(self):
        text = torchada("kernels", "--help").stdout
        self.assertIn("build|list|check|fetch|prepare WORD", text)  # and not serve
        self.assertNotIn("--socket", text)
        self.assertIn("is no open descriptor", torchada("kernels", "serve", "--recipe=a", "--socket=77").stderr)


class Fetch(RecipesTest):
    """From local files: by curl, by pip, and as given."""

    def archive(self, members):
        path = os.path.join(self.where, "own-1.0.tar.xz")
        with tarfile.open(path, "w:xz") as out:
            for name, text in members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                out.addfile(entry, io.BytesIO(text.encode()))
        return path

    def hash_of(self, path):
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def recipe(self, archive, sha256=None, more=""):
        return self.file("own.yaml", f"""name: own
fetch:
  - archive: own.tar.xz
    urls: ["file:///nonexistent/own.tar.xz", "file://{archive}"]
    sha256: {sha256 or self.hash_of(archive)}
    into: own
    strip: 1
    only: ["src/*.cu"]
{more}sources: [own/src/*.cu]
""")

    def fetch(self, recipe, *words, status=OK):
        result = torchada("kernels", "fetch", recipe, *words, **self.environment())
        self.assertEqual(status, result.status, str(result))
        return result.stderr

    def files(self):
        root = self.kernels + "/own/"
        return sorted(path[len(root):] for path in glob.glob(root + "**", recursive=True) if os.path.isfile(path))

    def setUp(self):
        super().setUp()
        self.packed = self.archive({"own-1.0/src/a.cu": "a", "own-1.0/src/a.h": "h", "own-1.0/src/../../../b.cu": "b",
                                    "/own-1.0/src/c.cu": "c"})

    def test_an_archive(self):
        self.archive({"own-1.0/src/a.cu": "a", "own-1.0/src/d.cu": "d" * 40000000})  # as a stream
        recipe = self.recipe(self.packed)
        said = self.fetch(recipe)
        self.assertIn("torchada: kernels: 1 of 1: own.tar.xz\n", said)
        self.assertIn("recipe own is complete in %s/own\n" % self.kernels, said)
        mark = "fetched/" + self.hash_of(self.packed)
        self.assertEqual(sorted(["fetch.lock", mark, "own/src/a.cu", "own/src/d.cu"]), self.files())
        self.assertEqual(0o700, os.stat(self.kernels + "/own").st_mode & 0o777)
        os.unlink(self.packed)
        self.assertIn("own.tar.xz (there already)", self.fetch(recipe))

    def test_a_new_version_replaces_the_old_one(self):
        self.fetch(self.recipe(self.packed))
        self.fetch(self.recipe(self.archive({"own-1.1/src/e.cu": "e"})))
        self.assertEqual(["own/src/e.cu"], [name for name in self.files() if name.endswith(".cu")])

    def test_a_local_archive(self):
        digest = self.hash_of(self.packed)
        other = os.path.join(self.where, "mine")
        os.rename(self.packed, other)
        recipe = self.recipe("/nonexistent/x", digest)
        said = self.fetch(recipe, status=FAILED)
        self.assertIn("own.tar.xz was not found where the recipe says; get it elsewhere", said)
        self.assertIn("with --from", said)
        self.fetch(recipe, "--from=" + other)
        self.assertIn("own/src/a.cu", self.files())
        self.assertTrue(os.path.exists(other))
        self.assertIn("is none of the files that recipe own names",
                      self.fetch(recipe, "--from=" + recipe, status=FAILED))
        self.fetch(recipe, "--from=/nonexistent/x", status=USAGE)

    def test_another_content(self):
        said = self.fetch(self.recipe(self.packed, "0" * 64), status=FAILED)
        self.assertIn("its SHA-256 is %s, expected %s" % (self.hash_of(self.packed), "0" * 64), said)
        self.assertEqual(["fetch.lock"], self.files())

    def test_an_interrupted_download_goes_on(self):
        recipe = self.recipe(self.packed)
        with open(self.packed, "rb") as file:
            begin = file.read(1000)
        os.makedirs(self.kernels + "/own/downloads", mode=0o700)
        os.chmod(self.kernels + "/own", 0o700)
        with open(self.kernels + "/own/downloads/own.tar.xz.part", "wb") as out:
            out.write(begin)
        self.assertIn("own is complete", self.fetch(recipe))

    def test_a_damaged_archive(self):
        with open(self.packed, "r+b") as file:
            file.truncate(os.path.getsize(self.packed) - 100)
        self.assertIn("cannot be unpacked", self.fetch(self.recipe(self.packed), status=FAILED))
        self.assertEqual([], [name for name in self.files() if name.startswith("fetched")])

    def test_generated_sources(self):
        recipe = self.recipe(self.packed, more="generate:\n  - {makes: gen/g.cu, run: mkdir gen; echo g >gen/g.cu}\n")
        self.assertIn("making gen/g.cu", self.fetch(recipe))
        self.assertIn("gen/g.cu", self.files())
        self.assertNotIn("making", self.fetch(recipe))
        recipe = self.recipe(self.packed, more="generate:\n  - {makes: gen/h.cu, run: 'false'}\n")
        self.assertIn("gen/h.cu was not made by: false", self.fetch(recipe, status=FAILED))

    def test_a_wheel(self):
        if subprocess.run(["python3", "-m", "pip", "--version"], capture_output=True, check=False).returncode != 0:
            self.skipTest("python3 has no pip")
        wheel = os.path.join(self.where, "headers-1.0-py3-none-any.whl")
        with zipfile.ZipFile(wheel, "w") as out:
            out.writestr("headers/include/a.h", "a")
            out.writestr("headers/a.so", "a")
            out.writestr("headers-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: headers\nVersion: 1.0\n")
            out.writestr("headers-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
                                                        "Tag: py3-none-any\n")
            out.writestr("headers-1.0.dist-info/RECORD", "")
        text = """name: own
fetch:
  - wheel: headers==1.0
    sha256: %s
    tags: [--no-index, --find-links=%s]
    into: packages
    only: ["headers/include/*"]
sources: [own.cu]
"""
        self.fetch(self.file("own.yaml", text % (self.hash_of(wheel), self.where)))
        self.assertIn("packages/headers/include/a.h", self.files())
        self.assertNotIn("packages/headers/a.so", self.files())
        said = self.fetch(self.file("own.yaml", text % ("1" * 64, self.where)), status=FAILED)
        self.assertIn("pip could not bring headers==1.0", said)

    def test_a_recipe_without_sources_to_fetch(self):
        self.assertIn("fetches nothing: its sources are in " + self.where, self.fetch(self.file("own.yaml", RECIPE)))

    def test_the_recipes_that_torchada_has(self):
        """They can be read; nothing is fetched."""
        folder = os.path.join(STAGE, "share", "recipes")
        names = sorted(name[:-len(".yaml")] for name in os.listdir(folder))
        self.assertIn("pytorch-2.6", names)
        text = " ".join(torchada("kernels", "--help").stdout.split())
        self.assertIn("Recipes that torchada has: %s." % ", ".join(names), text)
        for name in names:
            result = torchada("kernels", "prepare", name, "--all", **self.environment())
            self.assertIn("are not there; run: torchada kernels fetch " + name, self.done(result, FAILED).stderr)


if __name__ == "__main__":
    support.main()
