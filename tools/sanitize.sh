#!/bin/sh
# Run tests with kernels that check every access to memory, every overflow and every index of a vector (address), or
# that no two threads touch the same place at the same time (thread).
#
#   tools/sanitize.sh PYTHON [address|thread] [pytest arguments ...]
#
# PYTHON has nanobind, cmake, ninja and what the tests need. Default: all tests (address), the tests of threads (thread).
# Findings are printed at the end, and end the run with an error.
set -eu
cd "$(dirname "$0")/.."
python=$1 kind=${2:-address}
[ $# -ge 2 ] && shift 2 || shift 1
out=build/sanitize-$kind
reports=$PWD/$out/reports
# Large requests for memory fail as they would without a sanitizer. Python itself keeps memory until it ends, which is
# no leak of ours. Python and its libraries are not instrumented: only what our kernels do is reported.
case $kind in
  address)
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all" library=libasan.so
    [ $# -gt 0 ] || set -- tests
    export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=3000:handle_abort=1:log_path=$reports/address"
    export UBSAN_OPTIONS="print_stacktrace=1:log_path=$reports/undefined"
    ;;
  thread)
    flags="-fsanitize=thread" library=libtsan.so
    [ $# -gt 0 ] || set -- tests/native/test_threads.py $(grep -lE 'threads=[2-9]|"--threads", "[2-9]"' -r tests --include='test_*.py')
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1:atexit_sleep_ms=0:allocator_may_return_null=1:log_path=$reports/thread"
    ;;
  *) echo "$kind: expected address or thread" >&2; exit 2 ;;
esac
cmake -G Ninja -S . -B "$out" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSKBUILD_PROJECT_NAME=wordorder \
  -DCMAKE_CXX_FLAGS="-g1 -D_GLIBCXX_ASSERTIONS -DWO_NO_CLONES $flags" -DPython_EXECUTABLE="$python" \
  -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >/dev/null
cmake --build "$out"
rm -rf "$out/package" "$reports" && mkdir "$out/package" "$reports"
cp -r src/wordorder "$out/package/" && rm -f "$out"/package/wordorder/*.so
cp "$out"/_native*.so "$out/package/wordorder/"
cp tools/sanitized_python.py "$out/package/sitecustomize.py"
fixed=  # the thread sanitizer needs memory at fixed addresses
if [ "$kind" = thread ] && setarch "$(uname -m)" -R true 2>/dev/null; then fixed="setarch $(uname -m) -R"; fi
export PYTHONPATH="$PWD/$out/package:$PWD"
export WO_SANITIZER="$(g++ -print-file-name=$library) $(g++ -print-file-name=libstdc++.so)"
rc=0
$fixed "$python" -m pytest -q -p no:cacheprovider -m "not speed" "$@" || rc=$?
# That an allocation was refused is what a test wanted.
for report in "$reports"/*; do
  [ -f "$report" ] && ! grep -qv 'WARNING: AddressSanitizer failed to allocate' "$report" && rm "$report"
done
if [ -n "$(ls "$reports")" ]; then
  cat "$reports"/*
  echo "$(ls "$reports" | wc -l) reports of the $kind sanitizer" >&2
  rc=1
fi
exit $rc
