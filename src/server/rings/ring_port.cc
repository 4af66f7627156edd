#include "server/rings/ring_port.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/doorbell.h"
#include "server/seam/control.h"
#include "server/seam/worker_places.h"

namespace sluice {

namespace {
/// The first byte of a ticket is the reactor, the rest the end of the record in that reactor's ring.
constexpr unsigned kTicketShift = 56;
constexpr uint64_t kEndMask = (uint64_t{1} << kTicketShift) - 1;
/// Messages whose handlers wait leave the ring when they and the messages behind them fill this part of it.
constexpr size_t kMuchPart = 4;
/// Of a worker's places, so small a part may be held by messages whose client nobody counts.
constexpr size_t kUntoldPart = 64;

constexpr uint64_t kDoorbellToken = 0;
constexpr uint64_t kMasterToken = 1;
constexpr uint64_t kFdToken = 2;  // + fd
/// A stopping worker takes no messages, so nothing else would end a wait without limit.
constexpr int kStoppingWaitMs = 10;

void set_record_bytes(char* record, uint32_t bytes) {
    std::atomic_ref(reinterpret_cast<RecordHeader*>(record)->size).store(bytes, std::memory_order_release);
}
}  // namespace

RingPort::RingPort(SharedLayout layout, unsigned slot, const Limits& limits, int doorbell,
                   std::vector<int> reactor_doorbells, ControlChannel control, std::vector<FdChannel> files)
    : PortBase(own_layout_, slot, limits),
      own_layout_(std::move(layout)),
      doorbell_(doorbell),
      reactor_doorbells_(std::move(reactor_doorbells)),
      control_(std::move(control)),
      outbox_(own_layout_, slot),
      parked_(own_layout_.shape().parked_bytes()),
      most_untold_(places_of_worker(limits_.coroutines) / kUntoldPart / own_layout_.shape().reactors) {
    for (unsigned reactor = 0; reactor < reactor_doorbells_.size(); ++reactor) {
        Link link;
        link.in = own_layout_.in_consumer(reactor, slot);
        link.ahead = link.in;
        if (reactor < files.size()) link.files = std::move(files[reactor]);
        links_.push_back(std::move(link));
    }
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor)
        outbox_.set_files(reactor, &links_[reactor].files);
    poller_.add(doorbell_, EPOLLIN, kDoorbellToken);
    poller_.add(control_.fd(), EPOLLIN, kMasterToken);
}

void RingPort::ready() {
    layout_.worker(slot_).alive.store(1, std::memory_order_release);
    const char said = static_cast<char>(Control::kReady);
    control_.send({&said, 1});
}

void RingPort::abandon() {
    own_layout_.close_fd();
    close(doorbell_);
    for (const int fd : reactor_doorbells_)
        close(fd);
    control_.close();
    poller_.close();
    for (Link& link : links_)
        link.files = {};
}

void RingPort::request_reload() {
    char said = static_cast<char>(Control::kWantReload);
    control_.send({&said, 1});
}

void RingPort::request_stop() {
    char said = static_cast<char>(Control::kWantStop);
    control_.send({&said, 1});
}

void RingPort::request_replacement() {
    char said = static_cast<char>(Control::kWantReplacement);
    control_.send({&said, 1});
}

void RingPort::request_successor() {
    char said = static_cast<char>(Control::kWantSuccessor);
    control_.send({&said, 1});
}

bool RingPort::stopping() const {
    return stop_;
}

