"""What a process holds, and whether that grows."""
import os
import statistics

# By how much the median of the last third may exceed that of the second third. The first third warms up. The C library
# gives each thread that finds the others' arenas in use a new one, up to a limit: 64 MiB of addresses, two mappings.
TOLERANCES = {"private_kib": 1024, "virtual_kib": 2 * 65536, "device_kib": 0, "mappings": 8, "descriptors": 0,
              "threads": 0, "children": 0, "shm_files": 0, "temporary_files": 0}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files_below(folder):
    return sorted(os.path.join(where, name) for where, folders, names in os.walk(folder)
                  for name in folders + names)


def sample(process, temporary):
    """What the process holds now, by the names of TOLERANCES. The device's memory is left to the caller."""
    folder = "/proc/%d/" % process
    sizes = {words[0]: int(words[1]) for words in map(str.split, read(folder + "smaps_rollup").splitlines()[1:])}
    status = dict(line.split(":", 1) for line in read(folder + "status").splitlines())
    children = 0
    for task in os.listdir(folder + "task"):
        try:
            children += len(read(folder + "task/%s/children" % task).split())
        except (FileNotFoundError, ProcessLookupError):
            continue  # The thread has just ended.
    # Clean pages are those of files: whether they are private depends on what else runs on the machine.
    return {"private_kib": sizes["Private_Dirty:"] + sizes["Swap:"],
            "virtual_kib": int(status["VmSize"].split()[0]),
            "mappings": read(folder + "maps").count("\n"),
            "descriptors": len(os.listdir(folder + "fd")),
            "threads": int(status["Threads"]),
            "children": children,
            "shm_files": len(files_below("/dev/shm")),
            "temporary_files": len(files_below(temporary))}


def judge(samples, tolerances):
    """The table of what was measured, and the names of what grew."""
    third = len(samples) // 3
    assert third >= 3, "%d samples are too few; give it more time" % len(samples)
    lines = ["%-16s %12s %12s %10s %10s" % ("", "second third", "last third", "growth", "tolerated")]
    grown = []
    for name, tolerated in tolerances.items():
        values = [one[name] for one in samples]
        before = statistics.median(values[third:2 * third])
        after = statistics.median(values[2 * third:])
        if after - before > tolerated:
            grown.append(name)
        lines.append("%-16s %12d %12d %10d %10d%s" % (name, before, after, after - before, tolerated,
                                                      "  GROWS" if name in grown else ""))
    return "\n".join(lines), grown
