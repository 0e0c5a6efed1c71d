"""`python -m torchada_native run -- PROGRAM` is `torchada run -- PROGRAM`."""
from torchada_native._command import main

main()
