#include "php/zend/errors.h"

namespace sluice::php {

zend_class_entry* server_exception_class = nullptr;
zend_class_entry* bad_request_class = nullptr;

}  // namespace sluice::php
