"""torchada kernels serve: what it answers to a program. The test speaks the protocol of torchada's libraries."""
import array
import os
import socket
import subprocess

import support
from support import STAGE, torchada

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


if __name__ == "__main__":
    support.main()
