"""verify.sh where an SDK lies as its Debian packages put it: libraries in /usr/local/musa-VERSION/lib, the
driver's in the system's folder, no link /usr/local/musa (MooreThreads/vllm-musa at 194301ec,
docker/musa.Dockerfile). Posed by the CPU tree in a mount namespace. Its version.json stays, without the
version: it lists what the tree leaves out."""
import json
import os
import subprocess
import sys
import tempfile

import support

LIB = "/usr/lib/x86_64-linux-gnu"
MAKE = os.path.join(support.SOURCE, "packaging", "verify-archive.sh")
# $1: a scratch folder, $2: the tree, $3: the folder of its driver.
POSE = r"""
set -e
mkdir "$1/system" "$1/local" "$1/real"
mount --bind %(lib)s "$1/real"
for file in "$1"/real/* ; do ln -s "$file" "$1/system"; done
cp -P "$3"/* "$1/system"
mkdir -p "$1/local/musa-5.2" "$1/local/musa-4.3/lib" "$1/local/musa-extra/lib"
cp -RP "$2/lib" "$1/version.json" "$1/local/musa-5.2"
mount --bind "$1/local" /usr/local
mount --bind "$1/system" %(lib)s
cd "$1"
shift 3
exec "$@"
""" % {"lib": LIB}


def inside(folder, *command):
    driver = os.path.join(support.STAGE, "host", "driver", os.path.basename(os.path.realpath(support.tree("5.2"))))
    return support.Run("unshare", "-m", "/bin/sh", "-c", POSE, "sh", folder, support.tree("5.2"), driver, *command)


class Packages(support.VerifyTest):

    def test_found_and_checked(self):
        out = self.folder()
        made = support.Run(MAKE, support.STAGE, out)
        self.assertEqual(0, made.status, str(made))
        subprocess.run(["tar", "-xf", made.stdout.strip(), "-C", out], check=True)
        script = os.path.join(made.stdout.strip().removesuffix(".tar.gz"), "verify.sh")
        for words, devices, least in (([], 1, 1000), (["--files-only"], 0, 400)):
            scratch = self.folder()
            with open(os.path.join(support.tree("5.2"), "version.json"), encoding="utf-8") as file:
                told = json.load(file)
            del told["musa_sdk"]["version"]
            with open(os.path.join(scratch, "version.json"), "w", encoding="utf-8") as file:
                json.dump(told, file)
            run = inside(scratch, script, "--yes", "--output=report", *words)
            self.assertEqual(0, run.status, str(run))
            self.assertIn("using the MUSA in /usr/local/musa-5.2; --musa-root names another", run.stderr)
            with open(os.path.join(scratch, "report"), encoding="utf-8") as file:
                report = support.Report(file.read())
            self.assertEqual(("5.2.0", devices), (report.all["sdk"], len(report.all["devices"])))
            self.assertEqual("stand-in", report.all["backend"])
            self.assertGreater(len(report.of("confirmed")), least)
            self.assertEqual(set(), report.of("contradicted"))


def may_mount():
    with tempfile.TemporaryDirectory() as folder:
        try:
            command = ["unshare", "-m", "mount", "--bind", folder, "/usr/local"]
            return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
        except OSError:
            return False


if __name__ == "__main__":
    if not may_mount():
        print("SKIPPED: no right to mount, so the places of Debian packages were not posed")
        sys.exit(77)
    support.main()
