"""A process that has device memory and an engine, which moves it from and to that of another process.

  peer.py serve FILE             prints where it is, and waits; writes its memory into FILE at the end of the input
  peer.py visit FILE NAME PLACE  writes its first half into the peer's memory, and reads the peer's second half
  peer.py look FILE NAME PLACE   reads the peer's memory

PLACE is an address, or "first": of the first memory that the peer has registered. If there is none yet, the status is
75. Both memories have two halves of SIZE bytes. With MC_FORCE_TCP it goes by TCP, otherwise by MUSA's transport."""
import os
import sys

from musa_memory import DeviceMemory

PIECE, PIECES = 1 << 20, 4  # From 1 MiB on, the transport for MUSA copies pieces in batches.
SIZE = PIECE * PIECES


def pattern(seed):
    """Of SIZE bytes; no part repeats within a piece."""
    return b"".join((seed * (index + 1) * 0x9E3779B97F4A7C15 & (1 << 64) - 1).to_bytes(8, "little")
                    for index in range(SIZE // 8))


HERE, THERE = 3, 5  # Seeds: of what the visitor writes, and of what it reads.


def started():
    from mooncake import engine
    out = engine.TransferEngine()
    protocol = "tcp" if "MC_FORCE_TCP" in os.environ else "musa"
    status = out.initialize("127.0.0.1", "P2PHANDSHAKE", protocol, "")
    assert status == 0, status
    return out


def with_memory():
    engine, memory = started(), DeviceMemory(2 * SIZE)
    memory.fill(0, 2 * SIZE)
    status = engine.register_memory(memory.address, 2 * SIZE)
    assert status == 0, status
    return engine, memory


def keep(memory, path):
    with open(path, "wb") as out:
        out.write(memory.read(2 * SIZE))


def serve(path):
    engine, memory = with_memory()
    memory.write(pattern(THERE), SIZE)
    print(f"127.0.0.1:{engine.get_rpc_port()} {memory.address}", flush=True)
    sys.stdin.read()
    keep(memory, path)


def move(engine, memory, name, place, *operations):
    """One operation for each half."""
    there = engine.get_first_buffer_address(name) if place == "first" else int(place)
    if there == 0:
        sys.exit(75)
    for operation, half in zip(operations, (0, SIZE)):
        offsets = [half + index * PIECE for index in range(PIECES)]
        status = operation(name, [memory.address + offset for offset in offsets],
                           [there + offset for offset in offsets], [PIECE] * PIECES)
        assert status == 0, (half, status)


def visit(path, name, place):
    engine, memory = with_memory()
    memory.write(pattern(HERE))
    move(engine, memory, name, place, engine.batch_transfer_sync_write, engine.batch_transfer_sync_read)
    keep(memory, path)


def look(path, name, place):
    engine, memory = with_memory()
    move(engine, memory, name, place, engine.batch_transfer_sync_read, engine.batch_transfer_sync_read)
    keep(memory, path)


if __name__ == "__main__":
    {"serve": serve, "visit": visit, "look": look}[sys.argv[1]](*sys.argv[2:])
