"""Recipes: torchada kernels serve, fetch and prepare. The test speaks the protocol of torchada's libraries."""
import array
import glob
import hashlib
import io
import os
import socket
import subprocess
import tarfile
import zipfile

import support
from support import FAILED, OK, STAGE, USAGE, torchada

RECIPE = """name: own
sources: [sources/*.cu]
"""


class RecipesTest(support.CommandTest):

    def setUp(self):
        self.where = self.folder()
        self.kernels = os.path.join(self.where, "kernels")

    def file(self, name, text=""):
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def environment(self, **more):
        return {"TORCHADA_KERNELS_FOLDER": self.kernels, "TMPDIR": self.where, **more}

    def serve(self, recipe, command=os.path.join(STAGE, "bin", "torchada"), **environment):
        server = Server(command, recipe, {**os.environ, **self.environment(**environment)})
        self.addCleanup(server.end)
        return server


class Server:
    """A program's end of the connection."""

    def __init__(self, command, recipe, environment):
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self.process = subprocess.Popen(  # ended by end()
                [command, "kernels", "serve", "--recipe=" + recipe, "--socket=%d" % other.fileno()],
                env=environment, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.said = None

    def ask(self, source, name, kind="kernel"):
        """A file from which the answer can be read."""
        answer, end = os.pipe()
        self.send("make\n%s\n%s\n%s\n" % (source, kind, name), end)
        return os.fdopen(answer, encoding="utf-8")

    def send(self, text, descriptor):
        self.socket.sendmsg([text.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])
        os.close(descriptor)

    def make(self, source, name, kind="kernel"):
        with self.ask(source, name, kind) as answer:
            return answer.read()

    def end(self):
        """All that it has said."""
        if self.said is None:
            self.socket.close()
            self.said = self.process.communicate(timeout=60)[1]
        return self.said


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
                ("name: [own\n", "2: "),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {archive: a, into: b, sha256: 1}\n", "4: expected a SHA-256"),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {archive: ../a, into: b}\n", "4: expected a path below"),
                ("name: own\nsources: [a.cu]\nfetch:\n  - {into: b}\n", "4: expected either 'archive' or 'wheel'")):
            recipe = self.file("own.yaml", text)
            self.assertIn("none %s:%s" % (recipe, expected), self.answer(recipe), text)

    def test_a_recipe_that_is_missing(self):
        self.assertIn("gone.yaml: file not found", self.answer(self.where + "/gone.yaml"))
        self.assertIn("none there is no recipe 'pytorch'", self.answer("pytorch"))

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

    def test_it_is_not_for_users(self):
        text = torchada("kernels", "--help").stdout
        self.assertNotIn("--recipe", text)
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
