#pragma once

// What the versions of PHP differ in, each with its reason. Nothing else in the sources asks which version it
// is compiled for.

#include <php.h>
#include <utility>

namespace sluice::php {

/// What an iterator's `valid` answers: `int` up to PHP 8.3, `zend_result` from 8.4 on.
using IteratorAnswer = decltype(std::declval<zend_object_iterator_funcs>().valid(nullptr));

}  // namespace sluice::php
