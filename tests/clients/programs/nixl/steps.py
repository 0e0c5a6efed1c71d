"""nixl: moves memory between agents, by UCX."""
import ctypes

from client_steps import equal, main, step


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
    cudart, pointer = ctypes.CDLL("libcudart.so.12"), ctypes.c_void_p()
    equal(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(4096)), 0)
    agent.deregister_memory(agent.register_memory([(pointer.value, 4096, 0, "")], "VRAM"))


main()
