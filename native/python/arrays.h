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
