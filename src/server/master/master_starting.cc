// Master: making the processes.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "io/datagram_socket.h"
#include "io/doorbell.h"
#include "io/kernel_tls.h"
#include "io/listener.h"
#include "server/config/manifest.h"
#include "server/master/generation.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"
#include "server/master/worker_signals.h"
#include "server/seam/control.h"
#include "server/seam/server_stats.h"

namespace sluice {

namespace {

std::string list(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

}  // namespace

bool Master::open_listeners(const ServerConfig& config, std::vector<std::string>* opened,
                            std::string& error) {
    for (const EndpointSpec& spec : config.endpoints) {
        if (!spec.is_listener() || find_listener(spec.address)) continue;
        const bool is_udp = spec.kind == EndpointKind::kUdp;
        std::optional<ListenAddress> address =
            ListenAddress::parse(std::string_view(spec.address).substr(is_udp ? kUdpPrefix.size() : 0));
        if (!address || (is_udp && address->is_unix())) {
            error = "Cannot listen on \"" + spec.address + "\": it is not an address and port";
            return false;
        }
        // A base-mode worker gets all listeners in one message.
        if (listeners_.size() + 1 >= ControlChannel::kMaxFds) {
            error = "Cannot listen on \"" + spec.address + "\": a server has at most " +
                    std::to_string(ControlChannel::kMaxFds - 1) + " addresses";
            return false;
        }
        Listener listener;
        listener.asked = spec.address;
        listener.bound = *address;
        listener.is_udp = is_udp;
        InheritedListener* const inherited = find_inherited(listener.asked, listener.bound, listener.is_udp);
        if (address->is_unix() && !inherited) {
            listener.unix_listener = UnixListener::open(address->path, spec.socket_mode, error);
            if (!listener.unix_listener) return false;
            if (const auto& identity = config_.operations.identity; identity && geteuid() == 0)
                listener.unix_listener.change_owner(identity->uid, identity->gid);
        }
        if (!(inherited ? adopt_sockets(listener, *inherited, error) : open_sockets(listener, error))) {
            listener.unix_listener.remove();
            return false;
        }
        if (opened) opened->push_back(spec.address);
        listeners_.push_back(std::move(listener));
    }
    return true;
}

/// Opens a socket for each acceptor.
bool Master::open_sockets(Listener& listener, std::string& error) {
    if (listener.unix_listener) {
        // A Unix socket's path has one socket: all acceptors take from its queue.
        for (unsigned acceptor = 0; acceptor < acceptors_; ++acceptor) {
            listener.fds.emplace_back(fcntl(listener.unix_listener.fd(), F_DUPFD_CLOEXEC, 0));
            if (listener.fds.back()) continue;
            error = "Cannot listen on " + listener.asked + ": " + strerror(errno);
            return false;
        }
        return true;
    }
    Address& bound = listener.bound.ip;
    const auto open = listener.is_udp ? open_datagram_socket : open_listener;
    // These sockets use SO_REUSEPORT, which would let a second server of this user join in unnoticed: a
    // socket without it detects that. It must not listen: closing it would reset who has connected by then.
    if (bound.port != 0 &&
        !(listener.is_udp ? open(bound, false, bound, error) : claim_address(bound, error)))
        return false;
    for (unsigned acceptor = 0; acceptor < acceptors_; ++acceptor) {
        // With port 0 the first socket decides the port.
        UniqueFd fd = open(bound, true, bound, error);
        if (!fd) return false;
        listener.fds.push_back(std::move(fd));
    }
    return true;
}

/// Only in the master: it removes the files of Unix sockets.
void Master::close_listeners() {
    for (Listener& listener : listeners_)
        listener.unix_listener.remove();
    listeners_.clear();
}

bool Master::create_shared(std::string& error) {
    layout_ = SharedLayout::create(SharedLayout::shape_for(config_));
    if (!layout_) {
        error = std::string("Cannot create the shared memory: ") + strerror(errno);
        return false;
    }
    log::share(layout_.server().shared_log);
    layout_.server().began_us.store(wall_clock_us(), std::memory_order_relaxed);
    shape_ = publish_shape(layout_.shape());
    if (!shape_) SLUICE_WARNING("no other process can read this server's figures: %s", strerror(errno));
    worker_doorbells_.clear();
    reactor_doorbells_.clear();
    for (unsigned i = 0; i < layout_.shape().worker_slots; ++i)
        worker_doorbells_.emplace_back(Doorbell::create_fd());
    if (config_.mode == Mode::kProcess) {
        for (unsigned i = 0; i < config_.reactors; ++i)
            reactor_doorbells_.emplace_back(Doorbell::create_fd());
    }
    workers_.clear();
    workers_.resize(layout_.shape().worker_slots);
    instances_.assign(config_.workers, Instance{});
    return true;
}

std::optional<LaunchResult> Master::start_first_generation() {
    auto generation = std::make_unique<Generation>();
    ControlChannel theirs;
    if (!ControlChannel::create_pair(generation->control, theirs))
        return LaunchResult{{}, {}, strerror(errno)};
    generation->number = ++last_generation_;
    generation->boot_deadline_ms = monotonic_ms() + config_.limits.boot_ms;
    pid_t self = getpid();
    fflush(nullptr);
    generation->pid = fork();
    if (generation->pid < 0) {
        return LaunchResult{{}, {}, std::string("Cannot fork: ") + strerror(errno)};
    }
    if (generation->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        in_child_ = true;
        leave_privileges();
        leave_signals_to_master();
        block_signals(false);
        GenerationWiring wiring;
        wiring.control = std::move(theirs);
        wiring.layout = std::move(layout_);
        wiring.generation = generation->number;
        // Not closed: workers use these descriptors as long as they live.
        for (UniqueFd& fd : worker_doorbells_)
            wiring.worker_doorbells.push_back(fd.release());
        for (UniqueFd& fd : reactor_doorbells_)
            wiring.reactor_doorbells.push_back(fd.release());
        generation->control.close();
        reactor_.close();
        observer_.close();
        listeners_.clear();
        forget_admin();
        return serve_generation(std::move(wiring), config_, hooks_);
    }
    poller_.add(generation->control.fd(), EPOLLIN, kGenerationToken + generation->number);
    current_generation_ = generation->number;
    generations_.push_back(std::move(generation));
    return std::nullopt;
}

bool Master::start_next_generation() {
    auto generation = std::make_unique<Generation>();
    ControlChannel theirs;
    if (!ControlChannel::create_pair(generation->control, theirs)) return false;
    generation->number = ++last_generation_;
    generation->boot_deadline_ms = monotonic_ms() + config_.limits.boot_ms;
    pid_t self = getpid();
    fflush(nullptr);
    generation->pid = fork();
    if (generation->pid < 0) return false;
    if (generation->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(0);
        block_signals(false);
        Boot boot;
        boot.control.reset(theirs.release_fd());
        boot.memory.reset(layout_.fd());  // no duplicate, for which there may be no descriptor
        boot.shape = layout_.shape();
        boot.generation = generation->number;
        boot.worker_doorbells = raw_fds(worker_doorbells_);
        boot.reactor_doorbells = raw_fds(reactor_doorbells_);
        for (const NamedMemories::Item& memory : memories_)
            boot.memories.push_back({memory.name, memory.fd.get()});
        boot.log_file = config_.log_file;
        boot.logs_json = config_.operations.logs_json;
        boot.least_level = config_.operations.least_level;
        exec_boot(command_, boot);
        SLUICE_ERROR("cannot start %s: %s", command_.executable.c_str(), strerror(errno));
        _exit(127);
    }
    poller_.add(generation->control.fd(), EPOLLIN, kGenerationToken + generation->number);
    generations_.push_back(std::move(generation));
    return true;
}

int Master::free_slot(bool for_service) const {
    const size_t first = layout_.shape().first_service_slot();
    const size_t end = for_service ? workers_.size() : first;
    for (size_t slot = for_service ? first : 0; slot < end; ++slot) {
        if (workers_[slot].state == WorkerState::kFree) return static_cast<int>(slot);
    }
    return -1;
}

void Master::start_worker(Generation& generation, unsigned instance) {
    const Instance& place = instances_[instance];
    const bool is_service = is_service_instance(instance);
    int slot = free_slot(is_service);
    // Without a reactor its memory would be that of the one which has died.
    if (slot < 0 || (config_.mode == Mode::kProcess && !reactor_)) {
        instances_[instance].start_at_ms = monotonic_ms() + kFirstBackOffMs;
        return;
    }
    ControlChannel theirs;
    Worker& worker = workers_[static_cast<size_t>(slot)];
    if (!ControlChannel::create_pair(worker.control, theirs)) {
        SLUICE_ERROR("cannot make a control channel for a worker: %s", strerror(errno));
        instances_[instance].start_at_ms = monotonic_ms() + kLongestBackOffMs;
        return;
    }
    std::vector<FdChannel> files;
    worker.files.clear();
    for (unsigned i = 0; config_.mode == Mode::kProcess && i < config_.reactors; ++i) {
        FdChannel ours, its;
        if (!FdChannel::create_pair(ours, its)) {
            SLUICE_ERROR("cannot make a channel for a worker's files: %s", strerror(errno));
            worker.control.close();
            worker.files.clear();
            instances_[instance].start_at_ms = monotonic_ms() + kLongestBackOffMs;
            return;
        }
        worker.files.push_back(std::move(ours));
        files.push_back(std::move(its));
    }
    layout_.reset_worker(static_cast<unsigned>(slot));
    // Nobody uses this slot, but a worker of another one may have written there.
    for (unsigned i = 0; config_.mode == Mode::kProcess && i < config_.reactors; ++i)
        layout_.reset_rings(i, static_cast<unsigned>(slot));
    worker.state = WorkerState::kBooting;
    worker.pid = 0;
    worker.says_ready = false;
    worker.replaced = worker.leaves = worker.wants_successor = worker.is_orphan = false;
    worker.generation = generation.number;
    worker.instance = instance;
    worker.started_ms = monotonic_ms();
    if (place.crashes) instances_[instance].steady_at_ms = worker.started_ms + kSteadyMs;
    worker.kill_at_ms = worker.started_ms + config_.limits.boot_ms;
    poller_.add(worker.control.fd(), EPOLLIN, kWorkerToken + static_cast<unsigned>(slot));

    WireWriter order;
    order.put(Control::kFork);
    order.put(static_cast<uint32_t>(slot));
    order.put_string(place.service);
    order.put(static_cast<uint32_t>(is_service ? place.index : instance));
    // The first boot's mode: another one takes effect after a restart only.
    order.put(config_.mode);
    order.put(config_.limits);
    order.put_string(config_.temporary_folder);
    order.put(static_cast<uint32_t>(generation.ids.size()));
    for (uint16_t id : generation.ids)
        order.put(id);
    order.put(static_cast<uint32_t>(generation.addresses.size()));
    for (const std::string& address : generation.addresses)
        order.put_string(address);
    Endpoints view = endpoints_;
    view.update(generation.config.endpoints);
    write_endpoints(order, view);
    if (config_.mode == Mode::kBase) order.put(ticket_keys_.seed());
    std::vector<int> fds{theirs.fd()};
    for (const FdChannel& channel : files)
        fds.push_back(channel.fd());
    if (config_.mode == Mode::kBase && !is_service) {
        for (size_t i = 0; i < generation.config.endpoints.size(); ++i) {
            const EndpointSpec& spec = generation.config.endpoints[i];
            if (!spec.is_listener()) continue;
            order.put(generation.ids[i]);
            fds.push_back(find_listener(spec.address)->fds[instance].get());
        }
    }
    if (generation.control.send(order.bytes(), fds)) return;
    // The log says why, unless the generation has died.
    forget_worker(static_cast<unsigned>(slot));
    instances_[instance].start_at_ms = monotonic_ms() + kLongestBackOffMs;
}

void Master::print_banner() {
    banner_printed_ = true;
    Generation& generation = *current();
    std::string text = "\n  Sluice " SLUICE_VERSION ": " + config_.script + " in " +
                       (config_.mode == Mode::kProcess ? "process" : "base") + " mode\n\n";
    bool has_tls = false;
    for (const EndpointSpec& spec : generation.config.endpoints) {
        if (!spec.is_listener()) continue;
        std::string address = find_listener(spec.address)->bound.to_string();
        text += "  ";
        const char* secured = spec.tls ? "s" : "";
        has_tls |= spec.tls.has_value();
        text += spec.kind == EndpointKind::kHttp  ? std::string("http") + secured + "://" + address + "/"
                : spec.kind == EndpointKind::kUdp ? "udp://" + address
                                                  : (spec.tls ? "tls://" : "tcp://") + address;
        for (const EndpointSpec& route : generation.config.endpoints) {
            if (route.kind == EndpointKind::kWebSocket && route.address == spec.address) {
                text += std::string("\n  ws") + secured + "://" + address + route.path;
            }
        }
        text += "\n";
    }
    if (admin_)
        text += admin_address_.is_unix() ? "\n  admin " + admin_address_.to_string() + "\n"
                                         : "\n  admin http://" + admin_address_.to_string() + "/\n";
    if (has_tls) text += "\n  TLS by " + describe_openssl() + "; kernel TLS: " + describe_kernel_tls() + "\n";
    if (watch_.fd() >= 0)
        text += "\n  booted anew when files change in " + list(watch_.watching().paths) + "\n";
    text += "\n  master " + std::to_string(getpid());
    if (reactor_pid_) {
        text += ", reactor " + std::to_string(reactor_pid_) + " (" + std::to_string(config_.reactors) +
                (config_.reactors == 1 ? " thread)" : " threads)");
    }
    text += ", workers";
    std::map<std::string, std::string> pools;  // their processes
    for (unsigned slot : workers_of(generation.number)) {
        const Instance& instance = instances_[workers_[slot].instance];
        (instance.is_pool ? pools[instance.service] : text) += " " + std::to_string(workers_[slot].pid);
    }
    std::string services;  // which begin now: the log says when they are ready
    for (const ServiceSpec& service : generation.config.services) {
        if (service.is_pool) {
            text += "\n  pool " + service.name + pools[service.name];
        } else {
            services += (services.empty() ? "\n  services " : ", ") + service.name;
        }
    }
    text += services;
    text += "\n  reload: kill -HUP " + std::to_string(getpid()) + "   stop: Ctrl-C, or kill -TERM " +
            std::to_string(getpid()) + " to drain first\n\n";
    fputs(text.c_str(), stdout);
    fflush(stdout);
    notifier_.tell("READY=1\nSTATUS=Serving, generation " + std::to_string(generation.number) + "\n");
}

}  // namespace sluice
