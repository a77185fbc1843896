#!/bin/sh
# Compile all kernels with every supported compiler that is installed; warnings are errors.
#
#   tools/compilers.sh PYTHON [COMPILER ...]
#
# PYTHON has nanobind. Compilers: g++, the newest clang++, and g++ for ARM (aarch64), which only compiles. g++ also links
# everything with link-time optimisation, which finds types that are defined in two ways (-Wodr). The script fails if a
# compiler does; compilers that are missing are named, and fail only if they were asked for.
set -eu
cd "$(dirname "$0")/.."
python=$1
shift
newest_clang=$(ls /usr/bin /usr/local/bin 2>/dev/null | grep -E '^clang\+\+(-[0-9]+)?$' | sort -t- -k2 -n | tail -n 1)
asked=$#
[ $asked -gt 0 ] || set -- g++ "${newest_clang:-clang++}" aarch64-linux-gnu-g++
headers="-I$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))') -I$("$python" -m nanobind --include_dir)"
flags="-std=c++17 -O3 -fPIC -ffp-contract=off -Wall -Wextra -Werror -Inative"
jobs=$(getconf _NPROCESSORS_ONLN)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

compile() { # COMPILER FLAGS ...: every file of native/ into a folder of its own
  mkdir -p "$out/objects"
  find native -name '*.cpp' | sort | xargs -P "$jobs" -I '{}' sh -c \
    'file=$1; shift; "$@" -c "$file" -o "'"$out"'/objects/$(echo "$file" | tr / _).o"' - '{}' "$@" $flags $headers
}

missing=
for compiler; do
  if ! command -v "$compiler" >/dev/null; then
    missing="$missing $compiler"
    continue
  fi
  echo "$compiler $("$compiler" -dumpfullversion -dumpversion) for $("$compiler" -dumpmachine)"
  rm -rf "$out/objects"
  if [ "$compiler" = g++ ]; then
    compile "$compiler" -flto
    # To one object, because nanobind's own functions are not among these files.
    "$compiler" -r -flinker-output=nolto-rel -flto="$jobs" -O3 -fPIC -Wodr -Wlto-type-mismatch -Werror "$out"/objects/*.o -o "$out/all.o"
    echo "  links with -flto and -Wodr"
  else
    compile "$compiler"
  fi
  echo "  $(ls "$out/objects" | wc -l) files without a warning"
done
for compiler in $missing; do echo "not installed: $compiler"; done
[ -z "$missing" ] || [ $asked -eq 0 ]
