#pragma once

#include "php/zend/php_api.h"

extern zend_module_entry sluice_module_entry;
