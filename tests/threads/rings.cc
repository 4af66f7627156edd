// Two reactors and two workers, each a thread, over the real rings and arenas, for the thread sanitiser: a
// record that one end reads was published by the other before. Messages are answered at once or later, held,
// parked, small or in extents; rings and arenas are so small that all of them are full most of the time.
// Each message comes out, once and unchanged.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <poll.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "io/doorbell.h"
#include "server/rings/ring_port.h"
#include "server/rings/ring_transport.h"
#include "server/seam/control.h"

using namespace sluice;

namespace {

constexpr unsigned kReactors = 2, kWorkers = 2;
constexpr uint64_t kMessages = 6000;  ///< of each reactor
constexpr size_t kMostOpen = 50;      ///< of each worker
constexpr SharedLayout::Shape kShape = {.mode = 0,
                                        .reactors = kReactors,
                                        .worker_slots = kWorkers,
                                        .cells = 8192,
                                        .ring_bytes = 16'384,
                                        .arena_bytes = 32 * PageArena::kPageSize,
                                        .out_bytes = 16 * PageArena::kPageSize};

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

/// The text of a message or of its answer: its size decides whether it stands in the ring or in an extent.
std::string text_of(ConnectionId id, bool answer) {
    static constexpr size_t kSizes[] = {0, 1, 100, 3000, kExtentThreshold, kOutExtentThreshold, 20'000};
    std::string text(kSizes[(id + answer) % std::size(kSizes)], static_cast<char>('a' + id % 26));
    const std::string number = std::to_string(id);
    if (text.size() > number.size()) std::memcpy(text.data(), number.data(), number.size());
    return text;
}

/// What the threads share; each thread has its own ends of the rings.
struct Shared {
    SharedLayout layout = SharedLayout::create(kShape);
    UniqueFd reactor_bells[kReactors], worker_bells[kWorkers];
    FdChannel reactor_files[kReactors][kWorkers], worker_files[kReactors][kWorkers];
    ControlChannel masters[kWorkers], workers[kWorkers];
};

class ReactorThread final : TransportEvents {
  public:
    ReactorThread(Shared& shared, unsigned number)
        : shared_(shared),
          number_(number),
          transport_(shared.layout, number, {shared.worker_bells[0].get(), shared.worker_bells[1].get()},
                     2 * kMostOpen),
          answers_(kMessages),
          ends_(kMessages) {
        for (int worker = 0; worker < static_cast<int>(kWorkers); ++worker)
            transport_.worker_ready(worker, std::move(shared.reactor_files[number][worker]));
        for (uint64_t serial = 0; serial < kMessages; ++serial) {
            const ConnectionId id = id_of(serial);
            shared.layout.connection(id).id = id;
        }
    }
    void run() {
        for (uint64_t turn = 0; left_ > 0; ++turn) {
            while (next_ < kMessages && deliver(static_cast<int>(next_ % kWorkers)))
                ++next_;
            transport_.flush();
            transport_.poll(*this);
            kept_.clear();
            transport_.relieve(turn);
            if (!transport_.pending()) sleep();
        }
        require(transport_.used_bytes() == 0, "memory is not given back");
        for (uint64_t serial = 0; serial < kMessages; ++serial)
            require(answers_[serial] == 1 && ends_[serial] == 1,
                    "a message is not answered and finished once");
    }

  private:
    ConnectionId id_of(uint64_t serial) const { return make_connection_id(number_, serial + 2); }
    static uint64_t place_of(ConnectionId id) { return serial_of(id) - 2; }

    bool deliver(int worker) {
        const ConnectionId id = id_of(next_);
        const std::string text = text_of(id, false);
        Inbound message;
        message.connection = id;
        message.payload = text;
        Room room;
        const bool extent = text.size() >= kExtentThreshold;
        if (!transport_.accepts(worker, 0, extent ? 0 : text.size())) return false;
        if (extent) {
            room = transport_.allocate(text.size());
            if (!room) return false;
            std::memcpy(room.data, text.data(), text.size());
            message.payload = {room.data, text.size()};
        }
        transport_.deliver(worker, message, room);
        return true;
    }
    void sleep() {
        auto& sleeping = shared_.layout.reactor(number_).sleeping;
        transport_.await_room();
        Doorbell::about_to_sleep(sleeping);
        pollfd bell{shared_.reactor_bells[number_].get(), POLLIN, 0};
        if (!transport_.pending()) ::poll(&bell, 1, 1);
        Doorbell::awake(sleeping);
        Doorbell::drain(bell.fd);
    }

    void on_command(int, const Command& command, Ref<Payload> payload) override {
        const uint64_t place = place_of(command.connection);
        require(place < kMessages && command.payload == text_of(command.connection, true),
                "an answer is not what was said");
        ++answers_[place];
        if (payload) kept_.push_back(std::move(payload));
    }
    void on_finished(ConnectionId id) override {
        ++ends_[place_of(id)];
        --left_;
    }
    void on_lost(int, InboundKind, ConnectionId, uint32_t) override { require(false, "nobody dies"); }
    int worker_for_moved(InboundKind, ConnectionId, uint32_t) override { return kNoWorker; }
    void on_corrupt(int) override { require(false, "nobody lies"); }

    Shared& shared_;
    const unsigned number_;
    RingTransport transport_;
    uint64_t next_ = 0;
    uint64_t left_ = kMessages;
    std::vector<uint8_t> answers_, ends_;
    std::vector<Ref<Payload>> kept_;
};

class WorkerThread {
  public:
    WorkerThread(Shared& shared, unsigned slot)
        : random_(slot),
          port_(SharedLayout::attach(UniqueFd(dup(shared.layout.fd())), shared.layout.shape()), slot,
                Limits{}, shared.worker_bells[slot].get(),
                {shared.reactor_bells[0].get(), shared.reactor_bells[1].get()},
                std::move(shared.workers[slot]), files_of(shared, slot)) {}

    void run() {
        while (!port_.stopping() || !open_.empty()) {
            Inbound message;
            if (open_.size() < kMostOpen && port_.take(message)) {
                begin(message);
            } else if (open_.empty() || random_() % 4 == 0) {
                port_.wait(1);
            }
            if (open_.size() == kMostOpen || random_() % 2 == 0) end_one();
        }
        while (port_.has_kept())
            port_.wait(1);
        port_.flush();
    }

  private:
    struct Open {
        Inbound message;
        bool waits_to_begin;
    };
    static std::vector<FdChannel> files_of(Shared& shared, unsigned slot) {
        std::vector<FdChannel> files;
        for (unsigned reactor = 0; reactor < kReactors; ++reactor)
            files.push_back(std::move(shared.worker_files[reactor][slot]));
        return files;
    }
    void begin(Inbound& message) {
        require(message.payload == text_of(message.connection, false), "a message is not what was delivered");
        const bool parks = random_() % 8 == 0;
        if (parks) {
            port_.park(message);
        } else if (random_() % 2 == 0) {
            port_.waits(message);
        } else {
            end(message);
            return;
        }
        open_.push_back({message, parks});
    }
    void end_one() {
        if (open_.empty()) return;
        std::swap(open_[random_() % open_.size()], open_.back());
        Open open = open_.back();
        open_.pop_back();
        if (open.waits_to_begin) {
            require(open.message.payload == text_of(open.message.connection, false),
                    "a message that was parked has changed");
            port_.begins(open.message);
        }
        end(open.message);
    }
    void end(const Inbound& message) {
        const std::string text = text_of(message.connection, true);
        const Command answer{.what = command::Send{}, .connection = message.connection, .payload = text};
        Reach reach;
        Submitted submitted = port_.submit(answer, reach);
        while (submitted == Submitted::kNoRoom || submitted == Submitted::kDropped) {
            port_.wait(1);
            submitted = port_.submit(answer, reach);
        }
        require(submitted != Submitted::kClosed, "a connection is closed");
        if (message.home == PayloadHome::kExtent) port_.release(message);
        port_.finished(message);
    }

    std::mt19937 random_;
    RingPort port_;
    std::vector<Open> open_;
};

}  // namespace

int main() {
    Shared shared;
    require(static_cast<bool>(shared.layout), "no shared memory");
    for (UniqueFd& bell : shared.reactor_bells)
        bell.reset(Doorbell::create_fd());
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
        shared.worker_bells[worker].reset(Doorbell::create_fd());
        require(ControlChannel::create_pair(shared.masters[worker], shared.workers[worker]), "no channel");
        for (unsigned reactor = 0; reactor < kReactors; ++reactor)
            require(FdChannel::create_pair(shared.reactor_files[reactor][worker],
                                           shared.worker_files[reactor][worker]),
                    "no channel");
    }
    std::deque<ReactorThread> reactors;
    std::deque<WorkerThread> workers;
    for (unsigned reactor = 0; reactor < kReactors; ++reactor)
        reactors.emplace_back(shared, reactor);
    for (unsigned worker = 0; worker < kWorkers; ++worker)
        workers.emplace_back(shared, worker);
    std::vector<std::thread> of_reactors, of_workers;
    for (ReactorThread& reactor : reactors)
        of_reactors.emplace_back([&reactor] { reactor.run(); });
    for (WorkerThread& worker : workers)
        of_workers.emplace_back([&worker] { worker.run(); });
    for (std::thread& thread : of_reactors)
        thread.join();
    for (ControlChannel& master : shared.masters) {
        const char stop = static_cast<char>(Control::kStop);
        master.send({&stop, 1});
    }
    for (std::thread& thread : of_workers)
        thread.join();
    std::printf("%llu messages\n", static_cast<unsigned long long>(kMessages * kReactors));
}
