#include "server/reactor/udp_queue.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

namespace sluice {

void UdpQueue::add(const Address& to, Ref<Payload> datagram) {
    bytes_ += waiting_.emplace_back(Waiting{to, std::move(datagram)}).cost();
}

void UdpQueue::drop_first() {
    bytes_ -= waiting_.front().cost();
    waiting_.pop_front();
}

bool UdpQueue::flush(int fd, uint64_t& refused, uint64_t& sent_bytes) {
    while (!waiting_.empty()) {
        sockaddr_storage names[kBatch];
        iovec parts[kBatch];
        mmsghdr headers[kBatch];
        const size_t count = std::min<size_t>(waiting_.size(), kBatch);
        for (size_t i = 0; i < count; ++i) {
            const Waiting& next = waiting_[i];
            parts[i] = {const_cast<char*>(next.datagram->data()), next.datagram->size()};
            headers[i] = {};
            // A connected socket takes no address.
            if (next.to.family) {
                headers[i].msg_hdr.msg_namelen = next.to.to(names[i]);
                headers[i].msg_hdr.msg_name = &names[i];
            }
            headers[i].msg_hdr.msg_iov = &parts[i];
            headers[i].msg_hdr.msg_iovlen = 1;
        }
        const int sent = sendmmsg(fd, headers, static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) return false;
        if (sent <= 0) {
            // The error concerns the first datagram alone.
            ++refused;
            drop_first();
        }
        for (int i = 0; i < sent; ++i) {
            sent_bytes += waiting_.front().datagram->size();
            drop_first();
        }
    }
    return true;
}

}  // namespace sluice
