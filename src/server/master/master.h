#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/control_channel.h"
#include "io/fd_channel.h"
#include "io/inherited_listeners.h"
#include "io/listen_address.h"
#include "io/pid_file.h"
#include "io/poller.h"
#include "io/service_notifier.h"
#include "io/ticket_keys.h"
#include "io/unix_listener.h"
#include "server/config/config.h"
#include "server/config/endpoints.h"
#include "server/master/boot.h"
#include "server/master/launch_hooks.h"
#include "server/master/reload_watch.h"
#include "server/master/worker_range.h"
#include "server/seam/launch_result.h"
#include "server/seam/reload_report.h"
#include "server/seam/service_report.h"
#include "server/seam/shared_layout.h"
#include "shared/named_memories.h"

namespace sluice {

/// The process that holds the listeners and the shared memory, and supervises all others. It has one thread,
/// and does no work for single clients.
class Master {
  public:
    Master(const ServerConfig& config, const LaunchHooks& hooks);
    ~Master();

    /// Runs until the server has stopped; in a worker it returns at once (see LaunchResult).
    LaunchResult serve();

  private:
    struct Listener {
        uint16_t endpoint;
        bool has_endpoint = false;  ///< false until the generation that has asked for it serves
        std::string asked;          ///< as the script wrote it
        ListenAddress bound;
        bool is_udp = false;
        UnixListener unix_listener;  ///< empty for an IP address
        std::vector<UniqueFd> fds;   ///< one for each acceptor: reactor thread, or in base mode worker
    };

    enum class WorkerState : uint8_t {
        kFree,
        kBooting,  ///< forked or about to be
        kReady,
        kDraining,  ///< a reload has replaced it
        kStopping,  ///< told to end (Control::kStop)
        kGone,      ///< has ended; the reactor has yet to forget it
    };
    struct Worker {
        WorkerState state = WorkerState::kFree;
        pid_t pid = 0;  ///< 0 until its generation has reported it
        bool says_ready = false;
        bool replaced = false;         ///< it has asked for a replacement, which is the instance now
        bool leaves = false;           ///< ends once its successor, already started, is ready
        bool wants_successor = false;  ///< once its generation has taken over
        bool is_orphan = false;        ///< its reactor process has died
        unsigned generation = 0;
        unsigned instance = 0;
        uint64_t started_ms = 0;
        uint64_t kill_at_ms = 0;  ///< 0: never
        ControlChannel control;
        std::vector<FdChannel> files;  ///< the reactors' ends, until the worker is ready
    };

    struct Generation {
        unsigned number = 0;
        pid_t pid = 0;
        ControlChannel control;
        bool booted = false;
        bool retiring = false;
        bool is_canary = false;  ///< its workers get a share of the requests
        std::string trial;       ///< what its time as one has shown
        uint64_t boot_deadline_ms = 0;
        ServerConfig config;
        unsigned workers_at_first = 0;              ///< of workers, that it has begun with
        std::vector<uint16_t> ids;                  ///< endpoint number of each of config.endpoints
        std::vector<std::string> addresses;         ///< bound ones, in the order of config.endpoints
        std::vector<std::string> new_addresses;     ///< listeners that were opened for this generation
        std::vector<NamedMemories::Item> memories;  ///< the application's, for later boots
    };

    /// What one process at a time is: the worker of a number, from 0, or one of the processes of a service.
    /// Services come behind workers, and keep their instances when a reload drops them.
    struct Instance {
        std::string service;       ///< empty: a worker's
        bool is_pool = false;      ///< see ServiceSpec
        unsigned index = 0;        ///< among the processes of the service
        unsigned failures = 0;     ///< boots in a row that did not last
        uint64_t start_at_ms = 0;  ///< 0: nothing to start
        // Of a service:
        unsigned crashes = 0;       ///< in a row, each soon after its start
        std::string last_end = {};  ///< how the last of them came
        uint64_t steady_at_ms =
            0;  ///< when a process that began after a crash has proved itself; 0: none runs
    };

