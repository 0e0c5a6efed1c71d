#!/usr/bin/python3
"""Stands where an installation has the command, and answers as ANSWERS (JSON) says: for the name of a kernel what to
do. It notes in NOTES what it sees. The real one gives few of these answers, and never when a test wants one."""
import array
import json
import os
import signal
import socket
import sys
import threading
import time

connection = socket.socket(fileno=int(sys.argv[-1].split("=")[1]))
answers = json.loads(os.environ["ANSWERS"])


def note(**what):
    file = os.open(os.environ["NOTES"], os.O_WRONLY | os.O_APPEND)
    os.write(file, (json.dumps({"pid": os.getpid(), **what}) + "\n").encode())
    os.close(file)


def act(answer, pipe):
    for step in answer:
        if step == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif isinstance(step, float):
            time.sleep(step)
        else:
            os.write(pipe, step.encode())
    os.close(pipe)


ignored = [line.split()[1] for line in open("/proc/self/status", encoding="utf-8")
           if line.startswith(("SigIgn", "SigBlk"))]
note(words=sys.argv[1:], ignored=ignored, session=os.getsid(0) != os.getsid(os.getppid()),
     open={number: os.path.realpath("/proc/self/fd/" + number) for number in os.listdir("/proc/self/fd")},
     environment={name: value for name, value in os.environ.items() if name.startswith(("LD_", "TORCHADA_"))})
while True:
    message, extra, _, _ = connection.recvmsg(1 << 20, socket.CMSG_SPACE(4), socket.MSG_CMSG_CLOEXEC)
    if not message:
        note(end=True)
        break
    descriptor = array.array("i", extra[0][2])[0]
    _, source, kind, name, rest = message.decode().split("\n")
    note(request=[source, kind, name + rest])
    steps = answers.get(source + " " + name, answers.get(source, ["none no such source\n"]))
    threading.Thread(target=act, args=(steps, descriptor)).start()
