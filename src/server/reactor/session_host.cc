#include "server/reactor/session_host.h"

#include "server/reactor/connection.h"
#include "server/sharing/client_key.h"

namespace sluice {

void SessionHost::count_for(Connection& connection, const Address& client) {
    const uint64_t key = client_key(client, commons_.secret);
    if (connection.address_key == key) return;
    out_budget().release(connection);
    connection.address_key = key;
    connection.known = commons_.known_addresses.recognizes(key);
}

void SessionHost::name_client(Connection& connection, const Address& client) {
    cells().name_client(connection.id, client);
    count_for(connection, client);
}

}  // namespace sluice
