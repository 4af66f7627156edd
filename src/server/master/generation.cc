#include "server/master/generation.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "core/log.h"
#include "core/wire.h"
#include "io/control_channel.h"
#include "io/poller.h"
#include "server/config/config.h"
#include "server/config/manifest.h"
#include "server/inline/inline_port.h"
#include "server/master/tls_contexts.h"
#include "server/master/worker_signals.h"
#include "server/reactor/reactor.h"
#include "server/rings/ring_port.h"
#include "server/seam/control.h"
#include "server/sessions/access_log.h"
#include "server/sessions/new_sessions.h"
#include "shared/named_memories.h"

namespace sluice {

namespace {

/// How often it is tried again to take what comes with descriptors, once there were none left.
constexpr int kStarvedCheckMs = 20;

class Generation {
  public:
    Generation(GenerationWiring wiring, const ServerConfig& config, const LaunchHooks& hooks)
        : wiring_(std::move(wiring)), config_(config), hooks_(hooks) {}

    LaunchResult serve() {
        log::set_speaker("generation " + std::to_string(wiring_.generation));
        hooks_.set_title("sluice: generation " + std::to_string(wiring_.generation) + " of " +
                         config_.script);
        leave_signals_to_master();
        sigset_t child_signal;
        sigemptyset(&child_signal);
        sigaddset(&child_signal, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child_signal, &old_mask_);
        UniqueFd signals(signalfd(-1, &child_signal, SFD_NONBLOCK | SFD_CLOEXEC));
        poller_.add(signals.get(), EPOLLIN, 0);
        poller_.add(wiring_.control.fd(), EPOLLIN, 1);

        // Once for all workers, so that each can go on with a session that another one has begun, and so that
        // a worker which takes a dead one's place needs no file.
        if (config_.mode == Mode::kBase) {
            for (const EndpointSpec& spec : config_.endpoints) {
                if (!tls_.load(spec)) _exit(1);
            }
        }

        WireWriter booted;
        booted.put(Control::kBooted);
        write_config(booted, config_);
        std::vector<int> memories;
        for (const auto& [name, fd] : NamedMemories::of_this_process().opened()) {
            booted.put_string(name);
            memories.push_back(fd);
        }
        wiring_.control.send(booted.bytes(), memories);

        for (;;) {
            for (const epoll_event& event : poller_.wait(-1)) {
                if (event.data.u64 == 0) {
                    signalfd_siginfo ignored;
                    while (read(signals.get(), &ignored, sizeof ignored) > 0) {
                    }
                    continue;
                }
                while (auto message = wiring_.control.receive()) {
                    WireReader reader(message->bytes);
                    Control kind = reader.get<Control>();
                    if (kind == Control::kRetire) retiring_ = true;
                    if (kind == Control::kReopenLogs) log::reopen();
                    if (kind == Control::kFork && fork_worker(reader, message->fds))
                        return std::move(result_);
                }
            }
            // It would wake us all the while.
            if (wiring_.control.lacks_descriptors()) poll(nullptr, 0, kStarvedCheckMs);
            reap();
            if (wiring_.control.eof() || (retiring_ && workers_.empty())) end();
        }
    }

  private:
    [[noreturn]] void end() {
        for (auto& [pid, slot] : workers_)
            kill(pid, SIGKILL);
        _exit(0);
    }

    void reap() {
        int status;
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
            auto found = workers_.find(pid);
            if (found == workers_.end()) continue;  // a child of the script's own
            WireWriter exited;
            exited.put(Control::kExited);
            exited.put(found->second);
            exited.put(static_cast<int32_t>(pid));
            exited.put(static_cast<int32_t>(status));
            wiring_.control.send(exited.bytes());
            workers_.erase(found);
        }
    }

