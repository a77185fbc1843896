#!/bin/sh
# Compile all kernels with every supported compiler that is installed; warnings are errors.
#
#   tools/compilers.sh PYTHON [COMPILER ...]
#
# PYTHON has nanobind. Compilers: g++, the newest clang++, g++ for ARM (aarch64), and zig (the package ziglang of PYTHON) as
# zig:TARGET for other systems, such as zig:aarch64-macos; those for other systems only compile. g++ also links everything with
# link-time optimisation, which finds types that are defined in two ways (-Wodr). For Windows the bindings are left out,
# because their headers are those of Python on Windows. The script fails if a compiler does; compilers that are missing
# are named, and fail only if they were asked for.
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
newest_clang=$(ls /usr/bin /usr/local/bin 2>/dev/null | grep -E '^clang\+\+(-[0-9]+)?$' | sort -t- -k2 -n | tail -n 1)
asked=$#
[ $asked -gt 0 ] || set -- g++ "${newest_clang:-clang++}" aarch64-linux-gnu-g++ \
  zig:aarch64-linux-musl zig:aarch64-macos zig:x86_64-macos zig:x86_64-windows-gnu
headers="-I$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))') -I$("$python" -m nanobind --include_dir)"
flags="-std=c++17 -fPIC -ffp-contract=off -Wall -Wextra -Werror -Inative"
jobs=$(getconf _NPROCESSORS_ONLN)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

compile() { # COMPILER FLAGS ...: every file of native/, except those of $without, into a folder of its own
  mkdir -p "$out/objects"
  find native -name '*.cpp' -not -path "$without" | sort | xargs -P "$jobs" -I '{}' sh -c \
    'file=$1; shift; "$@" -c "$file" -o "'"$out"'/objects/$(echo "$file" | tr / _).o"' - '{}' "$@" $flags $headers
}

missing=
for compiler; do
  without=none
  if [ "${compiler#zig:}" != "$compiler" ]; then
    if ! "$python" -c 'import ziglang' 2>/dev/null; then
      missing="$missing $compiler"
      continue
    fi
    case $compiler in *windows*) without='native/python/*' ;; esac
    echo "zig $("$python" -m ziglang version) for ${compiler#zig:}"
    rm -rf "$out/objects"
    compile "$python" -m ziglang c++ -target "${compiler#zig:}" -O1
    echo "  $(ls "$out/objects" | wc -l) files without a warning"
    continue
  fi
  if ! command -v "$compiler" >/dev/null; then
    missing="$missing $compiler"
    continue
  fi
  echo "$compiler $("$compiler" -dumpfullversion -dumpversion) for $("$compiler" -dumpmachine)"
  rm -rf "$out/objects"
  if [ "$compiler" = g++ ]; then
    compile "$compiler" -O3 -flto
    # To one object, because nanobind's own functions are not among these files.
    "$compiler" -r -flinker-output=nolto-rel -flto="$jobs" -O3 -fPIC -Wodr -Wlto-type-mismatch -Werror "$out"/objects/*.o -o "$out/all.o"
    echo "  links with -flto and -Wodr"
  else
    compile "$compiler" -O3
  fi
  echo "  $(ls "$out/objects" | wc -l) files without a warning"
done
for compiler in $missing; do echo "not installed: $compiler"; done
[ -z "$missing" ] || [ $asked -eq 0 ]
