#!/bin/sh
# Run tests with kernels that check every access to memory, every overflow and every index of a vector.
#
#   tools/sanitize.sh PYTHON [address|thread] [tests ...]
#
# PYTHON has nanobind, cmake, ninja and what the tests need. A finding ends the tests with a report.
set -eu
cd "$(dirname "$0")/.."
python=$1 kind=${2:-address}
[ $# -ge 2 ] && shift 2 || shift 1
case $kind in
  address) flags="-fsanitize=address,undefined -fno-sanitize-recover=all" library=libasan.so ;;
  thread) flags="-fsanitize=thread" library=libtsan.so ;;
  *) echo "$kind: expected address or thread" >&2; exit 2 ;;
esac
out=build/sanitize-$kind
mkdir -p "$out"
cmake -G Ninja -S . -B "$out" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSKBUILD_PROJECT_NAME=wordorder \
  -DCMAKE_CXX_FLAGS="-g1 -D_GLIBCXX_ASSERTIONS -DWO_NO_CLONES $flags" -DPython_EXECUTABLE="$python" \
  -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >/dev/null
cmake --build "$out"
rm -rf "$out/package" && mkdir "$out/package" && cp -r src/wordorder "$out/package/" && rm -f "$out"/package/wordorder/*.so
cp "$out"/_native*.so "$out/package/wordorder/"
# Python itself keeps memory until it ends, which is no leak of ours; large requests fail as they would without it.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=3000:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1
export PYTHONPATH="$PWD/$out/package:$PWD" LD_PRELOAD="$(g++ -print-file-name=$library) $(g++ -print-file-name=libstdc++.so)"
exec "$python" -m pytest -q -p no:cacheprovider "${@:-tests}"
