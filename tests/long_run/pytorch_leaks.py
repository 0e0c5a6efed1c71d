"""What leaks.cpp does, by PyTorch and Python."""
import mmap
import os
import threading

import torch

_kept = []


def _lose_thread():
    threading.Thread(target=threading.Event().wait, daemon=True).start()


def _lose_child():
    if os.fork() == 0:
        os._exit(0)  # pylint: disable=protected-access


LOSSES = {
    "memory": lambda: _kept.append(b"1" * 2_000_000),
    "descriptor": lambda: os.open("/dev/null", os.O_RDONLY),
    "thread": _lose_thread,
    # Memory of its own file, so that the kernel cannot join neighbours.
    "mapping": lambda: _kept.append(mmap.mmap(-1, 4096)),
    "child": _lose_child,
    "device": lambda: _kept.append(torch.empty(4 << 20, dtype=torch.uint8, device="cuda")),
}


def lose(what):
    LOSSES[what]()
