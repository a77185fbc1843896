// What all binding files share: array types, and the conversion of vectors to numpy arrays without copying.
// Only the files of this folder depend on Python; every kernel runs without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "base/batch.h"

namespace wordorder::python {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ints = Array<int32_t>;
using Longs = Array<int64_t>;
using Floats = Array<float>;
using Doubles = Array<double>;

inline base::Batch batch_of(const Ints &values, const Longs &offsets) {
  const int64_t size = static_cast<int64_t>(offsets.shape(0)) - 1;
  if (size < 0 || offsets.data()[0] != 0 || offsets.data()[size] != static_cast<int64_t>(values.shape(0))) {
    throw nb::value_error("the offsets do not fit the values");
  }
  return {values.data(), offsets.data(), size};
}

// An array of any shape that takes over the items of a vector; an item may consist of several numbers.
template <class T, class Item>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<Item> &&items, std::initializer_list<size_t> shape) {
  auto *owned = new std::vector<Item>(std::move(items));
  nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<Item> *>(p); });
  return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

// A one-dimensional array.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> &&items) {
  const size_t size = items.size();
  return to_numpy<T>(std::move(items), {size});
}

}  // namespace wordorder::python