    // Starting
    bool open_listeners(const ServerConfig& config, std::vector<std::string>* opened, std::string& error);
    bool open_sockets(Listener& listener, std::string& error);
    bool adopt_sockets(Listener& listener, InheritedListener& inherited, std::string& error);
    InheritedListener* find_inherited(const std::string& asked, const ListenAddress& bound, bool is_udp);
    void close_unclaimed_sockets();
    void raise_descriptors() const;
    bool may_become_who_is_asked(std::string& error) const;
    void leave_privileges() const;
    void open_log_to_user() const;
    void close_listeners();
    bool create_shared(std::string& error);
    bool start_reactor();
    std::optional<LaunchResult> start_first_generation();
    bool start_next_generation();
    void start_worker(Generation& generation, unsigned instance);
    void print_banner();

    // The observer
    bool open_admin(std::string& error);
    /// In a child that is none: its copies would keep the listener open.
    void forget_admin() {
        admin_.reset();
        unix_admin_ = {};
    }
    bool start_observer();
    void observer_died(int status);
    void end_observer();
    void renew_observer();
    void leave_admin_to_successor();
    void on_observer();
    void tell_observer(std::string_view bytes, std::span<const int> fds = {});
    void tell_observer_of_endpoints();
    ReloadReport report_of_reloads();
    void tell_observer_of_reloads();
    ServiceReport report_of_services();
    void tell_observer_of_services();
    void tell_observer_of_memories();
    void publish_state() const;
    void count_end(unsigned slot, bool was_ready, int status) const;

    // Events
    std::optional<LaunchResult> loop();
    void on_signal(int signal);
    void on_generation(Generation& generation);
    void on_reactor();
    void on_worker(unsigned slot);
    void on_timer();
    void reap();
    void reactor_died(int status);
    void revive_reactor();
    void orphan_exited(unsigned slot, const std::string& who, int status);
    void generation_died(Generation& generation, int status);
    void replace_worker(unsigned slot);
    void succeed_worker(unsigned slot);
    void let_go(unsigned slot);
    void worker_exited(unsigned slot, pid_t pid, int status);
    void worker_ready(unsigned slot);
    bool is_ready(const Generation& generation) const;
    void forget_worker(unsigned slot);

    // How many workers there are
    void look_at_load();
    void remove_worker();
    bool is_surplus(unsigned instance) const {
        return !is_service_instance(instance) && instance >= range_.wanted();
    }

    // Services
    void start_pools(Generation& generation);
    void start_pool_process(unsigned instance);
    void stop_lonely_pools(unsigned generation);
    bool has_askers(unsigned generation) const;
    bool is_lost_by_askers(unsigned slot) const;
    void start_services();
    void start_service(unsigned instance);
    void stop_services(uint64_t patience_ms);
    void service_ended(unsigned slot, const std::string& who, uint64_t lived_ms, int status);
    unsigned instance_of(const ServiceSpec& service, unsigned index);
    bool fits_services(const ServerConfig& config, std::string& error) const;
    bool is_service(unsigned slot) const { return is_service_instance(workers_[slot].instance); }
    bool is_pool(unsigned slot) const { return instances_[workers_[slot].instance].is_pool; }
    bool is_service_instance(unsigned instance) const { return !instances_[instance].service.empty(); }
    bool is_manned(unsigned instance) const;
    bool wants(const Generation& generation, const Instance& instance) const;

    // Reload and stop
    void reload();
    void reopen_logs();
    bool fits_arena(const ServerConfig& config, std::string& error) const;
    void watch(const Watching& watching);
    void generation_booted(Generation& generation, const ServerConfig& config);
    void reload_failed(const std::string& why);
    void activate(Generation& generation);
    void stop_by_signal(bool drain);
    void stop(bool drain);
    void stop_workers(bool drain);
    void kill_everything();
    bool everything_ended() const;

    // A canary
    void take_over_or_try(Generation& generation);
    void begin_canary(Generation& generation);
    void look_at_canary();
    void end_canary();
    void tell_reactor_of_canary(const Generation& generation, double share);
    bool is_canary_under_way() const;

    // Another master takes over
    void upgrade();
    void on_successor();
    void upgrade_failed(const std::string& why);
    void hand_over();
    bool hear_predecessor(std::string& error);
    void on_predecessor();
    void begin_services();

    // What is said to who watches
    void look_at_watchdog();
    void dump_state();

