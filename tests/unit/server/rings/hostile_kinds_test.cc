// Each kind of record that a worker can write, as the variants list them: with a lie in each field, and while
// somebody else writes over it. A new kind is among them as soon as it is in the variant.
#include "hostile_worker.h"
#include "scribbler.h"

namespace sluice::test {
namespace {

/// Calls `f` with a value of each kind in the variant.
template <typename Variant, size_t Index = 0>
void for_each_kind(const std::function<void(const Variant&)>& f) {
    if constexpr (Index < std::variant_size_v<Variant>) {
        f(Variant(std::in_place_index<Index>));
        for_each_kind<Variant, Index + 1>(f);
    }
}

class HostileKinds : public HostileWorker {
  protected:
    const WorkerEnd::Message& message(InboundKind kind) const {
        for (const WorkerEnd::Message& taken : messages_)
            if (taken.message.kind() == kind) return taken;
        ADD_FAILURE() << "the stranger has no message of this kind";
        return messages_.front();
    }
    /// The command that an honest worker could give, about a request or a WebSocket.
    Command honest(Command::What what) {
        const auto* const request = message(InboundKind::kRequest).message.as<inbound::Request>();
        Command command;
        std::visit(
            [&](auto& one) {
                constexpr bool kIsOfRequest = requires {
                    one.request;
                }
                &&!requires {
                    one.is_prefix;
                };
                command.connection =
                    message(kIsOfRequest ? InboundKind::kRequest : InboundKind::kMessage).message.connection;
                if constexpr (kIsOfRequest) one.request = request->number;
                if constexpr (requires { one.status; }) one.status = 200;
                if constexpr (requires { one.fields; }) one.fields = "X-Field: value\r\n";
                if constexpr (requires { one.trailers; }) one.trailers = "X-End: 1\r\n";
                if constexpr (requires { one.topic; }) one.topic = "topic";
                if constexpr (requires { one.question; }) one.question = 7;
                if constexpr (requires { one.most; }) one.most = 10;
                if constexpr (requires { one.connections; }) one.connections = {&command.connection, 1};
                if constexpr (requires { one.to; }) {
                    one.to = *Address::parse("127.0.0.1:9");
                    one.endpoint = RingWorld::kUdp;
                    command.connection = udp_id(0, RingWorld::kUdp);
                }
            },
            what);
        command.what = what;
        many_ = command.connection;
        if (auto* many = command.as<command::SendMany>()) many->connections = {&many_, 1};
        command.payload = "hello";
        if (!is_readable(command)) command.payload = {};
        return command;
    }
    /// Finished needs a message that was held before.
    Note honest(Note note) {
        const WorkerEnd::Message& first = messages_.front();
        std::visit(
            [&](auto& one) {
                if constexpr (requires { one.page; }) one.page = messages_[2].extent_page;
                if constexpr (requires { one.message_end; }) one.message_end = first.end;
                if constexpr (requires { one.parked_offset; }) one.parked_offset = PageArena::kPageSize;
            },
            note);
        if (std::holds_alternative<note::Finished>(note)) world_.stranger().say(Note(note::Hold{first.end}));
        return note;
    }

    std::vector<WorkerEnd::Message> messages_;

  private:
    static bool is_readable(const Command& command) {
        std::vector<uint64_t> record(command_record_bytes(command, false) / 8 + 1);
        char* const place = reinterpret_cast<char*>(record.data());
        write_command(place, command, false, 0);
        return read_command({place, command_record_bytes(command, false)}, number_of(command)).has_value();
    }

    ConnectionId many_ = kNoConnection;
};

TEST_F(HostileKinds, TheirFieldsAreAllOfTheirRecords) {
    const auto covered = [](const std::vector<Field>& fields) {
        std::set<size_t> bytes;
        for (const Field& field : with_header(fields))
            for (size_t at = 0; at < field.bytes; ++at)
                bytes.insert(field.offset + at);
        return bytes.size();
    };
    EXPECT_EQ(covered(kCommandFields), sizeof(CommandRecord));
    EXPECT_EQ(covered(kNoteFields), sizeof(NoteRecord));
}

TEST_F(HostileKinds, OfCommands) {
    for_each_kind<Command::What>([this](const Command::What& what) {
        const size_t before = cut_off_;
        const std::string name = "the command at place " + std::to_string(what.index());
        lie(name, with_header(kCommandFields), [&] {
            messages_ = world_.take_all();
            return world_.stranger().write(honest(what));
        });
        // Nobody is told anything in process mode.
        EXPECT_EQ(is_believed_, !std::holds_alternative<command::Tell>(what)) << name;
        EXPECT_GT(cut_off_, before) << name;
    });
}

TEST_F(HostileKinds, OfNotes) {
    for_each_kind<Note>([this](const Note& note) {
        const size_t before = cut_off_;
        const std::string name = "the note at place " + std::to_string(note.index());
        lie(name, with_header(kNoteFields), [&] {
            messages_ = world_.take_all();
            return world_.stranger().write(honest(note));
        });
        EXPECT_TRUE(is_believed_) << name;
        EXPECT_GT(cut_off_, before) << name;
    });
}

TEST_F(HostileKinds, ThatChangeWhileTheyAreRead) {
    for (unsigned life = 0; life < 100; ++life) {
        last_lie = "something of any kind in life " + std::to_string(life);
        world_.begin();
        messages_ = world_.take_all();
        {
            const Scribbler scribbler(world_.layout(), life);
            for_each_kind<Command::What>([this](const Command::What& what) {
                if (std::holds_alternative<command::Tell>(what)) return;
                world_.stranger().say(honest(what));
                world_.turn(1);
            });
            for_each_kind<Note>([this](const Note& note) { world_.stranger().say(honest(note)); });
            world_.turn(2);
            world_.end();
        }
        // It has written even after its rings were emptied; no process does so after its death.
        world_.layout().reset_rings(0, RingWorld::kStranger);
        ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
        if (world_.is_cut_off()) ++cut_off_;
    }
    EXPECT_GT(cut_off_, 0u);
}

}  // namespace
}  // namespace sluice::test
