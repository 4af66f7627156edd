// A worker may write anything into its ring: each field of each record, each message with a descriptor, and
// all of that while the reactor reads. The worker is cut off, or no one else notices anything; and when it
// is dead, nothing of it is left.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostile_worker.h"
#include "io/fd_passing.h"
#include "scribbler.h"

namespace sluice::test {
namespace {

UniqueFd some_file(size_t bytes = 1000) {
    UniqueFd file(memfd_create("file", MFD_CLOEXEC));
    const std::string text(bytes, 'f');
    EXPECT_EQ(::write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return file;
}

/// What the stranger was told with a message: its connection and the request's number.
struct Told {
    ConnectionId connection = kNoConnection;
    uint32_t request = 0;
};

class HostileCommands : public HostileWorker {
  protected:
    Told get() { return of(InboundKind::kRequest, 0); }
    Told web_socket() { return of(InboundKind::kMessage, 0); }
    Told tcp() { return of(InboundKind::kMessage, 1); }

    /// The stranger takes its messages: three requests, of which two have bodies, two openings, a message of
    /// each.
    Told of(InboundKind kind, int place) {
        messages_ = world_.take_all();
        EXPECT_EQ(messages_.size(), 7u);
        EXPECT_TRUE(messages_[1].message.file() && messages_[2].extent);
        for (const WorkerEnd::Message& taken : messages_) {
            if (taken.message.kind() != kind || place-- > 0) continue;
            const auto* request = taken.message.as<inbound::Request>();
            return {taken.message.connection, request ? request->number : 0};
        }
        ADD_FAILURE() << "the stranger has no message of this kind at this place";
        return {};
    }
    char* say(const Command& command, bool extent = false, uint64_t number = 0) {
        return world_.stranger().write(command, extent, number);
    }

    std::vector<WorkerEnd::Message> messages_;
};

TEST_F(HostileCommands, OfResponses) {
    const std::string_view fields = "X-Field: value\r\n";
    const auto fields_of_command = with_header(kCommandFields);
    lie("a response", fields_of_command, [&] {
        const Told it = get();
        return say({command::Respond{.request = it.request, .status = 200, .fields = fields}, it.connection,
                    "body"});
    });
    lie("the beginning of a response", fields_of_command, [&] {
        const Told it = get();
        return say({command::Respond{
                        .request = it.request, .status = 200, .last = false, .length = 9, .fields = fields},
                    it.connection, "body"});
    });
    for (const uint64_t length : {uint64_t{4}, http::kNoLength}) {
        lie("the end of a response", fields_of_command, [&] {
            const Told it = get();
            world_.stranger().say(Command{
                command::Respond{.request = it.request, .status = 200, .last = false, .length = length},
                it.connection,
                {}});
            world_.turn(1);
            return say({command::BodyPart{.request = it.request, .trailers = "X-End: 1\r\n"}, it.connection,
                        "body"});
        });
    }
    lie("an interim response", fields_of_command, [&] {
        const Told it = get();
        return say({command::Inform{it.request, "Link: x\r\n"}, it.connection, {}});
    });
    lie("a grant", fields_of_command, [&] {
        const Told it = get();
        return say({command::GrantHandshake{it.request, fields, "chat"}, it.connection, {}});
    });
    lie("a wish for a body", fields_of_command, [&] {
        const Told it = get();
        return say({command::WantBody{it.request}, it.connection, {}});
    });
    EXPECT_GT(cut_off_, 0u);
    EXPECT_LT(cut_off_, lies_);
}

TEST_F(HostileCommands, OfWhatStandsInTheOutArena) {
    const std::string big(kOutExtentThreshold, 'b');
    lie("a response in an extent", with_header(kCommandFields), [&] {
        const Told it = get();
        return say({command::Respond{.request = it.request, .status = 200}, it.connection, big}, true,
                   PageArena::kPageSize);
    });
    lie("a message in an extent", with_header(kCommandFields), [&] {
        const Told it = web_socket();
        return say({command::Send{}, it.connection, big}, true, 0);
    });
    EXPECT_GT(cut_off_, 0u);
}

TEST_F(HostileCommands, OfFiles) {
    const UniqueFd file = some_file();
    const std::vector<Field> place_of_file = {{"offset", sizeof(CommandRecord), 8},
                                              {"bytes", sizeof(CommandRecord) + 8, 8}};
    auto fields = with_header(kCommandFields);
    fields.insert(fields.end(), place_of_file.begin(), place_of_file.end());
    lie("a response with a file", fields, [&] {
        const Told it = get();
        EXPECT_TRUE(world_.stranger().files().send(0, file.get()));
        return say({command::Respond{.request = it.request, .status = 200, .file = {file.get(), 0, 1000}},
                    it.connection,
                    {}},
                   false, 0);
    });
    EXPECT_GT(cut_off_, 0u);
}

TEST_F(HostileCommands, OfMessages) {
    const auto fields = with_header(kCommandFields);
    const auto on_web_socket = [&](const char* what, const Command::What& command, std::string_view payload) {
        lie(what, fields, [&] {
            const Told it = web_socket();
            return say({command, it.connection, payload});
        });
    };
    on_web_socket("a message", command::Send{true}, "hello");
    on_web_socket("a ping", command::Ping{}, "ping");
    on_web_socket("a close", command::Close{1000}, "reason");
    on_web_socket("a subscription", command::Subscribe{"topic"}, {});
    on_web_socket("the end of a subscription", command::Unsubscribe{"topic", true}, {});
    on_web_socket("a question for room", command::AwaitRoom{7, 100}, {});
    lie("a message to many", fields, [&] {
        const Told it = web_socket();
        const ConnectionId many[] = {it.connection, it.connection + 1, messages_.back().message.connection};
        return say({command::SendMany{many}, kNoConnection, "hello"});
    });
    lie("bytes for a TCP connection", fields, [&] {
        const Told it = tcp();
        return say({command::Send{}, it.connection, "bytes"});
    });
    lie("the end of a TCP connection", fields, [&] {
        const Told it = tcp();
        return say({command::Close{}, it.connection, {}});
    });
    EXPECT_GT(cut_off_, 0u);
}

TEST_F(HostileCommands, OfWhatConcernsMany) {
    const auto fields = with_header(kCommandFields);
    lie("a publication", fields, [&] {
        const Told it = web_socket();
        world_.stranger().say(Command{command::Subscribe{"topic"}, it.connection, {}});
        return say({command::Publish{"topic", 1}, kNoConnection, "hello"});
    });
    lie("a question for subscribers", fields, [&] {
        return say({command::CountSubscribers{3, "topic"}, kNoConnection, {}});
    });
    lie("a question for topics", fields, [&] {
        const Told it = web_socket();
        world_.stranger().say(Command{command::Subscribe{"topic"}, it.connection, {}});
        return say({command::ListTopics{3}, it.connection, {}});
    });
    const Address nobody = *Address::parse("127.0.0.1:9");
    lie("a datagram", fields, [&] {
        return say({command::SendDatagram{nobody, RingWorld::kUdp}, udp_id(0, RingWorld::kUdp), "datagram"});
    });
    std::vector<Field> address;
    for (size_t at = 0; at < sizeof(Address); at += 2)
        address.push_back({"of the address", sizeof(CommandRecord) + at, 2});
    lie("a datagram's address", address, [&] {
        return say({command::SendDatagram{nobody, RingWorld::kUdp}, udp_id(0, RingWorld::kUdp), "datagram"});
    });
    EXPECT_GT(cut_off_, 0u);
    const size_t before = cut_off_;
    lie("an answer, which nobody asked for", with_header({}), [&] {
        return say({command::Tell{1}, kNoConnection, {}});
    });
    EXPECT_GT(cut_off_, before);
}

TEST_F(HostileCommands, OfNotes) {
    const auto fields = with_header(kNoteFields);
    const auto note = [&](const char* what, const std::function<Note()>& make) {
        lie(what, fields, [&] {
            get();
            return world_.stranger().write(make());
        });
    };
    note("an extent given back", [&] { return note::Release{messages_[2].extent_page}; });
    note("a file given back", [&] { return note::ReleaseFile{0}; });
    note("a message held", [&] { return note::Hold{messages_[0].end}; });
    note("a parked message", [&] { return note::Park{messages_[0].end, PageArena::kPageSize}; });
    note("a held message finished", [&] {
        world_.stranger().say(Note(note::Hold{messages_[0].end}));
        return note::Finished{messages_[0].end};
    });
    EXPECT_GT(cut_off_, lies_ / 2);
}

// -- Descriptors

class HostileFiles : public HostileCommands {
  protected:
    /// The stranger's record says that there is a file; `send` sends other descriptors, or none.
    void answer(const char* what, const std::function<void(int channel)>& send, uint64_t bytes = 1000) {
        last_lie = what;
        world_.begin();
        const Told it = get();
        send(world_.stranger().files().fd());
        world_.stranger().say(
            Command{command::Respond{.request = it.request, .status = 200, .file = {0, 0, bytes}},
                    it.connection,
                    {}});
        world_.end();
        ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
        EXPECT_EQ(OutMemory::total(), 0u) << last_lie;
    }
    void send_files(const char* what, std::initializer_list<int> files, size_t bytes = 8,
                    uint64_t number = 0) {
        answer(what, [&](int channel) {
            std::vector<char> text(std::max<size_t>(bytes, sizeof number));
            memcpy(text.data(), &number, sizeof number);
            iovec part{text.data(), bytes};
            EXPECT_EQ(send_with_fds(channel, {&part, 1}, files, MSG_NOSIGNAL | MSG_DONTWAIT),
                      static_cast<ssize_t>(bytes))
                << what;
        });
    }
    static size_t open_descriptors() {
        size_t count = 0;
        for (int fd = 0; fd < 1024; ++fd)
            count += fcntl(fd, F_GETFD) >= 0;
        return count;
    }
};

TEST_F(HostileFiles, OfAnyKind) {
    const UniqueFd file = some_file();
    send_files("an honest file", {file.get()});
    EXPECT_FALSE(world_.is_cut_off());
    const size_t before = open_descriptors();
    for (const uint64_t number : values_for(0, 8)) {
        send_files("another number", {file.get()}, 8, number);
        EXPECT_TRUE(world_.is_cut_off()) << number;
    }
    for (const size_t bytes : {0, 1, 7, 9, 16, 4096}) {
        send_files("a message of another size", {file.get()}, bytes);
        EXPECT_TRUE(world_.is_cut_off()) << bytes;
    }
    answer("no message", [](int) {});
    EXPECT_TRUE(world_.is_cut_off());
    send_files("no descriptor", {});
    send_files("two descriptors", {file.get(), file.get()});
    EXPECT_TRUE(world_.is_cut_off());
    send_files("many descriptors", {0, 1, 2, file.get(), file.get(), file.get(), file.get(), file.get()});
    EXPECT_TRUE(world_.is_cut_off());
    answer("a channel that is closed", [](int channel) { shutdown(channel, SHUT_RDWR); });
    EXPECT_TRUE(world_.is_cut_off());

    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const UniqueFd reading(ends[0]), writing(ends[1]);
    const UniqueFd folder(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const UniqueFd path(open("/proc/self/exe", O_PATH | O_CLOEXEC));
    const UniqueFd device(open("/dev/zero", O_RDONLY | O_CLOEXEC));
    const UniqueFd written(open("/dev/null", O_WRONLY | O_CLOEXEC));
    const UniqueFd short_file = some_file(10);
    const UniqueFd empty_file = some_file(0);
    for (const int fd : {reading.get(), writing.get(), folder.get(), path.get(), device.get(), written.get(),
                         short_file.get(), empty_file.get()}) {
        send_files("what is no file, or shorter", {fd});
        EXPECT_FALSE(world_.is_cut_off()) << "a file that cannot be sent breaks its response alone";
    }
    for (const uint64_t bytes : {uint64_t{1}, uint64_t{1001}, uint64_t{INT64_MAX}})
        answer(
            "another size",
            [&](int channel) {
                const uint64_t number = 0;
                FdChannel ours{UniqueFd(dup(channel))};
                EXPECT_TRUE(ours.send(number, file.get()));
            },
            bytes);
    EXPECT_EQ(open_descriptors(), before + 8) << "all but those of the test itself are closed";
}

// -- Writing while the reactor reads

TEST_F(HostileCommands, ThatChangeWhileTheyAreRead) {
    const std::string big(kOutExtentThreshold, 'b');
    for (unsigned life = 0; life < 300; ++life) {
        last_lie = "something in life " + std::to_string(life);
        world_.begin();
        const auto messages = world_.take_all();
        auto scribbler = std::make_unique<Scribbler>(world_.layout(), life);
        for (int round = 0; round < 4; ++round) {
            for (const WorkerEnd::Message& taken : messages) {
                const ConnectionId id = taken.message.connection;
                const auto* request = taken.message.as<inbound::Request>();
                const uint32_t number = request ? request->number : 0;
                WorkerEnd& stranger = world_.stranger();
                stranger.write(
                    {command::Respond{.request = number, .status = 200, .last = false, .fields = "X: y\r\n"},
                     id, "body"});
                stranger.write({command::BodyPart{.request = number, .trailers = "X: y\r\n"}, id, big}, true,
                               0);
                stranger.write({command::Subscribe{"topic"}, id, {}});
                stranger.write({command::SendMany{{&id, 1}}, kNoConnection, "hello"});
                stranger.write({command::Publish{"topic"}, kNoConnection, "hello"});
                stranger.write({command::Send{}, id, big}, true, PageArena::kPageSize);
                stranger.write({command::Close{1000}, id, "reason"});
                stranger.commit();
            }
            world_.turn(2);
        }
        world_.end();
        scribbler.reset();
        // It has written even after its rings were emptied; no process does so after its death.
        world_.layout().reset_rings(0, RingWorld::kStranger);
        ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
        if (world_.is_cut_off()) ++cut_off_;
    }
    EXPECT_GT(cut_off_, 0u);
}

}  // namespace
}  // namespace sluice::test
