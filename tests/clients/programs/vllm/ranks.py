"""What vLLM does between two devices: its communicator of NCCL, its shared buffers, and its own all-reduce."""
import ctypes
import functools

from two_ranks import ranks_main

SIZE = 4096


def communicator(rank):
    """It begins with an all-reduce of zeros, which a kernel of torch's writes."""
    from torch import distributed
    from vllm.distributed.device_communicators.pynccl import PyNcclCommunicator
    out = PyNcclCommunicator(distributed.group.WORLD, f"cuda:{rank}")
    return out.available and not out.disabled


@functools.lru_cache
def without_warm_up(rank):
    """By vLLM's own switch, which it uses on other devices."""
    from torch import distributed
    from vllm.distributed.device_communicators import pynccl
    pynccl._warmup_tls.deferred = True
    out = pynccl.PyNcclCommunicator(distributed.group.WORLD, f"cuda:{rank}")
    assert out.available and not out.disabled
    return out


def numbers(tensor):
    import torch
    torch.cuda.synchronize()
    return tensor.cpu().tolist()


def all_reduce(rank):
    import torch
    return numbers(without_warm_up(rank).all_reduce((torch.arange(4.0) * (rank + 1)).cuda()))


def all_gather(rank):
    import torch
    out = torch.empty(4, device="cuda")
    without_warm_up(rank).all_gather(out, torch.tensor([rank + 1.0, rank + 2.0]).cuda())
    return numbers(out)


def reduce_scatter(rank):
    import torch
    out = torch.empty(2, device="cuda")
    without_warm_up(rank).reduce_scatter(out, (torch.arange(4.0) * (rank + 1)).cuda())
    return numbers(out)


def broadcast(rank):
    import torch
    tensor = torch.tensor([7.0, 8.0] if rank == 0 else [0.0, 0.0]).cuda()
    without_warm_up(rank).broadcast(tensor, 0)
    return numbers(tensor)


def send_and_receive(rank):
    import torch
    tensor = torch.tensor([7.0, 8.0] if rank == 0 else [0.0, 0.0]).cuda()
    if rank == 0:
        without_warm_up(rank).send(tensor, 1)
    else:
        without_warm_up(rank).recv(tensor, 0)
    return numbers(tensor)


def shared_buffer(rank):
    """Each fills its own buffer and reads that of the other, by vLLM's wrapper of the runtime."""
    from torch import distributed
    from vllm.distributed.device_communicators.cuda_wrapper import CudaRTLibrary
    from vllm.distributed.device_communicators.custom_all_reduce import CustomAllreduce
    cudart, back = CudaRTLibrary(), ctypes.create_string_buffer(SIZE)
    buffers = CustomAllreduce.create_shared_buffer(SIZE, group=distributed.group.WORLD)
    cudart.cudaMemset(ctypes.c_void_p(buffers[rank]), rank + 1, SIZE)
    cudart.cudaDeviceSynchronize()
    distributed.barrier()
    cudart.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), ctypes.c_void_p(buffers[1 - rank]), SIZE)
    distributed.barrier()
    CustomAllreduce.free_shared_buffer(buffers, group=distributed.group.WORLD)
    return list(back.raw)


def custom_all_reduce(rank):
    """By its own kernel, in memory that the devices share."""
    import torch
    from torch import distributed
    from vllm.distributed.device_communicators.cuda_wrapper import CudaRTLibrary
    from vllm.distributed.device_communicators.custom_all_reduce import CustomAllreduce
    own = CustomAllreduce(distributed.group.WORLD, f"cuda:{rank}")
    if own.disabled:
        raise RuntimeError("custom all-reduce is disabled")
    out, cudart = own.custom_all_reduce(torch.full((1024,), rank + 1.0).cuda()), CudaRTLibrary()
    status = cudart.cudaGetLastError()  # It does not look whether the launch worked.
    if status:
        raise RuntimeError(cudart.cudaGetErrorString(status))
    return numbers(out)


if __name__ == "__main__":
    ranks_main(communicator, all_reduce, all_gather, reduce_scatter, broadcast, send_and_receive, shared_buffer,
               custom_all_reduce)
