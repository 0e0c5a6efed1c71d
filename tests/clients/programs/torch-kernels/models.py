"""Models of others on torch's own kernels: transformers generates text with fixed weights, and silero-vad finds speech
with the weights that its package ships, each as on the CPU."""

from children import printed_by
from client_steps import close, equal, main, step
from comparing import on_both, same


@step("load")
def load():
    import torch

    torch.backends.cudnn.enabled = False
    return torch


@step("load")
def transformers(load):
    import transformers

    transformers.logging.set_verbosity_error()
    return transformers


@step("load")
def speech(load):
    import silero_vad

    return silero_vad


def small(load, transformers, kind, **options):
    """A model with random weights, the same each time. Larger than usual, so that the next word is no toss-up."""
    config = getattr(transformers, kind + "Config")(
        **{"vocab_size": 97, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, **options}
    )
    config._attn_implementation = "eager"
    load.manual_seed(1)
    named = {
        "GPT2": "GPT2LMHeadModel",
        "Llama": "LlamaForCausalLM",
        "Bert": "BertForMaskedLM",
        "T5": "T5ForConditionalGeneration",
        "GPTNeoX": "GPTNeoXForCausalLM",
    }
    model = getattr(transformers, named[kind])(config).eval()
    with load.no_grad():
        for weight in model.parameters():
            weight.mul_(3)
    return model


def gpt(load, transformers):
    return small(load, transformers, "GPT2", n_embd=48, n_layer=3, n_head=4, n_positions=64)


def same_tokens(load, model, **options):
    """What it writes after two beginnings."""
    load.manual_seed(2)
    begin = load.randint(3, 97, (2, 6))

    def write(begin):
        return model.to(begin.device).generate(
            begin, attention_mask=load.ones_like(begin), max_new_tokens=24, **options
        )

    on_both(write, begin, what="tokens")


@step("kernel")
def gpt2_logits(load, transformers):
    model = gpt(load, transformers)
    words = load.arange(3, 43).reshape(2, 20)
    with load.no_grad():
        expected = model(words).logits
        same(model.cuda()(words.cuda()).logits, expected, bounds=(1e-4, 1e-4))


@step("kernel")
def gpt2_greedy(load, transformers):
    same_tokens(load, gpt(load, transformers), do_sample=False)


@step("kernel")
def gpt2_without_cache(load, transformers):
    same_tokens(load, gpt(load, transformers), do_sample=False, use_cache=False)


@step("kernel")
def gpt2_beams(load, transformers):
    same_tokens(load, gpt(load, transformers), do_sample=False, num_beams=3, early_stopping=True)


@step("kernel")
def gpt2_penalties(load, transformers):
    """No pair of words twice, and words that were used become less likely."""
    same_tokens(load, gpt(load, transformers), do_sample=False, no_repeat_ngram_size=2, repetition_penalty=1.3)


@step("kernel")
def gpt2_sampled(load, transformers):
    """Drawn from the likeliest: the same twice with the same seed, another text with another."""
    model, begin = gpt(load, transformers).cuda(), load.arange(3, 9)[None].cuda()
    texts = []
    for seed in (1, 1, 2):
        load.manual_seed(seed)
        texts.append(
            model.generate(
                begin,
                attention_mask=load.ones_like(begin),
                max_new_tokens=40,
                do_sample=True,
                top_k=40,
                top_p=0.95,
                temperature=3.0,
            )
            .cpu()
            .tolist()
        )
    equal(texts[0], texts[1])
    equal(texts[0] == texts[2], False)


