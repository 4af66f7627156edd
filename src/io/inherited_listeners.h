#pragma once

#include <string>
#include <vector>

#include "core/unique_fd.h"
#include "io/listen_address.h"

namespace sluice {

/// Sockets that another process has opened for this one: systemd (sd_listen_fds(3)), or the master that this
/// one is to replace.
struct InheritedListener {
    std::string asked;  ///< as the script has written the address; empty when only `bound` is known
    std::string name;   ///< for the log: what FileDescriptorName= of systemd says
    ListenAddress bound;
    bool is_udp = false;
    bool owns_file = false;     ///< this process is to remove a Unix socket's file
    std::vector<UniqueFd> fds;  ///< at least one
};

/// What the socket is bound to. False when it is not a listening TCP or Unix socket, nor a UDP socket.
bool describe_socket(int fd, ListenAddress& bound, bool& is_udp);

/// Takes the sockets that LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES name, if they are for this process: they
/// become close-on-exec and non-blocking. Removes the variables from the environment. Until then the process
/// may execute another program in its place, which finds them.
std::vector<InheritedListener> take_activated_sockets();

}  // namespace sluice
