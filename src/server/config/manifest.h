#pragma once

#include <memory>

#include "core/wire.h"

namespace sluice {

class Endpoints;
struct ServerConfig;

/// Serialises configurations and endpoint tables for control messages.
void write_config(WireWriter& writer, const ServerConfig& config);
ServerConfig read_config(WireReader& reader);

void write_endpoints(WireWriter& writer, const Endpoints& endpoints);
std::shared_ptr<Endpoints> read_endpoints(WireReader& reader);

}  // namespace sluice
