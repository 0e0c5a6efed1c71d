"""build-deb.sh without a real build: in a repository with fake roots of distributions.
contents_test.py checks the contents of real packages."""
import os
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "build-deb.sh")

# Replaces roots.sh: `inside` installs nothing, and creates the packages in place of
# dpkg-buildpackage.
ROOTS = r'''
make_root() { mkdir -p "$1"; }
mount_root() { :; }
unmount_root() { :; }
copy_sources() { mkdir -p "$1" && cp -r packaging "$1"; }
package() {
  mkdir -p "$1/tree/DEBIAN" "$1/tree/opt/torchada/share" "$1/tree/usr/share/doc/torchada"
  mkdir -p "$1/tree/usr/share/man" "$1/tree/usr/share/bash-completion" "$1/tree/usr/share/zsh/vendor-completions"
  echo '#compdef torchada' >"$1/tree/usr/share/zsh/vendor-completions/_torchada"
  printf 'Package: %s\nVersion: 1.2\nArchitecture: amd64\nMaintainer: a <a@b>\nDescription: x\n' "$2" \
    >"$1/tree/DEBIAN/control"
  dpkg-deb --build "$1/tree" "$1/$2_1.2_amd64.deb"
}
inside() {
  local root=$1
  case "$*" in *dpkg-buildpackage*) ;; *) return 0 ;; esac
  echo "of the build"
  [ -z "${BUILD_FAILS:-}" ] || return 1
  for name in torchada torchada-dev torchada-host; do package "$root"/torchada-build.* "$name"; done
}
'''

FILES = {
    "packaging/roots.sh": ROOTS,
    "packaging/install-build-deps.sh": "#!/bin/sh\necho debhelper\n",
    "packaging/link-layout.sh": "#!/bin/sh\n",
    "packaging/verify-archive.sh": '#!/bin/sh\nset -e\ntest -d "$1"/share/doc\n'
                                   'echo x >"$2"/torchada-verify-1.2-x86_64.tar.gz\n',
    "packaging/debian/control.in": "@VERSION@\n",
    "packaging/debian/changelog.in": "@VERSION@\n",
    "CMakeLists.txt": "project(torchada VERSION 1.2 LANGUAGES C)\n",
    "README.md": "x\n",
    "LICENSE": "x\n",
    # Fake tools: id claims to be root, and the others need not be installed.
    "bin/id": "#!/bin/sh\necho 0\n",
    "bin/debootstrap": "#!/bin/sh\n",
    "bin/zstd": "#!/bin/sh\nfor file do :; done\nexec cat >\"$file\"\n",
}


class BuildDeb(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="build-deb.")
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = self.path("dist")
        for name, text in FILES.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(self.path(name), 0o755)
        shutil.copy(SCRIPT, self.path("packaging"))
        self.environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"],
                            "GIT_CONFIG_GLOBAL": "/dev/null", "TMPDIR": self.folder}
        for words in (["init", "-q"], ["add", "."],
                      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"]):
            subprocess.run(["git", *words], cwd=self.folder, env=self.environment, check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, *words, **environment):
        return subprocess.run([self.path("packaging/build-deb.sh"), "--out", self.out, *words], text=True,
                              env={**self.environment, **environment}, capture_output=True, check=False)

    def sums(self):
        with open(os.path.join(self.out, "SHA256SUMS"), encoding="utf-8") as file:
            return [line.split()[1] for line in file]

    def test_one_without_the_other(self):
        packages = ["torchada%s_1.2_amd64.deb" % part for part in ("-dev", "-host", "")]
        result = self.build("--only", "host")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(packages, self.sums())

    def test_places_in_the_archive(self):
        result = self.build("--only", "torchada")
        self.assertEqual(0, result.returncode, result.stderr)
        archive = os.path.join(self.out, "torchada-1.2-x86_64.tar.zst")
        self.assertIn(os.path.basename(archive), self.sums())
        self.assertIn("torchada-verify-1.2-x86_64.tar.gz", self.sums())
        # The fake zstd does not compress.
        names = subprocess.run(["tar", "--no-auto-compress", "-tf", archive], check=True, capture_output=True,
                               text=True).stdout.split()
        self.assertIn("torchada-1.2/share/zsh/site-functions/_torchada", names)

    def test_the_log_of_what_failed_stays(self):
        for roots in [], ["--roots", self.path("roots")]:
            result = self.build("--only", "host", *roots, BUILD_FAILS="1")
            self.assertEqual(1, result.returncode, result.stderr)
            last = result.stderr.splitlines()[-1]
            self.assertIn("bookworm: the build failed, see ", last)
            with open(last.split("see ")[1], encoding="utf-8") as log:
                self.assertEqual("of the build\n", log.read())
        self.assertEqual(0, self.build("--only", "host").returncode)
        self.assertEqual([], [name for name in os.listdir(self.out) if name.endswith(".log")])


if __name__ == "__main__":
    unittest.main()
