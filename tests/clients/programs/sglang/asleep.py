"""Sleep mode, in a process in which torch_memory_saver's library is preloaded. Prints JSON."""
import json

import torch
from sglang.srt.utils.torch_memory_saver_adapter import TorchMemorySaverAdapter

COUNT = 1 << 20

saver, there, tensors = TorchMemorySaverAdapter.create(enable=True), torch.arange(float(COUNT)), {}
for tag, backup in (("weights", True), ("kv_cache", False)):
    with saver.region(tag, enable_cpu_backup=backup):
        tensors[tag] = torch.empty(COUNT, device="cuda")
        tensors[tag].copy_(there)
places = [tensor.data_ptr() for tensor in tensors.values()]
torch.cuda.synchronize()
awake = torch.cuda.mem_get_info()[0]
for tag in tensors:
    saver.pause(tag)
asleep = torch.cuda.mem_get_info()[0]
for tag in tensors:
    saver.resume(tag)
again = torch.cuda.mem_get_info()[0]
same = tensors["weights"].cpu().equal(there)
tensors["kv_cache"].copy_(there)
print("\n" + json.dumps({"given back": asleep - awake >= 2 * 4 * COUNT, "taken again": again == awake,
                         "same places": places == [tensor.data_ptr() for tensor in tensors.values()],
                         "same numbers": same, "new numbers": tensors["kv_cache"].cpu().equal(there)}), flush=True)