    // Helpers
    bool tell_reactor(std::string_view bytes, std::span<const int> fds = {});
    void tell_reactor_of(unsigned slot, uint8_t control);
    void tell_of_switch(unsigned generation) const;
    void tell_reactor_to_end_switch();
    void tell_reactor_of_ready(unsigned slot);
    static void order_stop(Worker& worker, uint64_t patience_ms);
    static void announce_end(Worker& worker);
    static void retire(Generation& generation);
    void retire_when_empty(unsigned generation);
    bool send_endpoints(const Endpoints& endpoints, bool begins_switch);
    void send_listener(const Listener& listener);
    std::string boot_time() const;
    Generation* current() { return find_generation(current_generation_); }
    Generation* find_generation(unsigned number);
    Listener* find_listener(const std::string& asked);
    bool has_worker(unsigned generation, unsigned instance) const;
    std::vector<unsigned> workers_of(unsigned generation) const;
    bool is_worker_of(unsigned slot, const Generation& generation) const;
    int free_slot(bool for_service) const;
    bool has_services() const;
    int next_timeout_ms(uint64_t now_ms) const;
    std::string describe_worker(unsigned slot) const;

    ServerConfig config_;  ///< of the first boot: holds what only a restart can change
    const LaunchHooks& hooks_;
    CommandLine command_;
    Poller poller_;
    UniqueFd signals_;
    PidFile pid_file_;
    SharedLayout layout_;
    UniqueFd shape_;          ///< see publish_shape()
    TicketKeys ticket_keys_;  ///< for base mode's workers
    std::vector<UniqueFd> worker_doorbells_, reactor_doorbells_;
    Endpoints endpoints_;
    std::vector<Listener> listeners_;
    unsigned acceptors_ = 0;
    WorkerRange range_;

    pid_t reactor_pid_ = 0;
    ControlChannel reactor_;
    UniqueFd admin_;  ///< the admin listener
    UnixListener unix_admin_;
    ListenAddress admin_address_;
    pid_t observer_pid_ = 0;
    uint64_t observer_began_ms_ = 0;
    uint64_t start_observer_at_ms_ = 0;  ///< 0: nothing to start
    ControlChannel observer_;
    uint64_t reactor_started_ms_ = 0;
    uint64_t reactor_at_ms_ = 0;     ///< when it is to be started again; 0: it runs
    unsigned reactor_failures_ = 0;  ///< starts in a row that did not last
    std::vector<Worker> workers_;
    std::vector<Instance> instances_;
    std::vector<std::unique_ptr<Generation>> generations_;
    std::vector<NamedMemories::Item> memories_;  ///< of the generation that serves
    unsigned current_generation_ = 0;
    unsigned pending_generation_ = 0;  ///< being booted for a reload; 0: none
    uint64_t activate_at_ms_ = 0;      ///< when it is tried again to let that one take over; 0: never
    uint64_t look_at_canary_ms_ = 0;   ///< when its figures are looked at; 0: there is none
    uint64_t canary_until_ms_ = 0;     ///< when its time is over, or that for its last answers
    bool is_canary_settling_ = false;  ///< its time is over, and answers are waited for
    ReloadReport::Result last_reload_;
    ReloadReport told_reloads_;    ///< to the observer
    ServiceReport told_services_;  ///< to the observer
    unsigned last_generation_ = 0;
    bool reload_again_ = false;
    ReloadWatch watch_;
    std::vector<InheritedListener> inherited_;
    ServiceNotifier notifier_ = ServiceNotifier::of_environment();
    uint64_t watchdog_due_ms_ = 0;

    ControlChannel successor_;  ///< the master that is to replace this one
    pid_t successor_pid_ = 0;
    uint64_t successor_deadline_ms_ = 0;
    bool has_handed_over_ = false;
    ControlChannel predecessor_;  ///< the master that this one replaces, until that has let go of everything
    bool has_pid_file_ = false;   ///< or needs none

    bool banner_printed_ = false;

    enum class Stop : uint8_t { kNo, kDraining, kEnding };
    Stop stop_ = Stop::kNo;
    bool was_told_to_stop_ = false;  ///< by a signal
    bool is_hurried_ = false;        ///< nothing is waited for any more
    uint64_t stop_deadline_ms_ = 0;
    std::string failure_;
    bool in_child_ = false;
};

}  // namespace sluice
