"""nixl: moves memory between agents, by UCX."""
import ctypes
import time

from client_steps import equal, main, step

DATA = bytes(range(256)) * 16


def on_device(cudart, data):
    """The address of device memory that holds it."""
    pointer, size = ctypes.c_void_p(), ctypes.c_size_t(len(data))
    equal(cudart.cudaMalloc(ctypes.byref(pointer), size), 0)
    equal(cudart.cudaMemcpy(pointer, data, size, 1), 0)
    return pointer.value


@step("load")
def load():
    import nixl_cu12._api
    return nixl_cu12._api


@step("host")
def agent(load):
    return load.nixl_agent("one", load.nixl_agent_config(backends=["UCX"]))


@step("host")
def host_memory(agent):
    buffer = ctypes.create_string_buffer(4096)
    agent.deregister_memory(agent.register_memory([(ctypes.addressof(buffer), 4096, 0, "")], "DRAM"))


@step("query")
def device_memory(agent):
    address = on_device(ctypes.CDLL("libcudart.so.12"), DATA)
    agent.deregister_memory(agent.register_memory([(address, len(DATA), 0, "")], "VRAM"))


@step("copy")
def transfer(load, agent):
    """From device memory of one agent to that of another."""
    cudart, other = ctypes.CDLL("libcudart.so.12"), load.nixl_agent("two", load.nixl_agent_config(backends=["UCX"]))
    places = [on_device(cudart, DATA), on_device(cudart, bytes(len(DATA)))]
    for owner, place in zip((agent, other), places):
        owner.register_memory([(place, len(DATA), 0, "")], "VRAM")
    equal(agent.add_remote_agent(other.get_agent_metadata()), b"two")
    handle = agent.initialize_xfer("WRITE", *(agent.get_xfer_descs([(place, len(DATA), 0)], "VRAM")
                                              for place in places), "two")
    state, end = agent.transfer(handle), time.monotonic() + 30
    while state == "PROC" and time.monotonic() < end:
        state = agent.check_xfer_state(handle)
    equal(state, "DONE")
    back = ctypes.create_string_buffer(len(DATA))
    equal(cudart.cudaMemcpy(back, ctypes.c_void_p(places[1]), ctypes.c_size_t(len(DATA)), 2), 0)
    equal(back.raw, DATA)


main()
