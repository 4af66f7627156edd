// Bodies of requests in files, whose descriptors go to the worker beside the ring.
#include <fcntl.h>
#include <unistd.h>

#include "ring_transport_driver.h"

namespace sluice::test {
namespace {

class FilesOfBodies : public Transports {
  protected:
    void SetUp() override {
        Transports::SetUp();
        files_ = std::make_shared<TemporaryFiles>(layout_, layout_.reactor(0).file_bytes, testing::TempDir(),
                                                  16u << 20, 100);
    }
    Worker& start_with_channel(unsigned slot) {
        FdChannel ours;
        EXPECT_TRUE(FdChannel::create_pair(ours, channels_[slot]));
        transport_->worker_ready(static_cast<int>(slot), std::move(ours));
        workers_[slot].emplace(layout_, slot);
        return *workers_[slot];
    }
    bool deliver_body(int worker, std::string_view text, uint32_t request = 1) {
        http::Error error;
        Ref<RequestFile> file = files_->create(7, text.size(), error);
        EXPECT_TRUE(file && file->append(text, error));
        http::RequestHead head;
        Inbound message;
        message.what = inbound::Request{request, {&head, {}, {}}};
        message.connection = kConnection;
        EXPECT_TRUE(transport_->accepts(worker, kClient, sizeof head + sizeof(BodyPlace)));
        const bool delivered = transport_->deliver_file(worker, message, std::move(file));
        transport_->flush();
        return delivered;
    }
    std::string read(unsigned slot, const Worker::Message& message) {
        std::optional<FdChannel::Received> received = channels_[slot].receive();
        EXPECT_TRUE(received);
        if (!received) return {};
        EXPECT_EQ(received->number, message.decoded.message.file()->number);
        std::string text(message.decoded.message.file()->bytes, '\0');
        EXPECT_EQ(pread(received->fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        return text;
    }
    void release_file(Worker& worker, uint64_t number) {
        worker.say(Note(note::ReleaseFile{number}));
        poll();
    }

    std::shared_ptr<TemporaryFiles> files_;
    FdChannel channels_[kWorkers];
};

TEST_F(FilesOfBodies, GoToTheWorkerAndComeBack) {
    Worker& worker = start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    ASSERT_TRUE(deliver_body(0, "body"));
    for (const char* text : {"hello", "body"}) {
        auto message = worker.take();
        ASSERT_TRUE(message);
        EXPECT_EQ(read(0, *message), text);
        worker.finish(*message);
        poll();
        EXPECT_GT(files_->used_bytes(), 0u) << "PHP may keep the file";
        release_file(worker, message->decoded.message.file()->number);
    }
    EXPECT_EQ(files_->used_bytes(), 0u);
    EXPECT_TRUE(events_.corrupt.empty());
}

TEST_F(FilesOfBodies, AWorkerThatGivesBackWhatItHasNotIsCorrupt) {
    Worker& worker = start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    release_file(worker, 0);
    EXPECT_TRUE(events_.corrupt.empty());
    release_file(worker, 0);
    EXPECT_EQ(events_.corrupt, std::vector<int>{0});
}

TEST_F(FilesOfBodies, WithoutAWayForItNothingIsDelivered) {
    Worker& worker = start(0);
    EXPECT_FALSE(deliver_body(0, "hello"));
    EXPECT_FALSE(worker.take());
    EXPECT_EQ(files_->used_bytes(), 0u);
    EXPECT_TRUE(transport_->is_idle(0));
}

TEST_F(FilesOfBodies, WhatADeadWorkerHadNotBegunGoesToAnother) {
    Worker& first = start_with_channel(0);
    Worker& second = start_with_channel(1);
    ASSERT_TRUE(deliver_body(1, "number 0 there"));
    ASSERT_TRUE(deliver_body(0, "begun", 1));
    ASSERT_TRUE(deliver_body(0, "not begun", 2));
    ASSERT_TRUE(first.take());
    transport_->worker_gone(0, events_);
    EXPECT_EQ(events_.lost, (std::vector<std::pair<ConnectionId, uint32_t>>{{kConnection, 1}}));
    events_.move_to = 1;
    poll();
    transport_->flush();
    auto own = second.take();
    ASSERT_TRUE(own);
    EXPECT_EQ(read(1, *own), "number 0 there");
    auto moved = second.take();
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->decoded.message.as<inbound::Request>()->number, 2u);
    EXPECT_EQ(read(1, *moved), "not begun");
    transport_->worker_gone(1, events_);
    EXPECT_EQ(files_->used_bytes(), 0u) << "a dead worker keeps nothing";
}

TEST_F(FilesOfBodies, WhatADeadWorkerHasSentWithoutARecordIsClosed) {
    start_with_channel(0);
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
    const UniqueFd from(ends[0]);
    UniqueFd sent(ends[1]);
    ASSERT_TRUE(channels_[0].send(0, sent.get()));
    sent.reset();
    transport_->worker_gone(0, events_);
    char byte;
    EXPECT_EQ(::read(from.get(), &byte, 1), 0) << "nobody has the other end any more";
}

TEST_F(FilesOfBodies, WhatNobodyIsToHaveAnyMoreIsFreed) {
    start_with_channel(0);
    ASSERT_TRUE(deliver_body(0, "hello"));
    transport_->worker_gone(0, events_);
    events_.gone = kConnection;
    poll();
    EXPECT_EQ(files_->used_bytes(), 0u);
}

}  // namespace
}  // namespace sluice::test