bool RingPort::take(Inbound& message) {
    only_notices_ = false;
    if (stopping()) return false;
    for (unsigned tried = 0; tried < links_.size(); ++tried) {
        unsigned reactor = next_link_;
        next_link_ = next_link_ + 1 == links_.size() ? 0 : next_link_ + 1;
        Link& link = links_[reactor];
        uint16_t kind = 0;
        std::span<char> record = link.in.take(kind);
        if (record.empty()) {
            if (!link.in.corrupt()) continue;
            // It would wait there for ever, with all that it is given.
            SLUICE_ERROR("the ring from reactor %u is malformed; this worker ends", reactor);
            stop_ = true;
            return false;
        }
        std::optional<DecodedInbound> decoded = read_inbound(record, kind);
        if (!decoded) {
            SLUICE_ERROR("a message from reactor %u is malformed; this worker ends", reactor);
            stop_ = true;
            return false;
        }
        if (decoded->message.file() && !take_file(link, decoded->message)) {
            SLUICE_ERROR("a body's file from reactor %u is malformed; this worker ends", reactor);
            stop_ = true;
            return false;
        }
        link.in.publish_taken();
        // Early, so that more is there before this worker has nothing to do. wait() misses none.
        if (link.in.must_ring())
            Doorbell::ring_if_asleep(own_layout_.reactor(reactor).sleeping, reactor_doorbells_[reactor]);
        if (pass_notice(reactor)) {
            // Do not count it in the round-robin of reactors.
            next_link_ = reactor;
            --tried;
            continue;
        }
        message = decoded->message;
        if (decoded->extent) {
            message.home = PayloadHome::kExtent;
            message.payload = {own_layout_.arena(reactor).data() +
                                   size_t{decoded->extent_page} * PageArena::kPageSize + kPayloadOffset,
                               decoded->payload_bytes};
        }
        message.ticket = (uint64_t{reactor} << kTicketShift) | link.in.position();
        link.open.push_back({link.in.position(), Open::State::kBegun});
        return true;
    }
    return false;
}

RingPort::Link& RingPort::link_of(const Inbound& message) {
    return links_[message.ticket >> kTicketShift];
}

/// nullptr when the message has left the ring.
RingPort::Open* RingPort::find_open(Link& link, uint64_t end) {
    if (end <= link.freed) return nullptr;
    if (link.open.front().end == end) return &link.open.front();
    return &*std::lower_bound(link.open.begin(), link.open.end(), end,
                              [](const Open& one, uint64_t end) { return one.end < end; });
}

/// Whether the record that `in` has just passed is a notice that was taken out of turn.
bool RingPort::pass_notice(unsigned reactor) {
    Link& link = links_[reactor];
    const uint64_t end = link.in.position();
    if (link.notices.empty() || link.notices.front().end != end) return false;
    const bool taken = link.notices.front().taken;
    link.notices.pop_front();
    if (!taken) return false;
    link.open.push_back({end, Open::State::kFinished});
    ++link.finished;
    give_space_back(reactor);
    return true;
}

/// Finds the notices in records that have come since the last look. Invalid records are left to take().
void RingPort::look_ahead(Link& link) {
    if (link.ahead.position() < link.in.position()) link.ahead = link.in;
    for (;;) {
        uint16_t kind = 0;
        const std::span<char> record = link.ahead.take(kind);
        if (record.empty()) return;
        if (kind != static_cast<uint16_t>(InboundKind::kCancel) &&
            kind != static_cast<uint16_t>(InboundKind::kAnswer)) {
            continue;
        }
        const std::optional<DecodedInbound> decoded = read_inbound(record, kind);
        if (!decoded || decoded->extent) continue;
        link.notices.push_back({link.ahead.position(), decoded->message, false});
        link.notices_looked = 0;
    }
}

bool RingPort::take_notice(Inbound& message, bool (*is_wanted)(const Inbound&)) {
    if (stopping()) return false;
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor) {
        Link& link = links_[reactor];
        look_ahead(link);
        // A notice becomes wanted only when its message is taken: look again after a take() only.
        if (link.notices_looked == link.in.position() + 1) continue;
        for (Notice& notice : link.notices) {
            if (notice.taken || !is_wanted(notice.message)) continue;
            notice.taken = true;
            message = notice.message;
            message.ticket = (uint64_t{reactor} << kTicketShift) | notice.end;
            return true;
        }
        link.notices_looked = link.in.position() + 1;
    }
    only_notices_ = true;
    return false;
}

