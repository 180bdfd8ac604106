#!/bin/bash
# Tests all widths of the escape kernel, AVX-512 among them, in an emulated processor on a machine without AVX-512.
#
# Runs a Linux x86-64 program in Bochs, on a processor model with AVX-512: Debian's cloud kernel with an initramfs of
# busybox, the program and its shared libraries boots from a CD image; the program writes to the serial port. Prints its
# output and compares the checksums of all widths, problem by problem, those of the emulated processor with each other
# and with those of a run on this machine. It is not part of CI.
#
# Needs Debian's packages
#   apt-get install --no-install-recommends bochs bochsbios bochs-term vgabios busybox-static cpio isolinux \
#       syslinux-common xorriso
# and fetches a kernel (27 MB, apt-get download linux-image-*-cloud-amd64; unpacked in a scratch folder, not installed),
# unless KERNEL names one. Works in a scratch folder (170 MB) and removes it on exit. Takes 2 to 3 minutes of one core
# and up to 0.6 GB of memory. It ran with Bochs 2.7 and Linux 6.1 of Debian 12; it needs no rights of root.
#
# Usage: cargo build --release -p topsim-levitron --example escape_widths && scripts/avx512_under_bochs.sh [PROGRAM]
#   PROGRAM    prints "<problem> <width> <checksum of 16 hex digits> ..." (target/release/examples/escape_widths)
#   CPU_MODEL  a model of `bochs --help cpu`; Linux hangs on Bochs 2.7's corei7_icelake_u   (corei7_skylake_x)
#   KERNEL     a bzImage with serial console and initramfs, e.g. of /boot                   (a fetched one)
#   LIMIT      seconds until Bochs is stopped                                               (1800)
#   KEEP       1: leave the folder with images and logs                                     (0)
# Exit status: 0 the same checksums; 1 different ones or the program failed; 2 something is missing, the time is over or
# the emulated processor has no AVX-512.
set -euo pipefail

fail() { echo "avx512_under_bochs: $*" >&2; exit 2; }

root=$(realpath "$(dirname "$0")/..")
program=$(realpath -m "${1:-${CARGO_TARGET_DIR:-$root/target}/release/examples/escape_widths}")
model=${CPU_MODEL:-corei7_skylake_x}
limit=${LIMIT:-1800}
[[ -x $program ]] || fail "no program $program: cargo build --release -p topsim-levitron --example escape_widths"

need() { [[ -e $1 ]] || fail "no $1: apt-get install --no-install-recommends $2"; }
isolinux=/usr/lib/ISOLINUX/isolinux.bin
ldlinux=/usr/lib/syslinux/modules/bios/ldlinux.c32
bios=/usr/share/bochs/BIOS-bochs-latest
vgabios=/usr/share/bochs/VGABIOS-lgpl-latest
need "$isolinux" isolinux
need "$ldlinux" syslinux-common
need "$bios" bochsbios
need "$vgabios" vgabios
for tool in bochs:bochs busybox:busybox-static cpio:cpio xorriso:xorriso ldd:libc-bin dpkg:dpkg; do
    command -v "${tool%:*}" >/dev/null || fail "no ${tool%:*}: apt-get install --no-install-recommends ${tool#*:}"
done
busybox=$(command -v busybox)
! ldd "$busybox" >/dev/null 2>&1 ||
    fail "$busybox is not static: apt-get install --no-install-recommends busybox-static"
compgen -G '/usr/lib/*/bochs/plugins/libbx_term_gui.so' >/dev/null ||
    fail "Bochs has no display 'term': apt-get install --no-install-recommends bochs-term"
models=$(bochs --help cpu 2>&1 </dev/null || true)
grep -qxF -- "$model" <<<"$models" || fail "Bochs has no processor $model; see bochs --help cpu"

scratch=$(mktemp -d)
bochs_pid=

