"""vLLM: its wrappers of the runtime and of NCCL, collectives and shared buffers of two devices, sleep mode, a kernel of
its own, and its engine with a model of one layer."""
import os

from client_steps import available, equal, main, step
from two_ranks import got, two_ranks
from wrappers import nccl_steps, runtime_steps

COUNT = 1 << 20


@step("load")
def load():
    import vllm
    return vllm


@step("query")
def platform(load):
    """It asks NVML which platform it is on."""
    from vllm.platforms import current_platform
    available(current_platform.is_cuda(), f"{type(current_platform).__name__}")
    assert "NVIDIA" not in current_platform.get_device_name(0).upper(), current_platform.get_device_name(0)
    assert current_platform.get_device_total_memory(0) > 0
    return current_platform


@step("load")
def cudart(load):
    """It looks for the runtime in /proc/self/maps, where torch's is."""
    from vllm.distributed.device_communicators.cuda_wrapper import CudaRTLibrary
    return CudaRTLibrary()


@step("load")
def nccl(load):
    from vllm.distributed.device_communicators.pynccl_wrapper import NCCLLibrary
    return NCCLLibrary()


runtime_steps()
nccl_steps()


@step("copy")
def sleep_mode(load):
    """What sleeps with a copy comes back as it was, at its address; what sleeps without one has memory again."""
    import torch
    from vllm.device_allocator.cumem import CuMemAllocator
    allocator, there = CuMemAllocator.get_instance(), torch.arange(float(COUNT))
    tensors = {}
    for tag in ("weights", "kv_cache"):
        with allocator.use_memory_pool(tag=tag):
            tensors[tag] = torch.empty(COUNT, device="cuda")
            tensors[tag].copy_(there)
    places = [tensor.data_ptr() for tensor in tensors.values()]
    used = allocator.get_current_usage()
    assert used >= 2 * 4 * COUNT, used
    awake = torch.cuda.mem_get_info()[0]
    allocator.sleep(offload_tags=("weights",))
    equal(torch.cuda.mem_get_info()[0] - awake, used, "bytes that were given back")
    allocator.wake_up()
    equal(torch.cuda.mem_get_info()[0], awake, "free bytes")
    equal([tensor.data_ptr() for tensor in tensors.values()], places)
    equal(tensors["weights"].cpu().equal(there), True, "what slept with a copy")
    tensors["kv_cache"].copy_(there)
    equal(tensors["kv_cache"].cpu().equal(there), True, "what slept without one")


@step("host")
def ranks(load):
    """All that two devices do together."""
    return two_ranks(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ranks.py"))


@step("library")
def communicator(ranks):
    """Its all-reduce at the start."""
    equal(got(ranks, "communicator"), [True] * 2)


@step("library")
def all_reduce_of_two(ranks):
    """Of a communicator that leaves out the one at the start, by vLLM's own switch; so are those that follow."""
    equal(got(ranks, "all_reduce"), [[0, 3, 6, 9]] * 2)


@step("library")
def all_gather(ranks):
    equal(got(ranks, "all_gather"), [[1, 2, 2, 3]] * 2)


@step("library")
def reduce_scatter(ranks):
    equal(got(ranks, "reduce_scatter"), [[0, 3], [6, 9]])


@step("library")
def broadcast(ranks):
    equal(got(ranks, "broadcast"), [[7, 8]] * 2)


@step("library")
def send_and_receive(ranks):
    equal(got(ranks, "send_and_receive"), [[7, 8]] * 2)


@step("copy")
def shared_buffer(ranks):
    equal(got(ranks, "shared_buffer"), [[2] * 4096, [1] * 4096])


@step("kernel")
def custom_all_reduce(ranks):
    equal(got(ranks, "custom_all_reduce"), [[3] * 1024] * 2)


@step("kernel")
def kernel(load, cudart):
    """It does not look whether the launch worked."""
    import torch
    import vllm._custom_ops  # noqa: F401
    given, out = torch.randn(4, 64, dtype=torch.half), torch.empty(4, 32, dtype=torch.half, device="cuda")
    torch.ops._C.silu_and_mul(out, given.cuda())
    status = cudart.cudaGetLastError()
    available(status == 0, cudart.cudaGetErrorString(status))
    expected = torch.nn.functional.silu(given[:, :32].float()) * given[:, 32:].float()
    equal(torch.allclose(out.cpu().float(), expected, 1e-2, 1e-2), True)


@step("kernel")
def engine(load, platform):
    """Its engine with a model of one layer and weights of its own choice."""
    from transformers import LlamaConfig
    LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=1, num_attention_heads=1,
                num_key_value_heads=1, vocab_size=256, max_position_embeddings=64,
                architectures=["LlamaForCausalLM"]).save_pretrained("model")
    model = load.LLM(model="model", load_format="dummy", skip_tokenizer_init=True, enforce_eager=True, dtype="float16",
                     max_model_len=64, gpu_memory_utilization=0.5)
    out, = model.generate({"prompt_token_ids": [1, 2, 3]}, load.SamplingParams(max_tokens=4, detokenize=False))
    equal(len(out.outputs[0].token_ids), 4)


main()
