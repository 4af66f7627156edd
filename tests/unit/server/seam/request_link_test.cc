#include "server/seam/request_link.h"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fd_passing.h"
#include "server/seam/records.h"

namespace sluice {
namespace {

struct LinkPair {
    LinkPair() {
        UniqueFd of_worker, of_process;
        EXPECT_TRUE(RequestLink::create_pair(of_worker, of_process));
        worker.connect(std::move(of_worker));
        process.connect(std::move(of_process));
    }
    RequestLink worker;
    RequestLink process;
};

Inbound request_with_body(const http::RequestHead& head, std::string_view text, std::string_view body) {
    Inbound message{.what = inbound::Request{.number = 7, .head = {&head, {}, text}, .file = {}}};
    message.connection = 4711;
    message.endpoint = 3;
    message.payload = body;
    return message;
}

TEST(RequestLink, ARequestGoesOneWay) {
    LinkPair pair;
    constexpr std::string_view kText = "GET / HTTP/1.1\r\n\r\n";
    http::RequestHead head;
    head.head_bytes = kText.size();
    const std::string body(300'000, 'b');
    pair.worker.put(request_with_body(head, kText, body));
    uint16_t kind = 0;
    std::span<const char> record;
    // The record is longer than what the socket takes at once.
    for (int turn = 0; turn < 1000 && record.empty(); ++turn) {
        pair.worker.send();
        EXPECT_NE(pair.process.receive(), RequestLink::Progress::kClosed);
        record = pair.process.next(kind);
    }
    const auto decoded = read_inbound(record, kind);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->message.connection, 4711u);
    EXPECT_EQ(decoded->message.endpoint, 3);
    EXPECT_EQ(decoded->message.payload, body);
    EXPECT_EQ(decoded->message.as<inbound::Request>()->number, 7u);
    EXPECT_EQ(pair.worker.send(), RequestLink::Progress::kDone);
    EXPECT_TRUE(pair.process.next(kind).empty());
}

TEST(RequestLink, CommandsGoTheOtherInTheirOrder) {
    LinkPair pair;
    pair.process.put_sign();
    pair.process.put(Command{.what = command::Respond{.request = 7, .status = 201, .last = false},
                             .connection = 4711,
                             .payload = "first"});
    pair.process.put(
        Command{.what = command::BodyPart{.request = 7}, .connection = 4711, .payload = "second"});
    EXPECT_EQ(pair.process.send(), RequestLink::Progress::kDone);
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kDone);
    uint16_t kind = 0;
    std::span<const char> record = pair.worker.next(kind);
    auto decoded = read_command(record, kind);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->command.as<command::Respond>()->status, 201);
    EXPECT_EQ(decoded->command.payload, "first");
    record = pair.worker.next(kind);
    decoded = read_command(record, kind);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->command.payload, "second");
    EXPECT_TRUE(pair.worker.next(kind).empty());
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kBlocked);
}

TEST(RequestLink, TheFileOfABodyGoesBesideIt) {
    LinkPair pair;
    const UniqueFd file(memfd_create("body", MFD_CLOEXEC));
    ASSERT_EQ(write(file.get(), "abc", 3), 3);
    const http::RequestHead head;
    Inbound message = request_with_body(head, "", {});
    std::get<inbound::Request>(message.what).file = {.bytes = 3, .number = 1, .fd = file.get()};
    pair.worker.put(message);
    EXPECT_EQ(pair.worker.send(), RequestLink::Progress::kDone);
    EXPECT_EQ(pair.process.receive(), RequestLink::Progress::kDone);
    const UniqueFd got = pair.process.take_file();
    char text[4] = {};
    EXPECT_EQ(pread(got.get(), text, 3, 0), 3);
    EXPECT_STREQ(text, "abc");
    EXPECT_FALSE(pair.process.take_file());
}

Command part_of_file(int fd, uint64_t bytes, std::string_view trailers = {}) {
    return {.what = command::BodyPart{.request = 7, .trailers = trailers, .file = {fd, 0, bytes}},
            .connection = 4711};
}

