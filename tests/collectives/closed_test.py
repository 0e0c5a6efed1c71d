#!/usr/bin/env python3
"""Ranks that have closed their standard descriptors, with and without a trace and a log. No
descriptor of ours takes the place of their output."""
import os
import tempfile

import job

RANKS = 3


def main():
    for recording in (False, True):
        with tempfile.TemporaryDirectory(prefix="closed-") as folder:
            variables = {"TORCHADA_TRACE": "text:" + os.path.join(folder, "trace.%p"),
                         "TORCHADA_LOG": "debug",
                         "TORCHADA_LOG_FILE": os.path.join(folder, "log.%p")} if recording else {}
            results = job.Job("closed", RANKS, folder, variables=variables).wait(60)
            assert [(0, "", "")] * RANKS == results, (recording, results)
            files = {file: open(os.path.join(folder, file), "rb").read() for file in os.listdir(folder)}
            outputs = [text for file, text in files.items() if file.startswith("output.")]
            others = [text for file, text in files.items() if not file.startswith("output.")]
            assert outputs == [b"mine\n" * 3] * (3 * RANKS), (recording, outputs)
            assert len(others) == (2 * RANKS if recording else 0), files.keys()
            assert not any(b"mine" in text for text in others), others
            for file, text in files.items():
                if file.startswith("trace."):
                    assert b"ncclAllReduce(" in text and b"ncclCommDestroy(" in text, text


if __name__ == "__main__":
    main()
