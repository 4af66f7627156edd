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

/// The longest payload of UDP over IPv4; the limit of what is sent, over IPv6 as well.
inline constexpr size_t kMostDatagramBytes = 65'507;

/// Opens and binds a UDP socket, non-blocking. Parameters are those of open_listener().
UniqueFd open_datagram_socket(const Address& address, bool share, Address& bound, std::string& error);

/// Turns on SO_RXQ_OVFL, the kernel's count of datagrams lost for want of room in the socket's buffer, and
/// returns the count so far.
uint32_t count_lost_datagrams(int fd);

/// Receives datagrams, many with one system call.
class DatagramReceiver {
  public:
    static constexpr unsigned kBatch = 32;

    struct Datagram {
        Address from;
        char* bytes;  ///< the receiver of it may write to the `headroom` bytes before
        size_t size;
    };

    explicit DatagramReceiver(size_t headroom) : headroom_(headroom) {}

    /// Up to kBatch datagrams; valid until the next call. `lost` becomes what the socket had lost when the
    /// last of them came, if count_lost_datagrams() was called.
    std::span<const Datagram> receive(int fd, uint32_t& lost);

  private:
    struct Control {
        alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(uint32_t))];
    };
    void allocate();

    size_t headroom_;
    std::unique_ptr<char[]> memory_;  ///< made by the first call; pages take up memory once written to
    std::vector<sockaddr_storage> names_;
    std::vector<iovec> parts_;
    std::vector<mmsghdr> headers_;
    std::vector<Control> controls_;
    std::vector<Datagram> received_;
};

}  // namespace sluice