UniqueFd file_of(char first) {
    UniqueFd file(memfd_create("file", MFD_CLOEXEC));
    EXPECT_EQ(write(file.get(), &first, 1), 1);
    return file;
}

char first_of(const UniqueFd& file) {
    char first = 0;
    EXPECT_EQ(pread(file.get(), &first, 1, 0), 1);
    return first;
}

TEST(RequestLink, EachFileBelongsToItsCommand) {
    LinkPair pair;
    for (const char name : {'a', 'b', 'c'}) {
        const UniqueFd file = file_of(name);
        EXPECT_TRUE(pair.process.put(part_of_file(file.get(), 1)));
        EXPECT_EQ(pair.process.send(), RequestLink::Progress::kDone);
        EXPECT_TRUE(pair.process.put(
            Command{.what = command::BodyPart{.request = 7}, .connection = 4711, .payload = "between"}));
        EXPECT_EQ(pair.process.send(), RequestLink::Progress::kDone);
    }
    std::string seen;
    while (pair.worker.receive() == RequestLink::Progress::kDone) {
        uint16_t kind = 0;
        for (std::span<const char> record; !(record = pair.worker.next(kind)).empty();) {
            const auto decoded = read_command(record, kind);
            ASSERT_TRUE(decoded);
            seen += decoded->command.file() ? first_of(pair.worker.take_file()) : '-';
        }
    }
    EXPECT_EQ(seen, "a-b-c-");
    EXPECT_FALSE(pair.worker.take_file());
}

TEST(RequestLink, AFileWaitsForTheEndOfItsRecord) {
    LinkPair pair;
    const UniqueFd file = file_of('a'), next_file = file_of('b');
    const std::string trailers = "x: " + std::string(60'000, 't') + "\r\n";
    const Command command = part_of_file(file.get(), 1, trailers);
    std::vector<uint64_t> words(round_record(command_record_bytes(command, false)) / sizeof(uint64_t));
    char* const bytes = reinterpret_cast<char*>(words.data());
    write_command(bytes, command, false, 0);
    iovec begin{bytes, 20}, end{bytes + 20, words.size() * sizeof(uint64_t) - 20};
    const int fd = file.get();
    ASSERT_EQ(send_with_fds(pair.process.fd(), {&begin, 1}, {&fd, 1}, 0), 20);
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kDone);
    uint16_t kind = 0;
    EXPECT_TRUE(pair.worker.next(kind).empty());
    ASSERT_EQ(send_with_fds(pair.process.fd(), {&end, 1}, {}, 0), static_cast<ssize_t>(end.iov_len));
    // Another one comes behind it.
    EXPECT_TRUE(pair.process.put(part_of_file(next_file.get(), 1)));
    EXPECT_EQ(pair.process.send(), RequestLink::Progress::kDone);
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kDone);
    const std::span<const char> record = pair.worker.next(kind);
    const auto decoded = read_command(record, kind);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->command.as<command::BodyPart>()->trailers.size(), trailers.size());
    EXPECT_EQ(first_of(pair.worker.take_file()), 'a');
}

TEST(RequestLink, FilesWithoutRecordsAreNotKept) {
    LinkPair pair;
    const UniqueFd file = file_of('a');
    const int fd = file.get();
    char byte = 0;
    RequestLink::Progress progress = RequestLink::Progress::kDone;
    int sent = 0;
    for (; sent < 100 && progress == RequestLink::Progress::kDone; ++sent) {
        iovec part{&byte, 1};
        ASSERT_EQ(send_with_fds(pair.process.fd(), {&part, 1}, {&fd, 1}, 0), 1);
        progress = pair.worker.receive();
    }
    EXPECT_EQ(progress, RequestLink::Progress::kClosed);
    EXPECT_LT(sent, 20);
}

