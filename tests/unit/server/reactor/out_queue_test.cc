#include "server/reactor/out_queue.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>

#include "core/unique_fd.h"
#include "server/reactor/open_files.h"

namespace sluice {
namespace {

/// A pair of sockets whose sending end holds little, so that writes are partial.
struct Pipe {
    Pipe() {
        int fds[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
        in.reset(fds[0]);
        out.reset(fds[1]);
        const int small = 4096;
        setsockopt(in.get(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    }
    std::string read_some() {
        char bytes[3000];
        const ssize_t got = recv(out.get(), bytes, sizeof bytes, MSG_DONTWAIT);
        return {bytes, got > 0 ? static_cast<size_t>(got) : 0};
    }
    UniqueFd in, out;
};

/// Flushes until all is sent, reading at the other end.
std::string drain(OutQueue& queue, uint64_t& sent, int& blocked) {
    Pipe pipe;
    std::string all;
    for (int i = 0; i < 100'000; ++i) {
        const OutQueue::Flushed flushed = queue.flush(pipe.in.get(), sent);
        EXPECT_NE(flushed, OutQueue::Flushed::kBroken);
        if (flushed == OutQueue::Flushed::kBlocked) ++blocked;
        for (std::string bytes = pipe.read_some(); !bytes.empty(); bytes = pipe.read_some())
            all += bytes;
        if (flushed == OutQueue::Flushed::kAll) return all;
    }
    ADD_FAILURE() << "the queue is never empty";
    return all;
}

TEST(OutQueue, EmptyIsSentAtOnce) {
    OutQueue queue;
    uint64_t sent = 0;
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.flush(-1, sent), OutQueue::Flushed::kAll);
    queue.append("");
    queue.append(Ref<Payload>(HeapPayload::create(0)));
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.flush(-1, sent), OutQueue::Flushed::kAll);
}

TEST(OutQueue, MovesItsFrontBehindAnother) {
    const Ref<Payload> shared(HeapPayload::copy_of("", "0123456789"));
    for (size_t first = 0; first <= 5015; first += 7) {
        OutQueue from, to;
        from.reserve(10);  // a block that stays empty
        from.append(Ref<Payload>(shared));
        from.append(std::string(5000, 'g'));
        from.append("abcde");
        to.append("before ");
        from.move_to(to, first);
        EXPECT_EQ(from.bytes(), 5015 - first);
        from.move_to(to, 5015 - first);
        EXPECT_TRUE(from.empty());
        uint64_t sent = 0;
        int blocked = 0;
        EXPECT_EQ(drain(to, sent, blocked), "before 0123456789" + std::string(5000, 'g') + "abcde");
    }
}

TEST(OutQueue, KeepsTheOrder) {
    OutQueue queue;
    queue.append("a");
    queue.append(Ref<Payload>(HeapPayload::copy_of("b", "c")));
    queue.append("d");
    char* place = queue.reserve(10);
    memcpy(place, "ef", 2);
    queue.advance(2);
    queue.append(std::string(5000, 'g'));
    queue.append("h");
    EXPECT_EQ(queue.bytes(), 6u + 5000 + 1);
    uint64_t sent = 3;
    int blocked = 0;
    EXPECT_EQ(drain(queue, sent, blocked), "abcdef" + std::string(5000, 'g') + "h");
    EXPECT_EQ(sent, 3u + 5007);
    EXPECT_TRUE(queue.empty());
    queue.append("again");
    EXPECT_EQ(drain(queue, sent, blocked), "again");
}

TEST(OutQueue, PartialWrites) {
    OutQueue queue;
    std::string expected;
    std::mt19937 random(1);
    for (int i = 0; i < 400; ++i) {
        const std::string bytes(random() % 10 ? random() % 200 : random() % 20'000,
                                static_cast<char>('a' + i % 26));
        if (i % 3) {
            queue.append(bytes);
        } else {
            queue.append(Ref<Payload>(HeapPayload::copy_of({}, bytes)));
        }
        expected += bytes;
    }
    ASSERT_EQ(queue.bytes(), expected.size());
    uint64_t sent = 0;
    int blocked = 0;
    EXPECT_EQ(drain(queue, sent, blocked), expected);
    EXPECT_EQ(sent, expected.size());
    EXPECT_GT(blocked, 3) << "the socket took too much for this test";
}

TEST(OutQueue, GrowsWhileItIsSent) {
    OutQueue queue;
    Pipe pipe;
    std::mt19937 random(2);
    std::string expected, all;
    uint64_t sent = 0;
    for (int i = 0; i < 5000; ++i) {
        if (expected.size() - sent < 50'000) {
            const std::string bytes(random() % 600, static_cast<char>('a' + i % 26));
            if (random() % 2) {
                queue.append(bytes);
            } else {
                queue.append(Ref<Payload>(HeapPayload::copy_of({}, bytes)));
            }
            expected += bytes;
        }
        if (random() % 2) queue.flush(pipe.in.get(), sent);
        ASSERT_EQ(queue.bytes(), expected.size() - sent);
        if (random() % 4 == 0) all += pipe.read_some();
    }
    while (queue.flush(pipe.in.get(), sent) != OutQueue::Flushed::kAll)
        all += pipe.read_some();
    for (std::string bytes = pipe.read_some(); !bytes.empty(); bytes = pipe.read_some())
        all += bytes;
    EXPECT_EQ(all, expected);
}

/// A payload that tells when its last user has let go of it.
class WatchedPayload final : public Payload {
  public:
    WatchedPayload(std::string_view bytes, int& gone) : Payload(bytes.data(), bytes.size()), gone_(gone) {}
    ~WatchedPayload() override { ++gone_; }
    void move_to(const char* data) { data_ = data; }

