"""accelerate, and transformers' Trainer on it: accelerate's own tests by its launcher, with one process and with two,
and a small model that is trained, asked, split and restored, beside the same on the CPU."""
import os
import subprocess
import sys
import tempfile

from client_steps import available, close, equal, main, step

WORDS = 61


@step("load")
def load():
    import accelerate
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    return accelerate, torch, transformers


@step("query")
def device(load):
    accelerator = load[0].Accelerator()
    available(accelerator.device.type == "cuda", f"accelerate chose {accelerator.device}")
    return accelerator


def launched(script, processes, *lines):
    """Runs a test that accelerate brings, by its launcher, and looks for what it prints of its parts."""
    import accelerate.test_utils as tests

    path = os.path.join(os.path.dirname(tests.__file__), "scripts", script)
    several = ["--multi_gpu"] if processes > 1 else []
    words = [sys.executable, "-m", "accelerate.commands.launch", f"--num_processes={processes}", "--num_machines=1",
             "--mixed_precision=no", "--dynamo_backend=no", *several, path]
    environment = {**os.environ, "TORCHADA_HOST_DEVICES": str(processes)}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment,
                          stdin=subprocess.DEVNULL)
    sys.stderr.write(done.stderr)
    if done.returncode:
        raise RuntimeError(f"{script}: status {done.returncode}: {done.stderr[-600:]}")
    for line in lines:
        equal(line in done.stdout, True, f"{script} says '{line}'")


@step("kernel")
def own_test():
    """What `accelerate test` runs: training by one process gives the same weights as without accelerate, also in half
    precision, and samplers, seeds and moves of batches are as they should be."""
    launched("test_script.py", 1, "All rng are properly synched", "Non-shuffled dataloader passing",
             "Training yielded the same results on one CPU or distributed setup with batch split",
             "FP16 training check", "BF16 training check")


def model(load):
    """A Llama with random weights, the same each time."""
    _, torch, transformers = load
    torch.manual_seed(1)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=WORDS, hidden_size=48, intermediate_size=96, num_hidden_layers=4, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=64, bos_token_id=1, eos_token_id=2, pad_token_id=0,
        attn_implementation="eager"))


def texts(torch, count):
    words = torch.randint(3, WORDS, (count, 16), generator=torch.Generator().manual_seed(3))
    return [{"input_ids": text, "labels": text} for text in words]


@step("kernel")
def trainer(load):
    """Twelve steps of transformers' Trainer: the losses, and the loss on other texts."""
    accelerate, torch, transformers = load

    def losses(on_cpu):
        accelerate.state.AcceleratorState._reset_state(True)
        with tempfile.TemporaryDirectory() as folder:
            work = transformers.Trainer(
                model(load),
                transformers.TrainingArguments(
                    folder, max_steps=12, per_device_train_batch_size=4, gradient_accumulation_steps=2,
                    learning_rate=3e-3, lr_scheduler_type="cosine", warmup_steps=2, logging_steps=1, report_to=[],
                    use_cpu=on_cpu, disable_tqdm=True, save_strategy="no"),
                train_dataset=texts(torch, 64), eval_dataset=texts(torch, 8))
            equal(next(work.model.parameters()).device.type, "cpu" if on_cpu else "cuda", "device")
            work.train()
            told = [entry["loss"] for entry in work.state.log_history if "loss" in entry]
            return [*told, work.evaluate()["eval_loss"]]

    expected = losses(True)
    close(losses(False), expected, 1e-3, what="loss")
    equal(len(expected), 13)
    equal(expected[11] < expected[0], True, "the loss falls")


@step("kernel")
def pipeline(load):
    """Text to text, with a vocabulary of its own."""
    _, _, transformers = load
    import tokenizers

    words = ["[PAD]", "[BEGIN]", "[END]", *(f"w{index}" for index in range(3, WORDS))]
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({word: index for index, word in enumerate(words)}, "[PAD]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", bos_token="[BEGIN]", eos_token="[END]", padding_side="left")
    asked = ["w7 w9 w11", "w23", "w41 w40"]

    def answers(place):
        ask = transformers.pipeline("text-generation", model(load).eval(), tokenizer=tokenizer, device=place)
        return [each[0]["generated_text"] for each in ask(asked, max_new_tokens=12, do_sample=False, batch_size=2)]

    equal(answers(0), answers(-1))


def same_logits(load, placed):
    _, torch, _ = load
    words = torch.stack([text["input_ids"] for text in texts(torch, 3)])
    with torch.no_grad():
        expected = model(load).eval()(words).logits
        found = placed(words.cuda()).logits
    close(found.cpu().flatten().tolist(), expected.flatten().tolist(), 1e-4, 1e-4, "logit")


@step("kernel")
def layers_on_two_devices():
    """In a process that has two devices."""
    own = os.path.realpath(__file__)
    done = subprocess.run([sys.executable, own, "two_devices"], check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "TORCHADA_HOST_DEVICES": "2"}, capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    equal((done.returncode, done.stdout.split()[-1:]), (0, ["same"]), "the process with two devices")


def two_devices():
    modules = load()
    whole = model(modules).eval()
    places = {"model.embed_tokens": 0, "model.rotary_emb": 0, "model.layers.0": 0, "model.layers.1": 0,
              "model.layers.2": 1, "model.layers.3": 1, "model.norm": 1, "lm_head": 1}
    same_logits(modules, modules[0].dispatch_model(whole, places))
    equal(whole.model.layers[3].mlp.up_proj.weight.device.index, 1)
    print("same")


@step("kernel")
def layers_offloaded(load):
    """Weights stay with the CPU, and on disk, until their layer runs."""
    accelerate = load[0]
    whole = model(load).eval()
    same_logits(load, accelerate.cpu_offload(whole, 0))
    with tempfile.TemporaryDirectory() as folder:
        whole = model(load).eval()
        same_logits(load, accelerate.disk_offload(whole, folder, 0))


@step("kernel")
def state_restored(load):
    """Training that goes on from what was saved gives what it gave the first time."""
    accelerate, torch, _ = load
    accelerator = accelerate.Accelerator()
    whole = model(load)
    trained, optimizer = accelerator.prepare(whole, torch.optim.AdamW(whole.parameters(), lr=1e-3))
    words = torch.stack([text["input_ids"] for text in texts(torch, 4)]).to(accelerator.device)

    def steps():
        out = []
        for _ in range(4):
            loss = trained(words, labels=words).loss
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(trained.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            out.append(loss.item())
        return out

    steps()
    with tempfile.TemporaryDirectory() as folder:
        accelerator.save_state(folder)
        first = steps()
        accelerator.load_state(folder)
        close(steps(), first, 1e-5, what="loss")


@step("library")
def operations_of_two():
    """Gathering, broadcasting, padding and reducing by NCCL."""
    launched("test_ops.py", 2, "testing gather non-contiguous", "testing sending tensors across devices")


@step("kernel")
def data_of_two():
    """Each process gets its part of the data."""
    launched("test_distributed_data_loop.py", 2, "Test joining uneven inputs", "Test DataLoader with shuffle=True")


@step("kernel")
def synchronised_by_two():
    """Gradients are accumulated and averaged when they should be."""
    launched("test_sync.py", 2, "Distributed `no_sync` context manager", "`accumulate` gradient accumulation")


if sys.argv[1:] == ["two_devices"]:
    two_devices()
else:
    main()
