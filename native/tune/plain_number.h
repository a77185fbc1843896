// Decimal numbers that a double holds without any rounding but the last: the usual ones in n-best lists.
#pragma once

#include <cstdint>
#include <string_view>

namespace wordorder::tune {

// Reads numbers such as -3, 0.25 and 1.5e-07 exactly as strtod would, whatever the locale. Returns false for everything
// else, including numbers with too many digits: a number below 2^53 times or divided by a power of ten up to 10^22 is
// rounded only once, because a double holds both exactly (Clinger 1990).
inline bool plain_number(std::string_view text, double &value) {
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *at = text.data(), *const end = at + text.size();
  const auto digit = [&] { return at < end && *at >= '0' && *at <= '9'; };
  const bool negative = at < end && *at == '-';
  at += negative;
  uint64_t digits = 0;
  int count = 0, power = 0;
  for (; digit(); ++at, ++count) digits = 10 * digits + static_cast<uint64_t>(*at - '0');
  if (at < end && *at == '.') {
    for (++at; digit(); ++at, ++count, --power) digits = 10 * digits + static_cast<uint64_t>(*at - '0');
  }
  if (count == 0 || count > 18 || digits > uint64_t{1} << 53) return false;
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool down = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int exponent = 0, length = 0;
    for (; digit() && length < 4; ++at, ++length) exponent = 10 * exponent + (*at - '0');
    if (length == 0) return false;
    power += down ? -exponent : exponent;
  }
  if (at != end || power < -22 || power > 22) return false;
  value = static_cast<double>(digits);
  value = power < 0 ? value / powers[-power] : value * powers[power];
  value = negative ? -value : value;
  return true;
}

}  // namespace wordorder::tune
