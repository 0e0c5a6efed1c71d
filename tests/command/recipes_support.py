"""For the tests of recipes: a program's end of the protocol of torchada's libraries."""
import array
import os
import socket
import subprocess

import support
from support import STAGE


class RecipesTest(support.CommandTest):

    def setUp(self):
        self.where = self.folder()
        self.kernels = os.path.join(self.where, "kernels")

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
