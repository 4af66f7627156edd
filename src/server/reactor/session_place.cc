#include "server/reactor/session_place.h"

namespace sluice {

namespace {
/// The session of a connection that has no protocol yet.
class NoSession final : public Session {
    Progress consume(SessionHost&, Connection&, std::span<char>&) override { return Progress::kClosed; }
    void ended(SessionHost&, Connection&) override {}
    void command(SessionHost&, Connection&, int, const Command&, Ref<Payload>) override {}
    void deadline(SessionHost&, Connection&) override {}
    void close(SessionHost&, Connection&, uint16_t, std::string_view) override {}
    void stop(SessionHost&, Connection&) override {}
    void release(SessionHost&) override {}
};
}  // namespace

SessionPlace::SessionPlace() {
    place<NoSession>();
}

}  // namespace sluice
