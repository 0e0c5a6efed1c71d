"""The two lines, then the program that is named."""
import runpy
import sys

import torchada_native

torchada_native.activate()
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
others = torchada_native.second_copies()
if others:
    sys.exit("NVIDIA's are loaded, too: %s" % others)
