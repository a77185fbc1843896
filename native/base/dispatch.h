// Run-time choice of instruction sets. A function marked WO_CLONES is compiled once per instruction set, and the loader
// picks the best version that the CPU supports. On platforms without this feature (macOS, musl, ARM) the mark is empty
// and the baseline is used; so it is with WO_NO_CLONES, for sanitizers, which are not ready when the loader chooses.
// Mark only functions that are local to their file: a declaration without the mark elsewhere would violate the
// one-definition rule.
#pragma once

#if !defined(__x86_64__) || !defined(__gnu_linux__) || defined(WO_NO_CLONES)
#define WO_CLONES
#elif defined(__clang__) && __clang_major__ >= 14
#define WO_CLONES __attribute__((target_clones("avx2", "default")))  // clang takes features, not levels
#elif defined(__GNUC__) && !defined(__clang__)
#define WO_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WO_CLONES
#endif
