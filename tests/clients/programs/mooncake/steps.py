"""mooncake-transfer-engine: moves memory between machines."""
from client_steps import equal, main, step


@step("load")
def load():
    from mooncake import engine
    return engine


@step("device")
def start(load):
    engine = load.TransferEngine()
    equal(engine.initialize("127.0.0.1", "P2PHANDSHAKE", "tcp", ""), 0)
    return engine


@step("device")
def managed_buffer(start):
    assert start.allocate_managed_buffer(4096) != 0


@step("device")
def store(load):
    from mooncake import store
    store.MooncakeDistributedStore()


main()
