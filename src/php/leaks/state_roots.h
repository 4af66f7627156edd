#pragma once

#include "php/leaks/value_graph.h"

namespace sluice::php {

/// Adds the places where PHP keeps values beyond a request: static properties, static variables of functions
/// and methods, global variables, superglobals; and `server`, whose handlers have bound variables and
/// properties.
void add_state_roots(ValueGraph& graph, zend_object* server);

}  // namespace sluice::php
