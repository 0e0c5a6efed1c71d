"""XGBoost: linked with the static CUDA runtime, NCCL by dlopen."""
import json

from client_steps import available, close, equal, main, step


@step("load")
def load():
    import xgboost
    return xgboost


def train(load, device):
    import numpy
    x = numpy.arange(200, dtype=numpy.float32).reshape(-1, 1)
    y = (x.ravel() >= 100).astype(numpy.float32)
    booster = load.train({"device": device, "max_depth": 1, "eta": 1.0, "lambda": 0, "objective": "reg:squarederror",
                          "base_score": 0}, load.DMatrix(x, y), 1)
    close(booster.predict(load.DMatrix(x)), y, absolute=1e-6)
    return json.loads(booster.save_config())["learner"]["generic_param"]["device"]


@step("host")
def on_the_cpu(load):
    equal(train(load, "cpu"), "cpu")


@step("host")
def build(load):
    assert load.build_info()["USE_CUDA"]


@step("kernel")
def on_the_gpu(load):
    device = train(load, "cuda")
    available(device == "cuda:0", f"trained on {device}")


main()
