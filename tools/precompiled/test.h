// For tests/unit.

#include "core.h"

#include <gtest/gtest.h>
