#include "server/master/generation.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/control_channel.h"
#include "io/poller.h"
#include "io/process_report.h"
#include "server/config/config.h"
#include "server/config/manifest.h"
#include "server/inline/inline_port.h"
#include "server/master/request_port.h"
#include "server/master/script_pools.h"
#include "server/master/script_port.h"
#include "server/master/spare_processes.h"
#include "server/master/stopped_processes.h"
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

class Generation {
  public:
    Generation(GenerationWiring wiring, const ServerConfig& config, const LaunchHooks& hooks)
        : wiring_(std::move(wiring)), config_(config), hooks_(hooks), spares_(config), scripts_(config) {}

    LaunchResult serve() {
        log::set_speaker("generation " + std::to_string(wiring_.generation));
        hooks_.set_title("sluice: generation " + std::to_string(wiring_.generation) + " of " +
                         config_.script);
        leave_signals_to_master();
        described = this;
        ProcessReport::describe_by([](bool) { return described->describe(); });
        sigset_t child_signal;
        sigemptyset(&child_signal);
        sigaddset(&child_signal, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child_signal, &old_mask_);
        UniqueFd signals(signalfd(-1, &child_signal, SFD_NONBLOCK | SFD_CLOEXEC));
        poller_.add(signals.get(), EPOLLIN, 0);
        poller_.add(wiring_.control.fd(), EPOLLIN, 1);
        if (!spares_.empty()) poller_.add(spares_.taken_fd(), EPOLLIN, 2);
        if (!scripts_.empty()) poller_.add(scripts_.busy_fd(), EPOLLIN, 3);

        // TLS is loaded once for all workers, so that each can go on with a session that another one has
        // begun, and so that a worker which takes a dead one's place needs no file.
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
        if (!wiring_.control.send(booted.bytes(), memories)) {
            SLUICE_ERROR("the master cannot be told what the script serves");
            _exit(1);
        }

        for (;;) {
            if (fork_spares() || fork_script_processes()) return std::move(result_);
            for (const epoll_event& event : poller_.wait(next_timeout_ms(monotonic_ms()))) {
                if (event.data.u64 == 0) {
                    signalfd_siginfo ignored;
                    while (read(signals.get(), &ignored, sizeof ignored) > 0) {
                    }
                    continue;
                }
                if (event.data.u64 == 2) {
                    spares_.hear();
                    continue;
                }
                if (event.data.u64 == 3) {
                    scripts_.hear();
                    continue;
                }
                while (auto message = wiring_.control.receive()) {
                    WireReader reader(message->bytes);
                    Control kind = reader.get<Control>();
                    if (kind == Control::kRetire) retiring_ = true;
                    if (kind == Control::kReopenLogs) log::reopen();
                    if (kind == Control::kMemory) renew_memory(reader, message->fds);
                    if (kind != Control::kFork) continue;
                    order_ = message->bytes;
                    if (fork_worker(reader, message->fds)) return std::move(result_);
                }
            }
            wiring_.control.rest_if_starved();
            reap();
            look_at_stopped();
            look_at_scripts();
            if (wiring_.control.eof() || (retiring_ && workers_.empty())) end();
        }
    }

  private:
    inline static const Generation* described = nullptr;

    std::string describe() const {
        std::string text = "generation " + std::to_string(wiring_.generation) +
                           (retiring_ ? ", ending, has forked" : " has forked");
        for (const auto& [pid, worker] : workers_)
            text += " " + worker.name + " (pid " + std::to_string(pid) + ")";
        spares_.for_each([&](pid_t pid) { text += " request process " + std::to_string(pid); });
        scripts_.for_each([&](pid_t pid) { text += " script process " + std::to_string(pid); });
        return text;
    }

    struct Worker {
        uint32_t slot;
        std::string name;  ///< as the master names it in the log
        bool is_service;
    };

