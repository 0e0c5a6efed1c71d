"""The numbers that torch's kernels draw: Philox 4x32-10 by its published definition, and how torch deals them out to
threads (aten/src/ATen/native/cuda/DistributionTemplates.h)."""

import numpy

BLOCK, UNROLLED = 256, 4


def philox(seed, thread, offset):
    """Four words for each thread: its subsequence, and the place in it."""
    word = numpy.uint64(0xFFFFFFFF)
    thread, offset = (
        numpy.asarray(one, dtype=numpy.uint64) + numpy.zeros_like(thread, dtype=numpy.uint64)
        for one in (thread, offset)
    )
    counter = [offset & word, offset >> numpy.uint64(32), thread & word, thread >> numpy.uint64(32)]
    key = [numpy.uint64(seed & 0xFFFFFFFF), numpy.uint64(seed >> 32)]
    for _ in range(10):
        one, other = counter[0] * numpy.uint64(0xD2511F53), counter[2] * numpy.uint64(0xCD9E8D57)
        counter = [
            (other >> numpy.uint64(32)) ^ counter[1] ^ key[0],
            other & word,
            (one >> numpy.uint64(32)) ^ counter[3] ^ key[1],
            one & word,
        ]
        key = [(key[0] + numpy.uint64(0x9E3779B9)) & word, (key[1] + numpy.uint64(0xBB67AE85)) & word]
    return numpy.stack(counter, 1)


def words(seed, count, largest_grid, offset=0):
    """The word that each of `count` elements gets, and the four of its thread's turn. `largest_grid`: blocks that fit
    on the device. A thread has element after element of the grid, four in a turn."""
    threads = min(largest_grid, -(-count // BLOCK)) * BLOCK
    element = numpy.arange(count, dtype=numpy.uint64)
    turn, rest = element // numpy.uint64(threads * UNROLLED), element % numpy.uint64(threads * UNROLLED)
    four = philox(seed, rest % numpy.uint64(threads), turn + numpy.uint64(offset))
    place = (rest // numpy.uint64(threads)).astype(int)
    return four[numpy.arange(count), place], four, place


def uniform(word):
    """cuRAND's float in (0, 1], and torch's, which has 0 in place of 1."""
    made = word.astype(numpy.float32) * numpy.float32(2.0**-32) + numpy.float32(2.0**-33)
    return numpy.where(made == 1, numpy.float32(0), made)


def normal(four, place):
    """By Box and Muller: two words make two numbers."""
    pair = place // 2 * 2
    rows = numpy.arange(len(place))
    first, second = (four[rows, pair + n].astype(numpy.float64) for n in (0, 1))
    size = numpy.sqrt(-2 * numpy.log(first * 2.0**-32 + 2.0**-33))
    turn = numpy.float32(2.0**-32 * 2 * numpy.pi)  # The angle is a float.
    angle = (second.astype(numpy.float32) * turn + turn / 2).astype(numpy.float64)
    return size * numpy.where(place % 2 == 0, numpy.sin(angle), numpy.cos(angle))