stop() {
    status=$?
    trap - EXIT
    if [[ -n $bochs_pid ]]; then
        kill -9 "$bochs_pid" 2>/dev/null || true
        wait "$bochs_pid" 2>/dev/null || true
    fi
    if [[ ${KEEP:-0} == 1 ]]; then
        echo "kept: $scratch"
    else
        rm -rf "$scratch"
    fi
    exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# This machine's widths -----------------------------------------------------------------------------
native=$("$program") || { echo "$native"; echo "avx512_under_bochs: $program fails on this machine" >&2; exit 1; }

# The kernel ----------------------------------------------------------------------------------------
mkdir -p "$scratch"/{deb,cd,root/{bin,dev,proc,sys}}
kernel=${KERNEL:-}
if [[ -z $kernel ]]; then
    package=$(apt-cache depends linux-image-cloud-amd64 | awk '$1 == "Depends:" { print $2; exit }') || true
    [[ -n $package ]] || fail "apt knows no linux-image-cloud-amd64: apt-get update, or set KERNEL"
    (cd "$scratch/deb" && apt-get -qq download "$package" 2>apt.log) ||
        { cat "$scratch/deb/apt.log" >&2; fail "no $package: apt-get update, or set KERNEL"; }
    dpkg -x "$scratch"/deb/linux-image-*.deb "$scratch/deb"
    kernel=$(compgen -G "$scratch/deb/boot/vmlinuz-*") || fail "$package holds no kernel"
fi
[[ -r $kernel ]] || fail "no kernel $kernel"
echo "kernel ${kernel##*/}, processor $model"

# The initramfs: busybox, the program, its libraries at their own paths -----------------------------
cp "$busybox" "$scratch/tree/bin/busybox"
cp -L "$program" "$scratch/tree/program"
if libraries=$(ldd "$program" 2>/dev/null); then
    ! grep 'not found' <<<"$libraries" >&2 || fail "$program lacks shared libraries"
    while read -r library; do
        mkdir -p "$scratch/tree$(dirname "$library")"
        cp -L "$library" "$scratch/tree$library"
    done < <(grep -oE '/[^ ]+ \(0x' <<<"$libraries" | sed 's/ (0x$//' | sort -u)
fi
cat >"$scratch/tree/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox dmesg -n 1
echo '--- begin'
/program 2>&1
echo "--- end $?"
/bin/busybox poweroff -f
INIT
chmod +x "$scratch/tree/init"
(cd "$scratch/tree" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$scratch/cd/initrd.gz"

# The CD --------------------------------------------------------------------------------------------
# Of the kernel's options, clearcpuid=xsaves,xsavec is needed: Bochs 2.7 gives a wrong size for the compact form of
# XSAVE, for which Linux switches AVX and AVX-512 off. The others save time and messages.
cp "$isolinux" "$ldlinux" "$scratch/cd"
cp "$kernel" "$scratch/cd/vmlinuz"
cat >"$scratch/cd/isolinux.cfg" <<'CFG'
default linux
prompt 0
label linux
    kernel vmlinuz
    initrd initrd.gz
    append console=ttyS0,115200 mitigations=off clearcpuid=xsaves,xsavec,aperfmperf cryptomgr.notests panic=-1
CFG
xorriso -as mkisofs -quiet -o "$scratch/boot.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
    -boot-info-table "$scratch/cd" 2>"$scratch/xorriso.log" || { cat "$scratch/xorriso.log" >&2; fail "no CD image"; }

# Bochs ---------------------------------------------------------------------------------------------
# Debian's Bochs has its debugger compiled in and waits for a command: c, continue. Without a sound card its ALSA driver
# aborts, hence the dummy.
echo c >"$scratch/debugger"
cat >"$scratch/bochsrc" <<RC
config_interface: textconfig
display_library: term
cpu: model=$model, count=1, ips=50000000, reset_on_triple_fault=0
memory: guest=512, host=512
romimage: file=$bios
vgaromimage: file=$vgabios
ata0-master: type=cdrom, path="$scratch/boot.iso", status=inserted
boot: cdrom
clock: sync=none
sound: waveoutdrv=dummy
speaker: enabled=1, mode=none
com1: enabled=1, mode=file, dev="$scratch/serial"
log: $scratch/log
panic: action=fatal
error: action=report
info: action=report
debug: action=ignore
RC
touch "$scratch/serial"
TERM=vt100 bochs -q -f "$scratch/bochsrc" -rc "$scratch/debugger" >"$scratch/screen" 2>&1 </dev/null &
bochs_pid=$!
booted=$SECONDS
until grep -aq '^--- end ' "$scratch/serial"; do
    if ! kill -0 "$bochs_pid" 2>/dev/null; then
        why="Bochs ended before the program"
        grep -aq '^--- end ' "$scratch/serial" && break
    elif ((SECONDS - booted > limit)); then
        why="Bochs did not end the program in $limit s (LIMIT)"
    else
        sleep 1
        continue
    fi
    { tail -n 20 "$scratch/log"; tail -n 20 "$scratch/serial"; } >&2 || true
    fail "$why"
done
output=$(tr -d '\r' <"$scratch/serial" | sed -n '/^--- begin$/,/^--- end /p' | sed '1d;$d')
status=$(tr -d '\r' <"$scratch/serial" | sed -n 's/^--- end //p')
echo "$output"
echo "booted and ran in $((SECONDS - booted)) s; exit status $status"

# The same checksums? -------------------------------------------------------------------------------
declare -A first widths
problems=()
differ=0
collect() { # where the lines come from, lines
    local line name width sum
    while IFS= read -r line; do
        [[ $line =~ ^(.*[^ ])\ +([a-z0-9]+)\ +([0-9a-f]{16})(\ |$) ]] || continue
        name=${BASH_REMATCH[1]} width=${BASH_REMATCH[2]} sum=${BASH_REMATCH[3]}
        if [[ -z ${first[$name]:-} ]]; then
            problems+=("$name")
            first[$name]=$sum
        elif [[ $sum != "${first[$name]}" ]]; then
            echo "$name: $width $1 has $sum, not ${first[$name]}" >&2
            differ=1
        fi
        widths[$name]+=" $width $1,"
    done <<<"$2"
}
collect emulated "$output"
collect here "$native"
((${#problems[@]})) || fail "no checksums in the output"
lacking=
for name in "${problems[@]}"; do
    printf '%-22s %s %s\n' "$name" "${first[$name]}" "${widths[$name]%,}"
    [[ ${widths[$name]} == *' avx512 emulated,'* ]] || lacking+=" '$name'"
done
if ((differ)) || [[ $status != 0 ]]; then
    echo "avx512_under_bochs: the checksums differ or the program failed (exit status $status)" >&2
    exit 1
fi
[[ -z $lacking ]] || fail "no avx512 line for$lacking: the processor $model lacks AVX-512 or the kernel switched it off"
echo "${#problems[@]} problems: all widths have the same checksums"