    /// -1: for ever.
    int next_timeout_ms(uint64_t now_ms) const {
        int timeout_ms = -1;
        for (const int own_ms : {has_order() ? spares_.wait_ms(now_ms) : -1,
                                 has_order() ? scripts_.wait_ms(now_ms) : -1, stopped_.wait_ms(now_ms)})
            if (own_ms >= 0) timeout_ms = timeout_ms < 0 ? own_ms : std::min(timeout_ms, own_ms);
        return timeout_ms;
    }

    [[noreturn]] void end() {
        for (auto& [pid, worker] : workers_)
            kill(pid, SIGKILL);
        spares_.for_each([](pid_t pid) { kill(pid, SIGKILL); });
        scripts_.for_each([](pid_t pid) { kill(pid, SIGKILL); });
        _exit(0);
    }

    void reap() {
        int status;
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0;) {
            const uint64_t now_ms = monotonic_ms();
            auto found = workers_.find(pid);
            if (WIFSTOPPED(status)) {
                if (found != workers_.end() || spares_.has(pid) || scripts_.has(pid))
                    stopped_.stopped(pid, WSTOPSIG(status), now_ms);
                continue;
            }
            const std::optional<uint64_t> stood_ms = stopped_.forget(pid, now_ms);
            if (WIFCONTINUED(status)) {
                if (stood_ms) {
                    SLUICE_INFO("%s goes on, after it was stopped for %.1f s", name_of(pid).c_str(),
                                static_cast<double>(*stood_ms) / 1000);
                }
                continue;
            }
            if (found == workers_.end()) {
                // Otherwise a child that the script has forked.
                if (!scripts_.forget(pid, status, now_ms)) spares_.forget(pid, status, now_ms);
                continue;
            }
            WireWriter exited;
            exited.put(Control::kExited);
            exited.put(found->second.slot);
            exited.put(static_cast<int32_t>(pid));
            exited.put(static_cast<int32_t>(status));
            wiring_.control.send(exited.bytes());
            workers_.erase(found);
            scripts_.forget_worker(pid);
        }
    }

    std::string name_of(pid_t pid) const {
        const auto found = workers_.find(pid);
        return (found != workers_.end() ? found->second.name : "request process") + " (pid " +
               std::to_string(pid) + ", generation " + std::to_string(wiring_.generation) + ")";
    }

    /// What a stopped process holds up is given to others only when that process has died.
    void look_at_stopped() {
        while (const auto due = stopped_.next(monotonic_ms())) {
            const std::string name = name_of(due->pid);
            const char* const stop = sigabbrev_np(due->signal);
            if (due->is_over) {
                SLUICE_ERROR("%s has been stopped (SIG%s) for %.1f s (killSeconds); killing it", name.c_str(),
                             stop, static_cast<double>(due->stood_ms) / 1000);
                kill(due->pid, SIGKILL);
                continue;
            }
            const auto found = workers_.find(due->pid);
            const char* const keeps = found == workers_.end()    ? "request"
                                      : found->second.is_service ? "work"
                                                                 : "messages";
            char until[100] = "";
            if (const uint32_t kill_ms = config_.limits.kill_ms)
                snprintf(until, sizeof until,
                         ", or it is killed once it has been stopped for %.1f s (killSeconds)",
                         kill_ms / 1000.0);
            SLUICE_WARNING(
                "%s has been stopped from outside (SIG%s) and keeps its %s: kill -CONT %d lets it go on%s",
                name.c_str(), stop, keeps, due->pid, until);
        }
    }

    /// True in the worker.
    bool fork_worker(WireReader& reader, std::vector<UniqueFd>& fds) {
        uint32_t slot = reader.get<uint32_t>();
        read_head(reader);
        stopped_.set_kill_ms(config_.limits.kill_ms);
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
            workers_[pid] = {slot, name_of_worker(), result_.identity.service >= 0};
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

    /// The reactor process has died. Processes for requests see the memory that it had: others take their
    /// place.
    void renew_memory(WireReader& reader, std::vector<UniqueFd>& fds) {
        const auto shape = reader.get<SharedLayout::Shape>();
        SharedLayout next = fds.empty() ? SharedLayout() : SharedLayout::attach(std::move(fds[0]), shape);
        if (!next) {
            SLUICE_ERROR("cannot map the memory of the new reactor process: %s", strerror(errno));
            end();
        }
        wiring_.layout = std::move(next);
        log::share(wiring_.layout.server().shared_log);
        order_.clear();
        spares_.for_each([](pid_t pid) { kill(pid, SIGKILL); });
        scripts_.for_each([](pid_t pid) { kill(pid, SIGKILL); });
    }

    bool has_order() const { return !order_.empty() && !retiring_; }

    /// Forks processes for one request each, once there are workers. True in a process for a request.
    bool fork_spares() {
        if (!has_order()) return false;
        for (int pool; (pool = spares_.next(monotonic_ms())) >= 0;) {
            fflush(nullptr);
            const pid_t self = getpid();
            const pid_t pid = fork();
            if (pid == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (getppid() != self) _exit(0);
                sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
                become_request_process(pool);
                return true;
            }
            if (pid < 0) SLUICE_ERROR("cannot fork a process for requests: %s", strerror(errno));
            if (pid < 0) return false;
            spares_.forked(pool, pid);
        }
        return false;
    }

    /// Forks processes for scripts, once there are workers. True in such a process.
    bool fork_script_processes() {
        if (!has_order()) return false;
        for (int pool; (pool = scripts_.next(monotonic_ms())) >= 0;) {
            fflush(nullptr);
            const unsigned place = scripts_.make_place(pool);
            const pid_t self = getpid();
            const pid_t pid = fork();
            if (pid == 0) {
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                if (getppid() != self) _exit(0);
                sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
                become_script_process(pool, place);
                return true;
            }
            if (pid < 0) SLUICE_ERROR("cannot fork a process for scripts: %s", strerror(errno));
            if (pid < 0) return false;
            scripts_.forked(pool, place, pid);
        }
        return false;
    }

    void look_at_scripts() {
        for (const ScriptPools::Overdue& one : scripts_.look(monotonic_ms())) {
            const double seconds = static_cast<double>(one.taken_ms) / 1000;
            if (one.is_over) {
                SLUICE_WARNING(
                    "a script in process %d has taken %.1f s, longer than terminateSeconds allows: the "
                    "process is "
                    "killed",
                    one.pid, seconds);
                kill(one.pid, SIGKILL);
                continue;
            }
            const std::string stack = hooks_.stack_of ? hooks_.stack_of(one.pid) : std::string();
            SLUICE_WARNING("a script in process %d takes %.1f s and goes on (slowSeconds). It stands in %s",
                           one.pid, seconds, stack.empty() ? "code that cannot be shown" : stack.c_str());
        }
    }

    /// Who the worker is, and the limits: those of the server's start, whatever this boot has asked for.
    void read_head(WireReader& reader) {
        const std::string service = reader.get_string();
        uint32_t number = reader.get<uint32_t>();
        config_.mode = reader.get<Mode>();
        config_.limits = reader.get<Limits>();
        config_.temporary_folder = reader.get_string();
        WorkerIdentity& identity = result_.identity;
        identity.id = number;
        identity.service = -1;
        for (size_t i = 0; i < config_.services.size() && !service.empty(); ++i)
            if (config_.services[i].name == service) identity.service = static_cast<int>(i);
        identity.generation = wiring_.generation;
    }

    /// What the order says of all workers.
    std::shared_ptr<Endpoints> read_rest(WireReader& reader) {
        WorkerIdentity& identity = result_.identity;
        uint32_t count = reader.get<uint32_t>();
        std::vector<uint16_t> ids;
        for (uint32_t i = 0; i < count; ++i)
            ids.push_back(reader.get<uint16_t>());
        uint32_t addresses = reader.get<uint32_t>();
        for (uint32_t i = 0; i < addresses; ++i)
            identity.addresses.push_back(reader.get_string());
        std::shared_ptr<Endpoints> endpoints = read_endpoints(reader);
        identity.endpoint_index.assign(endpoints->size(), -1);
        for (uint32_t i = 0; i < count; ++i)
            identity.endpoint_index[ids[i]] = static_cast<int>(i);
        return endpoints;
    }

    /// Makes this process one that takes requests from workers.
    std::shared_ptr<Endpoints> leave_generation(const char* role) {
        WireReader reader(order_);
        reader.get<Control>();
        reader.get<uint32_t>();
        read_head(reader);
        std::shared_ptr<Endpoints> endpoints = read_rest(reader);
        result_.identity.service = -1;
        log::set_speaker(role);
        hooks_.set_title(std::string("sluice: ") + role + " of " + config_.script);
        wiring_.control.close();
        for (const auto* doorbells : {&wiring_.worker_doorbells, &wiring_.reactor_doorbells})
            for (const int fd : *doorbells)
                close(fd);
        NamedMemories::of_this_process().seal();
        return endpoints;
    }

    void become_request_process(int pool) {
        std::shared_ptr<Endpoints> endpoints = leave_generation("request process");
        result_.identity.is_request_process = true;
        scripts_.close();
        FdChannel queue = spares_.take_queue(pool);
        auto port = std::make_unique<RequestPort>(std::move(wiring_.layout), config_.limits, std::move(queue),
                                                  spares_.take_teller(), SpareProcesses::note_of(getpid()));
        port->set_endpoints(std::move(endpoints));
        result_.port = std::move(port);
    }

    void become_script_process(int pool, unsigned place) {
        std::shared_ptr<Endpoints> endpoints = leave_generation("script process");
        result_.identity.is_script_process = true;
        spares_.take_ends();
        ScriptSeat seat = scripts_.take_seat(pool, place);
        auto port = std::make_unique<ScriptPort>(std::move(wiring_.layout), config_.limits, std::move(seat));
        port->set_endpoints(std::move(endpoints));
        result_.port = std::move(port);
    }

    /// Of the worker that the last order is for.
    std::string name_of_worker() const {
        const std::string number = std::to_string(result_.identity.id);
        if (result_.identity.service < 0) return "worker " + number;
        const ServiceSpec& spec = config_.services[static_cast<size_t>(result_.identity.service)];
        return std::string(ServiceSpec::kind_of(spec.is_pool)) + " " + spec.name + " " + number;
    }

    void become_worker(uint32_t slot, WireReader& reader, std::vector<UniqueFd>& fds) {
        std::shared_ptr<Endpoints> endpoints = read_rest(reader);
        if (config_.mode == Mode::kBase) tls_.tickets().adopt(reader.get<TicketKeys::Seed>());
        tls_.give_to(*endpoints);
        result_.identity.request_queues = spares_.take_ends();
        result_.identity.script_processes = scripts_.take_processes();

        const std::string name = name_of_worker();
        log::set_speaker(name);
        hooks_.set_title("sluice: " + name + " of " + config_.script);
        WorkerCell& cell = wiring_.layout.worker(slot);
        cell.pid.store(static_cast<uint32_t>(getpid()));
        cell.number.store(result_.identity.id);
        cell.generation.store(result_.identity.generation);
        wiring_.control.close();
        NamedMemories::of_this_process().seal();
        ControlChannel control(std::move(fds[0]));
        if (config_.mode == Mode::kProcess) {
            std::vector<FdChannel> files;
            for (size_t i = 1; i < fds.size(); ++i)
                files.emplace_back(std::move(fds[i]));
            for (size_t other = 0; other < wiring_.worker_doorbells.size(); ++other)
                if (other != slot) close(wiring_.worker_doorbells[other]);
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
    std::map<pid_t, Worker> workers_;
    SpareProcesses spares_;
    ScriptPools scripts_;
    StoppedProcesses stopped_;
    std::string order_;  ///< the last order of a worker
    bool retiring_ = false;
    LaunchResult result_;
};

}  // namespace

LaunchResult serve_generation(GenerationWiring wiring, const ServerConfig& config, const LaunchHooks& hooks) {
    return Generation(std::move(wiring), config, hooks).serve();
}

}  // namespace sluice