TEST(RequestLink, OneFileIsAllThatMayComeAtOnce) {
    LinkPair pair;
    const UniqueFd file(memfd_create("body", MFD_CLOEXEC));
    const int next_before = fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
    close(next_before);
    const int fds[] = {file.get(), file.get()};
    char bytes[] = "whatever";
    iovec part{bytes, sizeof bytes};
    ASSERT_EQ(send_with_fds(pair.process.fd(), {&part, 1}, fds, 0), static_cast<ssize_t>(sizeof bytes));
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kClosed);
    const int next_after = fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
    close(next_after);
    EXPECT_EQ(next_after, next_before) << "a descriptor was left open";
}

TEST(RequestLink, AnEndIsTold) {
    LinkPair pair;
    pair.process = RequestLink();
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kClosed);
    pair.worker.put_sign();
    EXPECT_EQ(pair.worker.send(), RequestLink::Progress::kClosed);
}

TEST(RequestLink, RecordsThatMakeNoSense) {
    LinkPair pair;
    const RecordHeader header{3, 1, 0};
    EXPECT_EQ(write(pair.process.fd(), &header, sizeof header), static_cast<ssize_t>(sizeof header));
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kDone);
    uint16_t kind = 0;
    EXPECT_TRUE(pair.worker.next(kind).empty());
    EXPECT_EQ(pair.worker.receive(), RequestLink::Progress::kClosed);
}

/// A child that does something, and waits to be killed.
template <typename F>
pid_t fork_child(F&& does) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    does();
    for (;;)
        pause();
}
/// One with this number; negative: another process has it, or the kernel lets nobody choose.
pid_t fork_child_with(pid_t number) {
    clone_args arguments{};
    arguments.exit_signal = SIGCHLD;
    arguments.set_tid = reinterpret_cast<uint64_t>(&number);
    arguments.set_tid_size = 1;
    const long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    while (pid == 0)
        pause();
    return static_cast<pid_t>(pid);
}
/// The signal that ends the child, now or before.
int end_of(pid_t child, int signal) {
    kill(child, signal);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

class ProcessOfALink : public testing::Test {
  protected:
    /// A child that has the process's end alone, and sends.
    pid_t fork_sender(std::string_view bytes) {
        const pid_t child = fork_child([&] { write(pair_.process.fd(), bytes.data(), bytes.size()); });
        pair_.process = RequestLink();
        pollfd one{pair_.worker.fd(), POLLIN, 0};
        EXPECT_EQ(poll(&one, 1, 10'000), 1);
        EXPECT_EQ(pair_.worker.receive(), RequestLink::Progress::kDone);
        return child;
    }
    LinkPair pair_;
};

TEST_F(ProcessOfALink, IsTheOneThatTheKernelNames) {
    const pid_t stranger = fork_child([] {});
    struct {
        RecordHeader record;
        int64_t pid;
    } const lie{{sizeof lie, UINT16_MAX, 0}, stranger};
    EXPECT_EQ(pair_.worker.process(), 0);
    pair_.worker.kill_process();
    const pid_t child = fork_sender({reinterpret_cast<const char*>(&lie), sizeof lie});
    uint16_t kind = 0;
    EXPECT_TRUE(pair_.worker.next(kind).empty());
    EXPECT_EQ(pair_.worker.process(), child);
    pair_.worker.kill_process();
    EXPECT_EQ(end_of(child, SIGTERM), SIGKILL);
    EXPECT_EQ(end_of(stranger, SIGTERM), SIGTERM);
}

TEST_F(ProcessOfALink, IsKilledWhenNoDescriptorIsLeft) {
    const pid_t child = fork_sender("sign");
    rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    // poll() takes no more descriptors than may be open.
    const rlimit few{1, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    pair_.worker.kill_process();
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(end_of(child, SIGTERM), SIGKILL);
}

TEST_F(ProcessOfALink, IsNotTheOneThatGetsItsNumberLater) {
    const pid_t child = fork_sender("sign");
    EXPECT_EQ(end_of(child, SIGKILL), SIGKILL);
    const pid_t later = fork_child_with(child);
    if (later < 0) GTEST_SKIP() << "cannot choose the number of a process";
    EXPECT_EQ(pair_.worker.process(), later);
    pair_.worker.kill_process();
    EXPECT_EQ(end_of(later, SIGTERM), SIGTERM);
}

}  // namespace
}  // namespace sluice
