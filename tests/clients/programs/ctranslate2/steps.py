"""CTranslate2: linked with the static CUDA runtime."""
from client_steps import available, close, main, step


@step("load")
def load():
    import ctranslate2
    return ctranslate2


@step("host")
def on_the_cpu(load):
    import numpy
    there = numpy.arange(6, dtype=numpy.float32)
    close(numpy.array(load.StorageView.from_array(there)), there)


@step("query")
def count(load):
    available(load.get_cuda_device_count() == 1, f"{load.get_cuda_device_count()} devices")


@step("copy")
def on_the_gpu(load):
    import numpy
    there = load.StorageView.from_array(numpy.arange(6, dtype=numpy.float32))
    close(numpy.array(there.to_device(load.Device.cuda).to_device(load.Device.cpu)), range(6))


main()