  private:
    int& gone_;
};

TEST(OutQueue, APayloadIsSharedAndLetGo) {
    static const std::string kBytes(100, 'x');
    int gone = 0;
    OutQueue first, second;
    {
        Ref<Payload> payload = Ref<WatchedPayload>::adopt(new WatchedPayload(kBytes, gone));
        first.append(payload);
        second.append(payload);
        second.append(payload);
    }
    EXPECT_EQ(second.bytes(), 200u);
    uint64_t sent = 0;
    int blocked = 0;
    drain(first, sent, blocked);
    EXPECT_EQ(gone, 0);
    second.clear();
    EXPECT_EQ(gone, 1);
    EXPECT_TRUE(second.empty());
}

TEST(OutQueue, APayloadMayBeMovedWhileItWaits) {
    // CommandInlet::detach moves an extent in this way when its worker dies.
    const std::string before(100'000, 'x'), after(100'000, 'y');
    int gone = 0;
    Ref<WatchedPayload> payload = Ref<WatchedPayload>::adopt(new WatchedPayload(before, gone));
    OutQueue queue;
    queue.append(Ref<Payload>(payload));
    Pipe pipe;
    uint64_t sent = 0;
    ASSERT_EQ(queue.flush(pipe.in.get(), sent), OutQueue::Flushed::kBlocked);
    const uint64_t sent_before = sent;
    payload->move_to(after.data());
    std::string all;
    for (OutQueue::Flushed flushed = OutQueue::Flushed::kBlocked; flushed != OutQueue::Flushed::kAll;) {
        all += pipe.read_some();
        flushed = queue.flush(pipe.in.get(), sent);
    }
    for (std::string bytes = pipe.read_some(); !bytes.empty(); bytes = pipe.read_some())
        all += bytes;
    EXPECT_EQ(all, before.substr(0, sent_before) + after.substr(sent_before));
}

TEST(OutQueue, AClosedPeerIsBroken) {
    Pipe pipe;
    pipe.out.reset();
    OutQueue queue;
    queue.append("hello");
    uint64_t sent = 0;
    EXPECT_EQ(queue.flush(pipe.in.get(), sent), OutQueue::Flushed::kBroken);
    EXPECT_EQ(sent, 0u);
    EXPECT_EQ(queue.bytes(), 5u);
}

/// A file with the given content, and pieces of the file as payloads.
struct TestFile {
    explicit TestFile(std::string_view content) : fd(memfd_create("test", MFD_CLOEXEC)) {
        EXPECT_EQ(write(fd.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
    }
    Ref<Payload> piece(uint64_t offset, uint64_t bytes) {
        OpenFiles::Refusal refusal;
        return FilePayload::create(files.open(fd.get(), 1, refusal), offset, bytes);
    }
    UniqueFd fd;
    OpenFiles files{10};
};

std::string numbered(size_t bytes) {
    std::string content;
    for (int i = 0; content.size() < bytes; ++i)
        content += std::to_string(i) + ' ';
    content.resize(bytes);
    return content;
}

TEST(OutQueue, FilesGoBetweenWhatIsInMemory) {
    const std::string content = numbered(300'000);
    TestFile file(content);
    OutQueue queue;
    queue.append("head ");
    queue.append(file.piece(1000, 200'000));
    queue.append(" middle ");
    queue.append(file.piece(0, 5));
    queue.append(file.piece(299'999, 1));
    queue.append(" end");
    EXPECT_EQ(queue.bytes(), 5u + 8 + 4) << "a file takes no memory";
    EXPECT_EQ(queue.file_bytes(), 200'006u);
    EXPECT_FALSE(queue.empty());
    uint64_t sent = 0;
    int blocked = 0;
    EXPECT_EQ(drain(queue, sent, blocked), "head " + content.substr(1000, 200'000) + " middle " +
                                               content.substr(0, 5) + content.back() + " end");
    EXPECT_EQ(sent, 17u + 200'006);
    EXPECT_GT(blocked, 0);
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(file.files.count(), 0u) << "the file is closed when it is sent";
}

TEST(OutQueue, AFileAloneIsNotEmpty) {
    TestFile file("abc");
    OutQueue queue;
    queue.append(file.piece(0, 3));
    EXPECT_EQ(queue.bytes(), 0u);
    EXPECT_FALSE(queue.empty());
    queue.clear();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.file_bytes(), 0u);
    EXPECT_EQ(file.files.count(), 0u);
}

TEST(OutQueue, FilesYieldWhenTheirBudgetIsSpent) {
    TestFile file(std::string(1'000'000, 'x'));
    OutQueue queue;
    queue.append("h");
    queue.append(file.piece(0, 1'000'000));
    int fds[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    const UniqueFd in(fds[0]), out(fds[1]);
    uint64_t sent = 0;
    size_t budget = 50'000;
    EXPECT_EQ(queue.flush(in.get(), sent, budget), OutQueue::Flushed::kYielded);
    EXPECT_EQ(sent, 50'001u);
    EXPECT_EQ(budget, 0u);
    EXPECT_EQ(queue.file_bytes(), 950'000u);
    EXPECT_EQ(queue.flush(in.get(), sent, budget), OutQueue::Flushed::kYielded)
        << "a flush without budget yields";
    budget = 10'000;
    EXPECT_EQ(queue.flush(in.get(), sent, budget), OutQueue::Flushed::kYielded)
        << "a flush with hardly any budget yields";
    EXPECT_EQ(sent, 50'001u);
}

TEST(OutQueue, AFileThatBecameShorterIsTold) {
    TestFile file(std::string(100'000, 'x'));
    OutQueue queue;
    queue.append(file.piece(0, 100'000));
    ASSERT_EQ(ftruncate(file.fd.get(), 5000), 0);
    int fds[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    const UniqueFd in(fds[0]), out(fds[1]);
    uint64_t sent = 0;
    EXPECT_EQ(queue.flush(in.get(), sent), OutQueue::Flushed::kShrunk);
    EXPECT_EQ(sent, 5000u);
    EXPECT_EQ(queue.file_bytes(), 95'000u);
}

}  // namespace
}  // namespace sluice