/// Descriptors come in the order of the records that refer to them.
bool RingPort::take_file(Link& link, Inbound& message) {
    std::optional<FdChannel::Received> received = link.files.receive();
    inbound::BodyFile& file = std::get<inbound::Request>(message.what).file;
    if (!received || received->number != link.files_taken || file.number != link.files_taken) return false;
    ++link.files_taken;
    file.fd = received->fd.release();
    return true;
}

void RingPort::finished(const Inbound& message) {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    const uint64_t end = message.ticket & kEndMask;
    Link& link = links_[reactor];
    // A notice taken out of turn is finished when take() passes it.
    if (end > link.in.position()) return;
    Open* open = find_open(link, end);
    if (!open || open->state == Open::State::kHeld) {
        const bool told = outbox_.push(reactor, note::Finished{end});
        if (!told) outbox_.push_or_keep(reactor, note::Finished{end});
        if (const auto parked = link.parked.find(end); parked != link.parked.end()) {
            // Keep the record until the reactor knows: it may look for the message there.
            if (told) {
                free_parked(parked->second);
            } else {
                finished_parked_.push_back(std::move(parked->second));
            }
            link.parked.erase(parked);
        }
        flush();
        return;
    }
    if (open->state == Open::State::kWaits) {
        // The reactor does not know where it was parked.
        if (const auto parked = link.parked.find(end); parked != link.parked.end()) {
            free_parked(parked->second);
            link.parked.erase(parked);
        }
    }
    open->state = Open::State::kFinished;
    ++link.finished;
    give_space_back(reactor);
}

/// Whether waiting messages alone may make the ring short of space, or hold so many of the worker's places
/// that the reactor has to know whose they are.
bool RingPort::holds_much(const Link& link) const {
    return link.in.position() - link.freed >= own_layout_.shape().ring_bytes / kMuchPart ||
           link.open.size() > most_untold_;
}

/// Gives space back in order, up to the last finished message or, when space is short, as far as possible.
/// Waiting messages in between leave the ring (note::Hold). While the ring has only waiting messages they
/// stay: most do not wait for long.
void RingPort::give_space_back(unsigned reactor) {
    Link& link = links_[reactor];
    const bool much = holds_much(link);
    uint64_t end = 0;
    for (; !link.open.empty(); link.open.pop_front()) {
        const Open& front = link.open.front();
        if (front.state == Open::State::kFinished) {
            --link.finished;
        } else if (front.state != Open::State::kHeld) {
            if (front.state == Open::State::kBegun || (link.finished == 0 && !much)) break;
            if (!tell_of_leaving(reactor, front.end)) break;
        }
        end = front.end;
    }
    // Answers must not wait for later messages, whose handlers may take any time. They must be visible before
    // their message counts as finished: a connection may end once all of its messages are finished. A
    // note::Hold must be visible before the space is given back.
    flush();
    if (!end) return;
    link.freed = end;
    link.in.free_until(end);
}

/// Tells the reactor of a waiting message that leaves the ring, and where it stands if it was parked when
/// there was no room to say so.
bool RingPort::tell_of_leaving(unsigned reactor, uint64_t end) {
    const auto parked = links_[reactor].parked.find(end);
    if (parked == links_[reactor].parked.end() || !parked->second.shared)
        return outbox_.push(reactor, note::Hold{end});
    return outbox_.push(reactor, note::Park{end, parked->second.offset});
}

void RingPort::waits(const Inbound& message) {
    Link& link = link_of(message);
    Open* open = find_open(link, message.ticket & kEndMask);
    if (!open || open->state != Open::State::kBegun) return;
    open->state = Open::State::kWaits;
    if (link.finished > 0 || holds_much(link))
        give_space_back(static_cast<unsigned>(message.ticket >> kTicketShift));
}

