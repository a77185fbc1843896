// What the files of bindings share: array types, and vectors handed to numpy without copying.
// Only the files of this folder know Python; every kernel runs without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/batch.h"

namespace wordorder::python {

namespace nb = nanobind;
using namespace nb::literals;

using Ints = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Longs = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline base::Batch batch_of(const Ints &values, const Longs &offsets) {
  const int64_t size = static_cast<int64_t>(offsets.shape(0)) - 1;
  if (size < 0 || offsets.data()[0] != 0 || offsets.data()[size] != static_cast<int64_t>(values.shape(0))) {
    throw nb::value_error("offsets do not fit values");
  }
  return {values.data(), offsets.data(), size};
}

template <class T, class Item>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<Item> &&data, std::initializer_list<size_t> shape) {
  auto *owned = new std::vector<Item>(std::move(data));
  nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<Item> *>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

}  // namespace wordorder::python
