// A hostile worker beside an honest one, at the real rings of a whole reactor. Each input is one life of it:
// it takes messages, submits valid and invalid commands, writes over its rings and its out-arena, and dies,
// with a warning or without. Its clients go on sending meanwhile, or leave.
// Clients of the honest worker are served meanwhile, and nothing of the hostile worker is left behind.
#include <unistd.h>

#include "../tests/unit/helpers/ring_world.h"
#include "fuzz_input.h"

using namespace sluice;

namespace {

/// One life of the hostile worker.
class Life {
  public:
    Life(test::RingWorld& world, fuzz::Input input) : world_(world), input_(input) {}

    void live() {
        const uint8_t how = input_.byte();
        if (how & 16) world_.die_early();
        world_.begin();
        for (int wanted = how & 7; wanted > 0; --wanted)
            take();
        for (int steps = 0; steps < kMostSteps && !input_.rest().empty(); ++steps)
            step();
        world_.stranger().commit();
        if (how & 32) {
            world_.kill_alone();
        } else {
            world_.end((how & 8) == 0);
        }
        fuzz::require(fault_.empty(), fault_.c_str());
        fuzz::require(world_.what_is_wrong().empty(), world_.what_is_wrong().c_str());
    }

  private:
    static constexpr int kMostSteps = 60;
    static constexpr int kKinds = 21;  ///< of commands; two of them with a file
    /// What comes for one worker that begins nothing, more than a reactor gives it.
    static constexpr int kFlood = 40;
    static constexpr uint16_t kFloodBytes = 7'900;

    void take() {
        if (auto taken = world_.stranger().take(fault_)) messages_.push_back(std::move(*taken));
    }
    const test::WorkerEnd::Message* any() {
        const uint8_t which = input_.byte();
        return messages_.empty() ? nullptr : &messages_[which % messages_.size()];
    }
    uint64_t end_of(const test::WorkerEnd::Message* taken) { return taken ? taken->end : input_.word(); }

