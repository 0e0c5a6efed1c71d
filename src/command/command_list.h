// The subcommands, in the order in which they are listed: one line each.
TORCHADA_COMMAND(run)
TORCHADA_COMMAND(coverage)
TORCHADA_COMMAND(check)
TORCHADA_COMMAND(doctor)
TORCHADA_COMMAND(explain)
TORCHADA_COMMAND(info)
TORCHADA_COMMAND(activate)
TORCHADA_COMMAND(deactivate)
