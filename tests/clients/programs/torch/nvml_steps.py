"""torch with NVML: what torch.cuda asks it about three devices, and what torch does with the answers."""
import time

from children import in_child, use_expandable_memory
from client_steps import equal, main, step
from neighbour import allocated, busy

MIB = 1 << 20
MEMORY = 2048 * MIB  # Of each device.


@step("load")
def load():
    import torch
    return torch


@step("load")
def nvml(load):
    """What torch calls."""
    import pynvml
    pynvml.nvmlInit()
    return pynvml


def soon(ask, expected):
    """Until it tells what is expected; the last answer otherwise."""
    end = time.monotonic() + 30
    while (told := ask()) != expected and time.monotonic() < end:
        time.sleep(0.06)
    equal(told, expected)


def used(load):
    """Bytes, of each device."""
    return [load.cuda.device_memory_used(device) for device in range(3)]


# Devices.

@step("query")
def count(load):
    """NVML tells it, so CUDA can be used in a child of fork()."""
    in_child("""
import os
assert torch.cuda.device_count() == 3 and torch.cuda.is_available()
child = os.fork()
if child == 0:
    os._exit(0 if torch.arange(3.0).cuda(2).cpu().tolist() == [0, 1, 2] else 1)
assert os.waitpid(child, 0)[1] == 0
""", PYTORCH_NVML_BASED_CUDA_CHECK="1")


@step("query")
def properties(load, nvml):
    """Both libraries tell the same of each device."""
    for index in range(3):
        known, handle = load.cuda.get_device_properties(index), nvml.nvmlDeviceGetHandleByIndex(index)
        equal(known.total_memory, MEMORY)
        equal(nvml.nvmlDeviceGetMemoryInfo(handle).total, MEMORY)
        equal(nvml.nvmlDeviceGetName(handle), known.name)
        equal(nvml.nvmlDeviceGetUUID(handle), f"GPU-{known.uuid}")
        equal(nvml.nvmlDeviceGetCudaComputeCapability(handle), (known.major, known.minor))
    equal(load.cuda.get_device_name(1), load.cuda.get_device_properties(1).name)
    equal(load.cuda.get_device_capability(1), (known.major, known.minor))


def memory_is_used_of(visible, places):
    """torch numbers those devices that it sees, NVML numbers all."""
    in_child(f"""
import pynvml
there = torch.empty(64 << 20, dtype=torch.uint8, device="cuda:0")
pynvml.nvmlInit()
used = [pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(i)).used for i in range(3)]
assert used == [64 << 20 if i == {places[0]} else 0 for i in range(3)], used
told = [torch.cuda.device_memory_used(i) for i in range(torch.cuda.device_count())]
assert told == [used[i] for i in {places}], told
""", CUDA_VISIBLE_DEVICES=visible)


@step("query")
def place(load, nvml):
    """On the PCI bus."""
    for index in range(3):
        known, told = load.cuda.get_device_properties(index), nvml.nvmlDeviceGetPciInfo(
            nvml.nvmlDeviceGetHandleByIndex(index))
        equal((told.domain, told.bus, told.device), (known.pci_domain_id, known.pci_bus_id, known.pci_device_id))


@step("query")
def visible_devices(load):
    memory_is_used_of("2,0", [2, 0])


@step("query")
def visible_identifier(nvml):
    memory_is_used_of(nvml.nvmlDeviceGetUUID(nvml.nvmlDeviceGetHandleByIndex(1)), [1])


# Memory.

@step("query")
def memory_used(load):
    before = used(load)
    there = load.empty(300 * MIB, dtype=load.uint8, device="cuda:1")
    equal(used(load), [before[0], before[1] + there.numel(), before[2]])
    equal(load.cuda.device_memory_used(1), MEMORY - load.cuda.mem_get_info(1)[0])
    equal(load.cuda.memory_usage(1), 100 * load.cuda.device_memory_used(1) // MEMORY)


@step("query")
def memory_of_another_process(load):
    before = used(load)
    with allocated(512 * MIB):
        equal(used(load), [before[0] + 512 * MIB, before[1], before[2]])
    soon(lambda: used(load), before)


@step("query")
def out_of_memory(load):
    """torch asks NVML for the processes that hold the memory, and does without them."""
    try:
        load.empty(2 * MEMORY, dtype=load.uint8, device="cuda")
    except load.OutOfMemoryError as error:
        assert "Tried to allocate 4.00 GiB" in str(error), error
    else:
        raise AssertionError("there is no such memory")


@step("query")
def expandable_memory(load):
    use_expandable_memory()


# Work.

@step("query")
def idle(load):
    soon(lambda: [load.cuda.utilization(device) for device in range(3)], [0, 0, 0])


@step("query")
def utilization(load, idle):
    """Of a stream whose one product is still under way when the question is answered."""
    size, told = 1024, []
    while len(told) < 3:
        size *= 2
        assert size <= 16384, told
        product = load.rand(size, size, dtype=load.float64).cuda(1)
        product, end, told = product @ product, load.cuda.Event(), []
        end.record(load.cuda.current_stream(1))
        while not end.query():
            told.append([load.cuda.utilization(device) for device in range(3)])
            time.sleep(0.06)
        told.pop()  # The product may have ended before the answer.
    equal(max(told), [0, 100, 0])
    soon(lambda: load.cuda.utilization(1), 0)


@step("query")
def utilization_by_another_process(load, idle):
    with busy():
        soon(lambda: load.cuda.utilization(), 100)
        equal(load.cuda.utilization(2), 0)
    soon(lambda: load.cuda.utilization(), 0)


# A CPU has no sensors for these.

@step("query")
def temperature(load):
    load.cuda.temperature()


@step("query")
def power_draw(load):
    load.cuda.power_draw()


@step("query")
def clock_rate(load):
    load.cuda.clock_rate()


# MTML tells no processes, and nobody is shown an empty list.

@step("query")
def processes(load):
    load.cuda.list_gpu_processes()


main()