void RingPort::park(Inbound& message) {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    Link& link = links_[reactor];
    const uint64_t end = message.ticket & kEndMask;
    const bool extent = message.home == PayloadHome::kExtent;
    const size_t page = extent ? page_of(message) : 0;
    const size_t bytes = inbound_record_bytes(message, extent);
    if (const auto before = link.parked.find(end); before != link.parked.end()) {
        if (before->second.shared) set_record_bytes(before->second.shared, static_cast<uint32_t>(bytes));
        return;
    }
    Parked parked{parked_.allocate(bytes), nullptr, {}};
    char* place;
    if (parked.offset != PageArena::kNone) {
        // Shared memory: the record survives this process.
        place = parked.shared = own_layout_.parked_arena(slot_).data() + parked.offset;
    } else {
        parked.copy.reset(new char[bytes]);
        place = parked.copy.get();
    }
    write_inbound(place, message, extent, static_cast<uint32_t>(page));
    const std::optional<DecodedInbound> decoded =
        read_inbound({place, bytes}, static_cast<uint16_t>(message.kind()));
    message.move_head(decoded->message);
    if (!extent) message.payload = decoded->message.payload;

    Open* open = find_open(link, end);
    const bool told =
        parked.offset != PageArena::kNone && outbox_.push(reactor, note::Park{end, parked.offset});
    open->state = told ? Open::State::kHeld : Open::State::kWaits;
    link.parked.emplace(end, std::move(parked));
    give_space_back(reactor);
}

void RingPort::begins(const Inbound& message) {
    Link& link = link_of(message);
    const auto parked = link.parked.find(message.ticket & kEndMask);
    if (parked == link.parked.end() || !parked->second.shared) return;
    // A message that kills its worker must not be given to the next one. Written to shared memory, as the
    // ring may be full.
    set_record_bytes(parked->second.shared, kBegunRecord);
}

void RingPort::free_parked(const Parked& parked) {
    if (parked.offset != PageArena::kNone) parked_.free(parked.offset);
}

void RingPort::hand_over_kept() {
    if (!outbox_.has_kept()) return;
    outbox_.hand_over_kept();
    if (outbox_.has_kept()) return;
    for (const Parked& parked : finished_parked_)
        free_parked(parked);
    finished_parked_.clear();
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor)
        if (holds_much(links_[reactor])) give_space_back(reactor);
}

size_t RingPort::page_of(const Inbound& message) const {
    const unsigned reactor = static_cast<unsigned>(message.ticket >> kTicketShift);
    return static_cast<size_t>(message.payload.data() - kPayloadOffset - own_layout_.arena(reactor).data()) /
           PageArena::kPageSize;
}

void RingPort::release(const Inbound& message) {
    outbox_.push_or_keep(static_cast<unsigned>(message.ticket >> kTicketShift),
                         note::Release{page_of(message)});
}

void RingPort::release_file(const Inbound& message) {
    outbox_.push_or_keep(static_cast<unsigned>(message.ticket >> kTicketShift),
                         note::ReleaseFile{message.file()->number});
}

/// The reactor that gets a command; not a link's number when there is none.
unsigned RingPort::reactor_that_gets(const Command& command) const {
    // Always one reactor, so that this worker's publications arrive in order everywhere.
    if (command.is<command::Publish>()) return slot_ % static_cast<unsigned>(links_.size());
    return reactor_for(command);
}

Submitted RingPort::submit(const Command& command, Reach& reach) {
    if (command.is_for_all() && command.is_question()) return ask_all(command, reach);
    const Submitted foreseen = foresee(command);
    if (is_final(foreseen)) return foreseen;
    const unsigned reactor = reactor_that_gets(command);
    if (reactor >= links_.size()) return Submitted::kClosed;
    if (!outbox_.can_hold(command.payload.size())) return Submitted::kDropped;
    if (!outbox_.push(reactor, command)) return Submitted::kNoRoom;
    ++reach.count;
    return foreseen;
}

Submitted RingPort::ask_all(const Command& question, Reach& reach) {
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor) {
        if (reach.done[reactor] || !outbox_.push(reactor, question)) continue;
        reach.done.set(reactor);
        ++reach.count;
    }
    return reach.count == links_.size() ? Submitted::kSent : Submitted::kNoRoom;
}

