"""mooncake-transfer-engine-musa, built with MUSA SDK 5.2.0: moves memory between machines, by its engine and its
benchmark, by TCP and by its transport for MUSA."""
import contextlib
import ctypes
import os
import re
import signal
import subprocess
import sys
import time

from client_steps import equal, main, step
from musa_memory import DeviceMemory, runtime
from peer import HERE, PIECE, PIECES, SIZE, THERE, pattern, started

PEER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.py")
BENCHMARK = os.path.join(os.path.dirname(sys.executable), "transfer_engine_bench")
FILLED = b"\xcc"  # The benchmark fills its memory with this byte.
# Its pieces lie one after the other.
OPTIONS = ["--metadata_server=P2PHANDSHAKE", f"--buffer_size={2 * SIZE}", f"--block_size={PIECE}", "--threads=2",
           f"--batch_size={PIECES // 2}", "--duration=1"]


@step("load")
def load():
    """All libraries of the wheel that are linked with MUSA's."""
    from mooncake import engine, store
    equal(runtime().musaSetDevice(0), 0)
    return engine, store


@step("copy")
def allocator(load):
    """What torch takes its memory from: the driver's virtual memory, where the device has handles for other machines,
    else the runtime's."""
    import mooncake
    runtime(ctypes.RTLD_GLOBAL)  # It is linked with the driver alone: torch has the runtime.
    library = ctypes.CDLL(os.path.join(os.path.dirname(mooncake.__file__), "nvlink_allocator.so"))
    library.mc_nvlink_malloc.restype = ctypes.c_void_p
    library.mc_nvlink_malloc.argtypes = [ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p]
    library.mc_nvlink_free.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p]
    address = library.mc_nvlink_malloc(SIZE, 0, None)
    assert address
    memory = DeviceMemory.at(address)
    memory.write(pattern(HERE))
    equal(memory.read(SIZE), pattern(HERE))
    library.mc_nvlink_free(address, SIZE, 0, None)


@step("query")
def start(load):
    return started()


@step("query")
def managed_buffer(start):
    address = start.allocate_managed_buffer(4096)
    assert address != 0
    equal(start.free_managed_buffer(address, 4096), 0)


def environment(protocol):
    return {**os.environ, **({"MC_FORCE_TCP": "1"} if protocol == "tcp" else {})}


def ended(command, protocol):
    """What it printed."""
    end = time.monotonic() + 60
    while True:
        process = subprocess.run(command, env=environment(protocol), stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, check=False, timeout=60)
        if process.returncode != 75 or time.monotonic() > end:
            break
    if process.returncode:
        raise RuntimeError(f"status {process.returncode}: {process.stderr[-1500:]}")
    return process.stderr


def kept(path):
    with open(path, "rb") as file:
        return file.read()


@contextlib.contextmanager
def serving(path, protocol):
    """Another process with an engine. Gives its name and the place of its memory, which is in the file afterwards."""
    with subprocess.Popen([sys.executable, PEER, "serve", path], env=environment(protocol), stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        lines = iter(process.stdout.readline, "")
        yield next(line for line in lines if re.fullmatch(r"\S+:\d+ \d+\n", line)).split()
        process.communicate("")
    equal(process.returncode, 0, "status of the serving process")


@contextlib.contextmanager
def benchmark_serving(protocol):
    """The benchmark as target. Gives its name and the place of its memory."""
    with subprocess.Popen([BENCHMARK, "--mode=target", "--protocol=" + protocol, "--local_server_name=127.0.0.1:15999",
                           *OPTIONS], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True) as process:
        name = None
        for line in iter(process.stderr.readline, ""):
            found = re.search(r"listening on (\S+:\d+)", line)
            name = found.group(1) if found else name
            if "Allocating memory on GPU" in line:
                break
        try:
            yield name
        finally:
            # The command is a script that starts the program and ends with its status.
            with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as children:
                os.kill(int(children.read()), signal.SIGTERM)
        process.stderr.read()
    equal(process.returncode, 0, "status of the benchmark")


def engines(protocol):
    with serving("there", protocol) as (name, place):
        ended([sys.executable, PEER, "visit", "here", name, place], protocol)
    both = pattern(HERE) + pattern(THERE)
    equal(kept("there") == both, True, "memory of the peer")
    equal(kept("here") == both, True, "memory of the visitor")


@step("copy")
def engines_by_tcp(start):
    engines("tcp")


@step("copy")
def engines_by_musa(start):
    engines("musa")


def benchmark_writes(protocol):
    """The benchmark writes into the first half of an engine's memory, and nowhere else."""
    with serving("there", protocol) as (name, _):
        said = ended([BENCHMARK, "--mode=initiator", "--operation=write", "--protocol=" + protocol,
                      "--local_server_name=127.0.0.1:15998", "--segment_id=" + name, *OPTIONS], protocol)
    batches = int(re.search(r"Test completed: duration \S+, batch count (\d+), throughput", said).group(1))
    assert batches > 0, said
    equal(kept("there") == FILLED * SIZE + pattern(THERE), True, "memory of the peer")


@step("copy")
def benchmark_writes_by_tcp(load):
    benchmark_writes("tcp")


@step("copy")
def benchmark_writes_by_musa(load):
    benchmark_writes("musa")


def benchmark_serves(protocol):
    """An engine writes into the first half of the benchmark's memory and reads the second."""
    with benchmark_serving(protocol) as name:
        ended([sys.executable, PEER, "visit", "here", name, "first"], protocol)
        ended([sys.executable, PEER, "look", "seen", name, "first"], protocol)
    both = pattern(HERE) + FILLED * SIZE
    equal(kept("here") == both, True, "memory of the visitor")
    equal(kept("seen") == both, True, "memory of the benchmark")


@step("copy")
def benchmark_serves_by_tcp(load):
    benchmark_serves("tcp")


@step("copy")
def benchmark_serves_by_musa(load):
    benchmark_serves("musa")


@step("query")
def store(load):
    load[1].MooncakeDistributedStore()


main()
