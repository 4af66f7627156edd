#include "io/datagram_socket.h"

#include <cerrno>
#include <cstring>
#include <linux/sock_diag.h>

namespace sluice {

namespace {
/// Longer than any datagram can be: none is ever truncated.
constexpr size_t kRoom = 65'536;
/// What the kernel queues while the reader is busy; it grants net.core.rmem_max at most.
constexpr int kReceiveBufferBytes = 4 << 20;

/// The number of datagrams that the socket has lost (SO_RXQ_OVFL); `before` when the kernel does not say.
uint32_t lost_by(const msghdr& header, uint32_t before) {
    for (const cmsghdr* part = CMSG_FIRSTHDR(&header); part;
         part = CMSG_NXTHDR(const_cast<msghdr*>(&header), const_cast<cmsghdr*>(part))) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_RXQ_OVFL) continue;
        uint32_t lost;
        memcpy(&lost, CMSG_DATA(part), sizeof lost);
        return lost;
    }
    return before;
}
}  // namespace

/// Does not set SO_REUSEADDR, by which another server's socket could take the address over.
UniqueFd open_datagram_socket(const Address& address, bool share, Address& bound, std::string& error) {
    UniqueFd fd(socket(address.family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int on = 1;
    sockaddr_storage storage;
    socklen_t size = address.to(storage);
    bool ok = static_cast<bool>(fd) &&
              (!share || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0) &&
              (address.family != AF_INET6 ||
               setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
              bind(fd.get(), reinterpret_cast<sockaddr*>(&storage), size) == 0;
    if (ok) {
        size = sizeof storage;
        ok = getsockname(fd.get(), reinterpret_cast<sockaddr*>(&storage), &size) == 0;
    }
    if (!ok) {
        error = "Cannot listen on udp://" + address.to_string() + ": " + strerror(errno);
        return {};
    }
    setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBufferBytes, sizeof kReceiveBufferBytes);
    bound = Address::from(storage);
    return fd;
}

uint32_t count_lost_datagrams(int fd) {
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    uint32_t memory[SK_MEMINFO_VARS] = {};
    socklen_t size = sizeof memory;
    getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &size);
    return memory[SK_MEMINFO_DROPS];
}

void DatagramReceiver::allocate() {
    memory_.reset(new char[kBatch * (headroom_ + kRoom)]);
    names_.resize(kBatch);
    parts_.resize(kBatch);
    headers_.resize(kBatch);
    controls_.resize(kBatch);
    for (unsigned i = 0; i < kBatch; ++i)
        parts_[i] = {memory_.get() + i * (headroom_ + kRoom) + headroom_, kRoom};
}

std::span<const DatagramReceiver::Datagram> DatagramReceiver::receive(int fd, uint32_t& lost) {
    if (!memory_) allocate();
    received_.clear();
    for (unsigned i = 0; i < kBatch; ++i) {
        headers_[i] = {};
        headers_[i].msg_hdr.msg_name = &names_[i];
        headers_[i].msg_hdr.msg_namelen = sizeof names_[i];
        headers_[i].msg_hdr.msg_iov = &parts_[i];
        headers_[i].msg_hdr.msg_iovlen = 1;
        headers_[i].msg_hdr.msg_control = &controls_[i];
        headers_[i].msg_hdr.msg_controllen = sizeof controls_[i];
    }
    const int count = recvmmsg(fd, headers_.data(), kBatch, MSG_DONTWAIT, nullptr);
    for (int i = 0; i < count; ++i) {
        const size_t place = static_cast<size_t>(i);
        received_.push_back({Address::from(names_[place]), static_cast<char*>(parts_[place].iov_base),
                             headers_[place].msg_len});
        lost = lost_by(headers_[place].msg_hdr, lost);
    }
    return received_;
}

}  // namespace sluice
