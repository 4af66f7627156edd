#include "server/reactor/session_host.h"

#include "server/reactor/connection.h"
#include "server/seam/address_table.h"

namespace sluice {

void SessionHost::name_client(Connection& connection, const Address& client) {
    cells().name_client(connection.id, client);
    out_budget().release(connection);
    connection.address_key = AddressTable::key_of(client, commons_.secret);
    connection.known = commons_.known_addresses.recognizes(connection.address_key);
}

}  // namespace sluice
