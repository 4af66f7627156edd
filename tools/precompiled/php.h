// For src/php: PHP's headers, in the order that php_api.h knows.

#include "core.h"
#include "php/zend/php_api.h"

#include <Zend/zend_extensions.h>
#include <Zend/zend_fibers.h>
