#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/socket.h>
#include <vector>

#include "core/unique_fd.h"
#include "io/address.h"

namespace sluice {

/// The longest datagram that UDP carries over IPv4; what is sent is held to it over IPv6 as well.
inline constexpr size_t kMostDatagramBytes = 65'507;

/// Opens and binds a UDP socket, non-blocking; as open_listener().
UniqueFd open_datagram_socket(const Address& address, bool share, Address& bound, std::string& error);

/// Has the kernel tell how many it has lost for want of room in the socket's buffer, and returns how many it
/// has lost by now.
uint32_t count_lost_datagrams(int fd);

/// Where datagrams are received, many with one system call.
class DatagramReceiver {
  public:
    static constexpr unsigned kBatch = 32;

    struct Datagram {
        Address from;
        char* bytes;  ///< with `headroom` bytes in front that are the taker's to write to
        size_t size;
    };

    explicit DatagramReceiver(size_t headroom) : headroom_(headroom) {}

    /// Up to kBatch of what the kernel has; valid until the next call. `lost` becomes what the socket had
    /// lost when the last one came, if it tells; see count_lost_datagrams().
    std::span<const Datagram> receive(int fd, uint32_t& lost);

  private:
    struct Control {
        alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(uint32_t))];
    };
    void allocate();

    size_t headroom_;
    std::unique_ptr<char[]> memory_;  ///< made by the first call; only what is written to takes up memory
    std::vector<sockaddr_storage> names_;
    std::vector<iovec> parts_;
    std::vector<mmsghdr> headers_;
    std::vector<Control> controls_;
    std::vector<Datagram> received_;
};

}  // namespace sluice
