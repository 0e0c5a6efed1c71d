"""What SGLang does between two devices: its communicator and its wrapper of NCCL, and its shared buffers."""
import ctypes

from two_ranks import ranks_main

SIZE = 4096


def communicator(rank):
    """It begins with an all-reduce of zeros, which a kernel of torch's writes."""
    from torch import distributed
    from sglang.srt.distributed.device_communicators.pynccl import PyNcclCommunicator
    out = PyNcclCommunicator(distributed.group.WORLD, f"cuda:{rank}")
    return out.available and not out.disabled


def all_reduce(rank):
    """By the wrapper alone."""
    import torch
    from torch import distributed
    from sglang.srt.distributed.device_communicators import pynccl_wrapper as wrapper
    nccl = wrapper.NCCLLibrary()
    chosen = [bytes(nccl.ncclGetUniqueId().internal) if rank == 0 else None]
    distributed.broadcast_object_list(chosen, 0)
    identifier = wrapper.ncclUniqueId()
    ctypes.memmove(ctypes.byref(identifier), chosen[0], len(chosen[0]))
    opened = nccl.ncclCommInitRank(2, identifier, rank)
    tensor = (torch.arange(4.0) * (rank + 1)).cuda()
    nccl.ncclAllReduce(wrapper.buffer_type(tensor.data_ptr()), wrapper.buffer_type(tensor.data_ptr()), tensor.numel(),
                       wrapper.ncclDataTypeEnum.from_torch(tensor.dtype),
                       wrapper.ncclRedOpTypeEnum.from_torch(distributed.ReduceOp.SUM), opened,
                       wrapper.cudaStream_t(torch.cuda.current_stream().cuda_stream))
    torch.cuda.synchronize()
    out = tensor.cpu().tolist()
    nccl.ncclCommDestroy(opened)
    return out


def shared_buffer(rank):
    """Each fills its own buffer and reads that of the other, by SGLang's wrapper of the runtime."""
    from torch import distributed
    from sglang.srt.distributed.device_communicators.cuda_wrapper import CudaRTLibrary
    from sglang.srt.distributed.device_communicators.custom_all_reduce import CustomAllreduce
    cudart, back = CudaRTLibrary(), ctypes.create_string_buffer(SIZE)
    buffers = CustomAllreduce.create_shared_buffer(SIZE, group=distributed.group.WORLD)
    cudart.cudaMemset(ctypes.c_void_p(buffers[rank]), rank + 1, SIZE)
    cudart.cudaDeviceSynchronize()
    distributed.barrier()
    cudart.cudaMemcpy(ctypes.c_void_p(ctypes.addressof(back)), ctypes.c_void_p(buffers[1 - rank]), SIZE)
    distributed.barrier()
    CustomAllreduce.free_shared_buffer(buffers, group=distributed.group.WORLD)
    return list(back.raw)


if __name__ == "__main__":
    ranks_main(communicator, all_reduce, shared_buffer)