@step("kernel")
def gpt2_fine_tuned(load, transformers):
    """Ten steps of AdamW on its own loss, with the schedule of transformers."""
    words = load.arange(3, 83).reshape(4, 20)

    def run(device):
        model, out = gpt(load, transformers).to(device), []
        made = load.optim.AdamW(model.parameters(), lr=1e-3)
        schedule = transformers.get_linear_schedule_with_warmup(made, 2, 10)
        for _ in range(10):
            made.zero_grad()
            loss = model(words.to(device), labels=words.to(device)).loss
            loss.backward()
            load.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            made.step()
            schedule.step()
            out.append(loss.item())
        return out

    close(run("cuda"), run("cpu"), 1e-4, 1e-4, "loss")


@step("kernel")
def llama_greedy(load, transformers):
    """Rotated places, groups of heads, RMS norm."""
    same_tokens(
        load,
        small(
            load,
            transformers,
            "Llama",
            hidden_size=48,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
        ),
        do_sample=False,
    )


@step("kernel")
def neox_greedy(load, transformers):
    same_tokens(
        load,
        small(
            load,
            transformers,
            "GPTNeoX",
            hidden_size=64,
            intermediate_size=96,
            num_hidden_layers=2,
            num_attention_heads=4,
        ),
        do_sample=False,
    )


@step("kernel")
def t5_greedy(load, transformers):
    """An encoder and a decoder."""
    model = small(
        load, transformers, "T5", d_model=48, d_kv=12, d_ff=96, num_layers=2, num_heads=4, decoder_start_token_id=0
    )
    same_tokens(load, model, do_sample=False)


@step("kernel")
def bert_logits(load, transformers):
    model = small(
        load, transformers, "Bert", hidden_size=48, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4
    )
    words, known = load.arange(3, 43).reshape(2, 20), load.ones(2, 20, dtype=load.long)
    known[1, 12:] = 0
    with load.no_grad():
        expected = model(words, attention_mask=known).logits
        same(model.cuda()(words.cuda(), attention_mask=known.cuda()).logits, expected, bounds=(1e-4, 1e-4))


def sound(load, seconds=6):
    """Something like vowels with pauses: a pitch, its overtones under two formants, some noise."""
    random, rate = load.Generator().manual_seed(4), 16000
    time = load.arange(seconds * rate) / rate
    pitch = 120 + 20 * load.sin(2 * load.pi * 0.7 * time)
    phase = 2 * load.pi * load.cumsum(pitch, 0) / rate
    out = sum(
        load.exp(-(((n * 120 - 600) / 300) ** 2)) * load.sin(n * phase)
        + 0.5 * load.exp(-(((n * 120 - 1400) / 300) ** 2)) * load.sin(n * phase)
        for n in map(load.tensor, range(1, 20))
    )
    spoken = ((time % 2.0) < 1.3).float() * (0.6 + 0.4 * load.sin(2 * load.pi * 4 * time))
    return 0.3 * out * spoken + 0.002 * load.randn(len(time), generator=random)


@step("kernel")
def speech_chances(load, speech):
    """How likely each piece of 32 ms is speech."""
    heard, model = sound(load), speech.load_silero_vad()

    def run(device):
        there = model.to(device)
        there.reset_states()
        with load.no_grad():
            return there.audio_forward(heard[None].to(device), sr=16000).flatten().tolist()

    found, expected = run("cuda"), run("cpu")
    close(found, expected, 1e-3, 1e-4)
    assert max(expected) > 0.5 > min(expected), expected


@step("kernel")
def speech_pieces(load, speech):
    """Where speech begins and ends."""
    heard, model = sound(load), speech.load_silero_vad()
    found = [
        speech.get_speech_timestamps(heard.to(device), model.to(device), threshold=0.1, min_speech_duration_ms=60)
        for device in ("cuda", "cpu")
    ]
    equal(*found)
    assert found[1]


@step("kernel")
def compiled(load):
    """By torch's compiler, which needs Triton. In a process of its own."""
    close(*printed_by("""
x = torch.arange(4.0)
print(json.dumps([torch.compile(lambda x: x * 2 + 1)(x.cuda()).tolist(), (x * 2 + 1).tolist()]))
"""))


if __name__ == "__main__":
    main()
