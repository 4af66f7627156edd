#include "io/datagram_socket.h"

#include <cerrno>
#include <cstring>

namespace sluice {

namespace {
/// Longer than any datagram can be: none is ever cut.
constexpr size_t kRoom = 65'536;
}  // namespace

/// Without SO_REUSEADDR, which would let another server's socket take the address over.
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
    bound = Address::from(storage);
    return fd;
}

void DatagramReceiver::allocate() {
    memory_.reset(new char[kBatch * (headroom_ + kRoom)]);
    names_.resize(kBatch);
    parts_.resize(kBatch);
    headers_.resize(kBatch);
    for (unsigned i = 0; i < kBatch; ++i)
        parts_[i] = {memory_.get() + i * (headroom_ + kRoom) + headroom_, kRoom};
}

std::span<const DatagramReceiver::Datagram> DatagramReceiver::receive(int fd) {
    if (!memory_) allocate();
    received_.clear();
    for (unsigned i = 0; i < kBatch; ++i) {
        headers_[i] = {};
        headers_[i].msg_hdr.msg_name = &names_[i];
        headers_[i].msg_hdr.msg_namelen = sizeof names_[i];
        headers_[i].msg_hdr.msg_iov = &parts_[i];
        headers_[i].msg_hdr.msg_iovlen = 1;
    }
    const int count = recvmmsg(fd, headers_.data(), kBatch, MSG_DONTWAIT, nullptr);
    for (int i = 0; i < count; ++i) {
        const size_t place = static_cast<size_t>(i);
        received_.push_back({Address::from(names_[place]), static_cast<char*>(parts_[place].iov_base),
                             headers_[place].msg_len});
    }
    return received_;
}

}  // namespace sluice
