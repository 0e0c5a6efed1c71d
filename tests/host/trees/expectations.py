"""Says and counts what is not as expected."""


class Expectations:
    """`where` begins each line."""

    def __init__(self, where):
        self.where = where
        self.failures = 0

    def __call__(self, what, expected, got):
        if expected != got:
            self.failures += 1
            print(f"{self.where}: {what}: expected {expected}, got {got}")

    def status(self):
        """Of the process."""
        return 1 if self.failures else 0
