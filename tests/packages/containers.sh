#!/usr/bin/env bash
# The image recipe and the CDI specification, in a root of Debian 12 with its podman and buildah: the specification
# fits CDI's own schema, it puts torchada into a container that knows nothing of it, NVIDIA_VISIBLE_DEVICES chooses
# devices there, and the recipe makes an image. The images are made from roots: nothing is fetched from a registry.
#   containers.sh STAGE DIST ROOTS   STAGE: of a build; DIST: of build-deb.sh; ROOTS: keeps the roots for the next time.
#                                    Needs root, debootstrap, a network.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck source=packaging/roots.sh
. packaging/roots.sh
suite=bookworm stage=$(realpath "$1") dist=$(realpath "$2")
mkdir -p "$3"
roots=$(realpath "$3")
# shellcheck source=tests/packages/roots_common.sh
. tests/packages/roots_common.sh
cdi=golang-github-container-orchestrated-devices-container-device-interface-dev
schema=/usr/share/gocode/src/github.com/container-orchestrated-devices/container-device-interface/schema/schema.json

root=$roots/bookworm-containers
make_root "$root" bookworm python3-jsonschema
make_root "$roots/bookworm-test" bookworm python3-minimal,libpython3-stdlib
if [ ! -x "$root/usr/bin/podman" ]; then
  mount_root "$root"
  in_root apt-get update -qq
  in_root apt-get install -y -qq --no-install-recommends podman buildah crun $cdi >"$root.log" 2>&1 || fail "see $root.log"
  unmount_root "$root"
fi
clean_up() { rm -rf "$root"/{opt/torchada,image,work,run/*,var/lib/containers,etc/cdi}; }
clean_up
trap clean_up EXIT
mkdir -p "$root"/{opt/torchada,image,work/dist,etc/cdi}
cp -a "$stage/." "$root/opt/torchada"
cp -a "$roots/bookworm-test/." "$root/image"
cp packaging/containers/cdi.json "$root/etc/cdi/torchada.json"
cp -r packaging tests/packages/programs "$root/work"
cp "$(deb torchada)" "$root/work/dist"

# container_host COMMAND...: the command in the root, as if it were the whole machine: containers need a root that
# can be changed, and one hierarchy of cgroups.
container_host() {
  # shellcheck disable=SC2016  # The inner shell expands them.
  unshare --mount --propagation private bash -c '
    mount --rbind "$0" "$0"
    mount --rbind /proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --rbind /sys "$0/sys"
    [ -e /sys/fs/cgroup/cgroup.controllers ] || mount -t cgroup2 cgroup2 "$0/sys/fs/cgroup"
    mkdir -p "$0/outside"
    cd "$0"
    pivot_root . outside
    umount -l /outside
    cd /work
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"' "$root" "$@"
}
# told COMMAND...: what it prints is then in $said.
told() { said=$(container_host "$@" 2>&1) || fail "$*"$'\n'"$said"; }
limits=(--ulimit=nofile=1024:1024 --ulimit=nproc=4096:4096)
podman=(podman --storage-driver=vfs --cgroup-manager=cgroupfs run --rm --network=none --cgroups=disabled "${limits[@]}")

say "the specification fits CDI's schema"
told python3 -c "
import json, jsonschema
schema = json.load(open('$schema'))
resolver = jsonschema.RefResolver('file://$schema', schema)
validator = jsonschema.validators.validator_for(schema)(schema, resolver=resolver)
validator.validate(json.load(open('packaging/containers/cdi.json')))
assert not validator.is_valid({'kind': 'torchada/cuda'})"

say "podman puts it into a container"
devices='import ctypes
count = ctypes.c_int()
print("status", ctypes.CDLL("libcudart.so.12").cudaGetDeviceCount(ctypes.byref(count)), "devices", count.value)'
for chosen in all=4 0=1 1,3=2 none=0; do
  status=0
  [ "$chosen" != none=0 ] || status=100
  told "${podman[@]}" --device=torchada/cuda=libraries -e TORCHADA_HOST_DEVICES=4 -e NVIDIA_VISIBLE_DEVICES="${chosen%=*}" \
    --rootfs /image /opt/torchada/bin/torchada run -- python3 -c "$devices"
  says "status $status devices ${chosen#*=}"
done
told "${podman[@]}" --device=torchada/cuda=libraries --rootfs /image sh -c '! touch /opt/torchada/new'

say "buildah makes an image by the recipe"
buildah=(buildah --storage-driver=vfs)
told sh -c "container=\$(${buildah[*]} from scratch) && ${buildah[*]} copy -q \$container /image / &&
  ${buildah[*]} commit -q \$container localhost/base"
told "${buildah[@]}" build -q --isolation=chroot --network=host "${limits[@]}" --build-arg BASE=localhost/base \
  -f packaging/containers/Dockerfile -t localhost/torchada .
told "${podman[@]}" localhost/torchada python3 -c "$devices"
says "status 35"
