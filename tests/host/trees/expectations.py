"""Reports and counts differences from expected values."""


class Expectations:
    """`where` starts each line."""

    def __init__(self, where):
        self.where = where
        self.failures = 0

    def __call__(self, what, expected, got):
        if expected != got:
            self.failures += 1
            print(f"{self.where}: {what}: expected {expected}, got {got}")

    def status(self):
        """The exit status for the process."""
        return 1 if self.failures else 0
