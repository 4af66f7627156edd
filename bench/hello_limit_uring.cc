// hello_limit by io_uring instead of epoll: multishot accept and receive, provided buffers, registered
// descriptors.
//     hello_limit_uring <address> [requests of each connection]
// Serves until it is killed.

#include <liburing.h>
#include <sys/mman.h>
#include <vector>

#include "hello_answer.h"

using namespace sluice;
using namespace sluice::bench;

namespace {

constexpr unsigned kEntries = 1024, kFiles = 4096;
constexpr unsigned kBuffers = 512, kBufferBytes = 4096;
constexpr int kGroup = 0;

enum class Did : uint64_t { kAccept, kReceive, kSend, kClose };

/// What an entry of the completion queue is about.
uint64_t tag(Did did, unsigned file = 0) {
    return static_cast<uint64_t>(did) << 32 | file;
}

void check(int result, const char* what) {
    if (result < 0) fail(std::string(what) + ": " + std::strerror(-result));
}

class Server {
  public:
    Server(int listener, size_t requests_of_each)
        : buffers_(size_t{kBuffers} * kBufferBytes), answers_(requests_of_each) {
        io_uring_params params{};
        params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE;
        params.cq_entries = 4 * kEntries;
        check(io_uring_queue_init_params(kEntries, &ring_, &params), "io_uring_setup");
        check(io_uring_register_files_sparse(&ring_, kFiles), "Registering descriptors");
        lend_buffers();
        io_uring_sqe* sqe = entry();
        io_uring_prep_multishot_accept_direct(sqe, listener, nullptr, nullptr, 0);
        sqe->user_data = tag(Did::kAccept);
    }

    void turn() {
        io_uring_submit_and_wait(&ring_, 1);
        unsigned head, count = 0;
        io_uring_cqe* cqe;
        io_uring_for_each_cqe(&ring_, head, cqe) {
            ++count;
            complete(*cqe);
        }
        io_uring_cq_advance(&ring_, count);
    }

  private:
    io_uring_sqe* entry() {
        io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
        if (sqe) return sqe;
        io_uring_submit(&ring_);
        return io_uring_get_sqe(&ring_);
    }

    io_uring_sqe* entry_for(unsigned file, Did did, void (*prepare)(io_uring_sqe*, unsigned)) {
        io_uring_sqe* sqe = entry();
        prepare(sqe, file);
        sqe->flags |= IOSQE_FIXED_FILE;
        sqe->user_data = tag(did, file);
        return sqe;
    }

    void lend_buffers() {
        const size_t bytes = kBuffers * sizeof(io_uring_buf);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
        lent_ = static_cast<io_uring_buf_ring*>(memory);
        io_uring_buf_reg registration{};
        registration.ring_addr = reinterpret_cast<uint64_t>(lent_);
        registration.ring_entries = kBuffers;
        registration.bgid = kGroup;
        check(io_uring_register_buf_ring(&ring_, &registration, 0), "Registering buffers");
        io_uring_buf_ring_init(lent_);
        for (unsigned id = 0; id < kBuffers; ++id)
            lend(id);
    }

    void lend(unsigned id) {
        io_uring_buf_ring_add(lent_, &buffers_[size_t{id} * kBufferBytes], kBufferBytes,
                              static_cast<uint16_t>(id), io_uring_buf_ring_mask(kBuffers), 0);
        io_uring_buf_ring_advance(lent_, 1);
    }

    void receive(unsigned file) {
        io_uring_sqe* sqe = entry_for(file, Did::kReceive, [](io_uring_sqe* at, unsigned of) {
            io_uring_prep_recv_multishot(at, static_cast<int>(of), nullptr, 0, 0);
        });
        sqe->flags |= IOSQE_BUFFER_SELECT;
        sqe->buf_group = kGroup;
    }

    void close(unsigned file) {
        io_uring_sqe* sqe = entry();
        io_uring_prep_close_direct(sqe, file);
        sqe->user_data = tag(Did::kClose, file);
    }

    void answer(unsigned file, std::string_view requests) {
        // After the last one the client's end completes the receive that waits, and so closes.
        const std::string_view bytes = answers_.to(file, requests).bytes;
        io_uring_sqe* sqe = entry();
        io_uring_prep_send(sqe, static_cast<int>(file), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        sqe->flags |= IOSQE_FIXED_FILE | IOSQE_CQE_SKIP_SUCCESS;
        sqe->user_data = tag(Did::kSend, file);
    }

    void complete(const io_uring_cqe& cqe) {
        const unsigned file = static_cast<unsigned>(cqe.user_data);
        switch (static_cast<Did>(cqe.user_data >> 32)) {
            case Did::kAccept:
                if (cqe.res < 0) break;
                answers_.begin(static_cast<size_t>(cqe.res));
                receive(static_cast<unsigned>(cqe.res));
                break;
            case Did::kReceive: {
                if (cqe.res <= 0) {
                    if (cqe.res == -ENOBUFS)
                        receive(file);
                    else
                        close(file);
                    break;
                }
                const unsigned id = cqe.flags >> IORING_CQE_BUFFER_SHIFT;
                answer(file, {&buffers_[size_t{id} * kBufferBytes], static_cast<size_t>(cqe.res)});
                lend(id);
                if (!(cqe.flags & IORING_CQE_F_MORE)) receive(file);
                break;
            }
            case Did::kSend:
            case Did::kClose: break;
        }
    }

    io_uring ring_;
    io_uring_buf_ring* lent_ = nullptr;
    std::vector<char> buffers_;
    Answers answers_;
};

}  // namespace

int main(int argc, char** argv) {
    const size_t of_each = requests_of_each(argc, argv);
    const UniqueFd listener = listen_on(argv[1]);
    set_no_delay(listener.get());  // the connections inherit it
    Server server(listener.get(), of_each);
    for (;;)
        server.turn();
}