    /// True in the worker.
    bool fork_worker(WireReader& reader, std::vector<UniqueFd>& fds) {
        uint32_t slot = reader.get<uint32_t>();
        fflush(nullptr);  // or both processes would write what is in the buffers
        pid_t self = getpid();
        pid_t pid = fork();
        if (pid < 0) {
            SLUICE_ERROR("cannot fork a worker: %s", strerror(errno));
            WireWriter exited;
            exited.put(Control::kExited);
            exited.put(slot);
            exited.put(int32_t{0});
            exited.put(int32_t{W_EXITCODE(255, 0)});
            wiring_.control.send(exited.bytes());
            return false;
        }
        if (pid > 0) {
            workers_[pid] = slot;
            WireWriter forked;
            forked.put(Control::kForked);
            forked.put(slot);
            forked.put(static_cast<int32_t>(pid));
            wiring_.control.send(forked.bytes());
            return false;
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
        become_worker(slot, reader, fds);
        return true;
    }

    void become_worker(uint32_t slot, WireReader& reader, std::vector<UniqueFd>& fds) {
        const std::string service = reader.get_string();
        uint32_t number = reader.get<uint32_t>();
        config_.mode = reader.get<Mode>();
        config_.limits = reader.get<Limits>();
        config_.temporary_folder = reader.get_string();
        WorkerIdentity& identity = result_.identity;
        identity.id = number;
        for (size_t i = 0; i < config_.services.size() && !service.empty(); ++i)
            if (config_.services[i].name == service) identity.service = static_cast<int>(i);
        identity.generation = wiring_.generation;
        uint32_t count = reader.get<uint32_t>();
        std::vector<uint16_t> ids;
        for (uint32_t i = 0; i < count; ++i)
            ids.push_back(reader.get<uint16_t>());
        uint32_t addresses = reader.get<uint32_t>();
        for (uint32_t i = 0; i < addresses; ++i)
            identity.addresses.push_back(reader.get_string());
        std::shared_ptr<Endpoints> endpoints = read_endpoints(reader);
        if (config_.mode == Mode::kBase) tls_.tickets().adopt(reader.get<TicketKeys::Seed>());
        tls_.give_to(*endpoints);
        identity.endpoint_index.assign(endpoints->size(), -1);
        for (uint32_t i = 0; i < count; ++i)
            identity.endpoint_index[ids[i]] = static_cast<int>(i);

        std::string name =
            (service.empty() ? "worker " : "service " + service + " ") + std::to_string(number);
        log::set_speaker(name);
        hooks_.set_title("sluice: " + name + " of " + config_.script);
        wiring_.control.close();
        NamedMemories::of_this_process().seal();
        ControlChannel control(std::move(fds[0]));
        if (config_.mode == Mode::kProcess) {
            std::vector<FdChannel> files;
            for (size_t i = 1; i < fds.size(); ++i)
                files.emplace_back(std::move(fds[i]));
            auto port = std::make_unique<RingPort>(std::move(wiring_.layout), slot, config_.limits,
                                                   wiring_.worker_doorbells[slot], wiring_.reactor_doorbells,
                                                   std::move(control), std::move(files));
            port->set_endpoints(std::move(endpoints));
            result_.port = std::move(port);
            return;
        }
        if (!wiring_.layout.protect_addresses_of_others(slot))
            SLUICE_ERROR("cannot keep the counts by address of other workers from this one: %s",
                         strerror(errno));
        InlinePort::Wiring inline_wiring;
        inline_wiring.layout = std::move(wiring_.layout);
        inline_wiring.slot = slot;
        inline_wiring.limits = config_.limits;
        inline_wiring.doorbells = wiring_.worker_doorbells;
        inline_wiring.control = std::move(control);
        inline_wiring.allocator = hooks_.allocator;
        auto access_logs = std::make_shared<AccessLogs>(config_.limits.access_log_bytes);
        access_logs->give_to(*endpoints);
        inline_wiring.reopen_logs = [access_logs] { access_logs->reopen(); };
        inline_wiring.make_loop = [&](const SharedLayout& layout, Transport& transport) {
            auto reactor = std::make_unique<Reactor>(
                Reactor::Wiring{&layout, slot, &transport, &NewSessions::shared(),
                                wiring_.worker_doorbells[slot], config_.limits, config_.temporary_folder});
            reactor->set_endpoints(endpoints);
            return reactor;
        };
        for (size_t i = 1; i < fds.size(); ++i)
            inline_wiring.listeners.emplace_back(reader.get<uint16_t>(), std::move(fds[i]));
        auto port = std::make_unique<InlinePort>(std::move(inline_wiring));
        port->set_endpoints(endpoints);
        result_.port = std::move(port);
    }

    GenerationWiring wiring_;
    ServerConfig config_;
    const LaunchHooks& hooks_;
    TlsContexts tls_;
    Poller poller_;
    sigset_t old_mask_;
    std::map<pid_t, uint32_t> workers_;
    bool retiring_ = false;
    LaunchResult result_;
};

}  // namespace

LaunchResult serve_generation(GenerationWiring wiring, const ServerConfig& config, const LaunchHooks& hooks) {
    return Generation(std::move(wiring), config, hooks).serve();
}

}  // namespace sluice