    void step() {
        const uint8_t what = input_.byte();
        switch (what & 7) {
            case 0:
            case 1: say(); break;
            case 2: note(); break;
            case 3: send_file(); break;
            case 4: scribble(input_.byte() & 1); break;
            case 5: {
                wrote_over_ = true;
                const SharedLayout::Ring ring = ring_of(input_.byte() & 1);
                std::atomic<uint64_t>* const positions[] = {&ring.header->produced, &ring.header->consumed,
                                                            &ring.header->taken};
                std::atomic<uint64_t>& position = *positions[input_.byte() % 3];
                position += static_cast<uint64_t>(static_cast<int8_t>(input_.byte())) * 8;
                break;
            }
            case 6: {
                const std::span<char> arena = world_.layout().out_arena(test::RingWorld::kStranger);
                const std::string_view bytes = input_.take(input_.byte() & 63);
                const size_t place = input_.byte() % 4 * PageArena::kPageSize + input_.byte();
                std::memcpy(arena.data() + place, bytes.data(), bytes.size());
                break;
            }
            default: wait(what >> 3);
        }
    }
    /// Time goes by, in which clients may do something, and the stranger may take more.
    void wait(uint8_t how) {
        world_.stranger().commit();
        const auto client = [this] {
            return static_cast<test::RingWorld::Who>(input_.byte() % test::RingWorld::kBystander);
        };
        switch (how & 7) {
            case 4: world_.begin_message(static_cast<uint16_t>(input_.word() >> 16)); break;
            case 5:
                for (int i = 0; i < kFlood; ++i)
                    world_.more(test::RingWorld::kWebSocket, kFloodBytes);
                break;
            case 6: world_.rest(); break;
            case 7: world_.shut(client()); break;
            case 1: {
                const auto who = client();
                world_.more(who, static_cast<uint16_t>(input_.word() >> 16));
                break;
            }
            case 2: world_.leave(client()); break;
            case 3:
                // Its end of the rings is played by an honest worker's code, which believes what it reads.
                if (!wrote_over_) take();
                break;
            default: break;
        }
        world_.turn(1);
    }
    SharedLayout::Ring ring_of(bool inbound) const {
        return world_.layout().ring(inbound, 0, test::RingWorld::kStranger);
    }
    /// Writes over bytes in a ring: at the beginning of the in-ring, or near the last record of the out-ring.
    void scribble(bool inbound) {
        wrote_over_ = true;
        const SharedLayout::Ring ring = ring_of(inbound);
        const std::string_view bytes = input_.take(input_.byte() & 31);
        const uint64_t place = (inbound ? 0 : said_) + input_.byte() * 2u;
        for (size_t i = 0; i < bytes.size(); ++i)
            ring.data[(place + i) % test::RingWorld::kRingBytes] = bytes[i];
    }
    void say() {
        const test::WorkerEnd::Message* const about = any();
        const ConnectionId id = about ? about->message.connection : kNoConnection;
        const auto* request = about ? about->message.as<inbound::Request>() : nullptr;
        const uint32_t number = request ? request->number : 1;
        const uint8_t how = input_.byte();
        const bool flag = how & 32, extent = how & 64;
        const std::string payload(extent ? kOutExtentThreshold : input_.byte(), 'p');
        Command command{.connection = id, .payload = payload};
        const std::string_view text = input_.take(input_.byte() & 31);
        // Other fields than lines are refused at once.
        const std::string_view fields = text.size() % 4 ? "x-field: value\r\n" : text;
        const uint16_t code = static_cast<uint16_t>(flag ? 200 : input_.word());
        const ConnectionId many[] = {id, id + 1, id};
        const int kind = (how & 31) % kKinds;
        switch (kind) {
            case 0: command.what = command::Send{flag}; break;
            case 1: command.what = command::SendMany{many, flag}; break;
            case 2: command.what = command::Publish{text, flag ? id : kNoConnection, flag}; break;
            case 3:
                command.what = command::Respond{.request = number,
                                                .status = code,
                                                .last = flag,
                                                .has_length = (how & 128) != 0,
                                                .length = how & 128 ? input_.byte() : http::kNoLength,
                                                .fields = fields};
                break;
            case 4:
                command.what = command::BodyPart{.request = number, .last = flag, .trailers = fields};
                break;
            case 5: command.what = command::Inform{number, fields}; break;
            case 6: command.what = command::GrantHandshake{number, fields, "p"}; break;
            case 7: command.what = command::WantBody{number}; break;
            case 8: command.what = command::Subscribe{text, flag, how & 128 ? number : 0}; break;
            case 9: command.what = command::Unsubscribe{text, flag}; break;
            case 10: command.what = command::Ping{}; break;
            case 11: command.what = command::Close{code}; break;
            case 12: command.what = command::CountSubscribers{number, text}; break;
            case 13: command.what = command::ListTopics{number}; break;
            case 14: command.what = command::AwaitRoom{number, code}; break;
            case 15:
                command.what = command::SendDatagram{*Address::parse("127.0.0.1:9"), test::RingWorld::kUdp};
                command.connection = udp_id(0, 9);
                break;
            case 16: command.what = command::Tell{number, flag}; break;
            case 17: command.what = command::Attach{number}; break;
            case 18: command.what = command::ListSubscribers{number, text, id, code}; break;
            case 19:
                command.what = command::BodyPart{
                    .request = number, .last = flag, .trailers = text, .file = {0, code, input_.byte()}};
                break;
            default:
                command.what = command::Respond{.request = number, .status = 200, .file = {0, code, number}};
        }
        const bool has_payload = !command.file() && (kind < 5 || kind == 10 || kind == 11 || kind == 15 ||
                                                     kind == 17 || kind == 19);
        if (!has_payload) command.payload = {};
        said_ = world_.stranger().said();
        world_.stranger().write(command, extent && has_payload,
                                command.file() ? files_ - 1 : input_.byte() % 8 * PageArena::kPageSize);
    }
    void note() {
        const test::WorkerEnd::Message* const about = any();
        const uint8_t how = input_.byte();
        said_ = world_.stranger().said();
        const auto write = [this](const Note& note) { world_.stranger().write(note); };
        switch (how % 6) {
            case 0: write(note::Release{about && about->extent ? about->extent_page : input_.byte()}); break;
            case 1: write(note::ReleaseFile{input_.byte()}); break;
            case 2: write(note::Hold{end_of(about)}); break;
            case 3: park(about, how & 8); break;
            case 4: write(note::Finished{end_of(about)}); break;
            default:
                if (about) world_.stranger().finish(*about);
        }
    }
    /// Parks a message, in truth when `copies`: its record stands at that place then.
    void park(const test::WorkerEnd::Message* about, bool copies) {
        const uint64_t place = input_.byte() * PageArena::kPageSize / 16;
        const std::span<char> parked = world_.layout().parked_arena(test::RingWorld::kStranger);
        if (copies && about && place + (about->end - about->begin) <= parked.size()) {
            const SharedLayout::Ring ring = ring_of(true);
            for (uint64_t at = about->begin; at != about->end; ++at)
                parked[place + at - about->begin] = ring.data[at % test::RingWorld::kRingBytes];
        }
        world_.stranger().write(note::Park{end_of(about), place});
    }
    void send_file() {
        int ends[2];
        if (pipe(ends) != 0) return;
        const UniqueFd reading(ends[0]), writing(ends[1]);
        const UniqueFd file(dup(fileno(file_)));
        world_.stranger().files().send(input_.byte() & 7 ? files_ : input_.byte(),
                                       input_.byte() & 3 ? file.get() : reading.get());
        ++files_;
    }

    static inline FILE* const file_ = [] {
        FILE* const file = tmpfile();
        fputs("some text in a file", file);
        fflush(file);
        return file;
    }();
    test::RingWorld& world_;
    fuzz::Input input_;
    std::vector<test::WorkerEnd::Message> messages_;
    uint64_t files_ = 0;
    uint64_t said_ = 0;  ///< where the last record begins
    bool wrote_over_ = false;
    std::string fault_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static test::RingWorld& world = *new test::RingWorld;
    Life(world, fuzz::Input(data, size)).live();
    return 0;
}
