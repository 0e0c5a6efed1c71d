"""onnxruntime-gpu: a model of one addition, on the CPU and on a GPU."""
from client_steps import available, close, main, step


def field(number, value):
    """A field of a protocol buffer: a number, or bytes."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    value = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2, len(value)]) + value


def tensor(name):
    """ValueInfoProto: three floats."""
    shape = field(1, field(1, 3))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def model():
    """ModelProto: z = x + y."""
    node = field(1, "x") + field(1, "y") + field(2, "z") + field(4, "Add")
    graph = (field(1, node) + field(2, "g") + field(11, tensor("x")) + field(11, tensor("y")) + field(12, tensor("z")))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def add(load, provider):
    import numpy
    session = load.InferenceSession(model(), providers=[provider])
    available(session.get_providers()[0] == provider, f"runs on {session.get_providers()[0]}")
    x = numpy.array([1, 2, 3], dtype=numpy.float32)
    close(session.run(None, {"x": x, "y": x})[0], [2, 4, 6])


@step("load")
def load():
    import onnxruntime
    return onnxruntime


@step("host")
def providers(load):
    assert "CUDAExecutionProvider" in load.get_available_providers()


@step("host")
def on_the_cpu(load):
    add(load, "CPUExecutionProvider")


@step("library")
def on_the_gpu(load):
    add(load, "CUDAExecutionProvider")


@step("copy")
def value(load):
    import numpy
    there = numpy.array([1, 2, 3], dtype=numpy.float32)
    close(load.OrtValue.ortvalue_from_numpy(there, "cuda", 0).numpy(), there)


main()