Submitted RingPort::submit_surely(const Command& command) {
    const Submitted foreseen = foresee(command);
    if (is_final(foreseen)) return foreseen;
    const unsigned reactor = reactor_that_gets(command);
    if (reactor >= links_.size()) return Submitted::kClosed;
    if (!outbox_.can_hold(command.payload.size()) || !outbox_.push_or_keep(reactor, command))
        return Submitted::kDropped;
    return foreseen;
}

void RingPort::flush() {
    // The reactor that gets this worker's publications is last: it passes them on to other reactors, which by
    // then see earlier commands, such as a subscription.
    for (unsigned count = 1; count <= links_.size(); ++count) {
        const unsigned reactor = (slot_ + count) % static_cast<unsigned>(links_.size());
        if (outbox_.commit(reactor))
            Doorbell::ring_if_asleep(own_layout_.reactor(reactor).sleeping, reactor_doorbells_[reactor]);
    }
}

/// Rings for reactors that wait until messages have been taken.
void RingPort::tell_of_room() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (unsigned reactor = 0; reactor < links_.size(); ++reactor)
        if (links_[reactor].in.must_ring())
            Doorbell::ring_if_asleep(own_layout_.reactor(reactor).sleeping, reactor_doorbells_[reactor]);
}

bool RingPort::anything_to_take() const {
    for (const Link& link : links_) {
        if (!(only_notices_ ? link.ahead : link.in).empty()) return true;
    }
    return false;
}

/// The time to wait at most.
int RingPort::prepare_to_wait(int timeout_ms) {
    hand_over_kept();
    flush();
    tell_of_room();
    auto at_most = [&timeout_ms](int most_ms) {
        timeout_ms = timeout_ms < 0 ? most_ms : std::min(timeout_ms, most_ms);
    };
    if (outbox_.has_kept()) at_most(1);
    if (stopping()) at_most(kStoppingWaitMs);
    return timeout_ms;
}

void RingPort::wait_without_messages(int timeout_ms) {
    poll(prepare_to_wait(timeout_ms));
}

void RingPort::wait(int timeout_ms) {
    timeout_ms = prepare_to_wait(timeout_ms);
    auto& sleeping = own_layout_.worker(slot_).sleeping;
    if (timeout_ms != 0 && !stopping()) {
        if (anything_to_take()) {
            // Poll watched descriptors even if messages never cease.
            if (!watches_) return;
            timeout_ms = 0;
        } else {
            Doorbell::about_to_sleep(sleeping);
            if (anything_to_take()) timeout_ms = 0;
        }
    }
    poll(timeout_ms);
    Doorbell::awake(sleeping);
}

void RingPort::poll(int timeout_ms) {
    for (const epoll_event& event : poller_.wait(timeout_ms)) {
        if (event.data.u64 == kDoorbellToken) {
            Doorbell::drain(doorbell_);
        } else if (event.data.u64 == kMasterToken) {
            hear_master();
        } else {
            ready_.push_back({static_cast<int>(event.data.u64 - kFdToken), event.events});
        }
    }
}

bool RingPort::watch(int fd, uint32_t events) {
    watches_ = true;
    return poller_.watch_once(fd, events, kFdToken + static_cast<uint64_t>(fd));
}

void RingPort::take_ready(std::vector<ReadyFd>& ready) {
    ready.clear();
    ready.swap(ready_);
}

void RingPort::hear_master() {
    while (auto message = control_.receive()) {
        WireReader reader(message->bytes);
        const Control order = reader.get<Control>();
        if (order == Control::kStop) {
            const uint64_t until_ms = monotonic_ms() + reader.get<uint32_t>();
            patient_until_ms_ = stop_ ? std::min(patient_until_ms_, until_ms) : until_ms;
            stop_ = true;
        }
        if (order == Control::kLeave) leaving_ = true;
        if (order == Control::kReopenLogs) log::reopen();
    }
    if (control_.eof()) _exit(0);  // the master is gone, and with it the server
}

}  // namespace sluice
