#include "server/master/reactor_process.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/log.h"
#include "core/wire.h"
#include "io/process_report.h"
#include "server/config/manifest.h"
#include "server/master/tls_contexts.h"
#include "server/reactor/reactor.h"
#include "server/rings/ring_transport.h"
#include "server/seam/control.h"
#include "server/seam/worker_places.h"
#include "server/sessions/access_log.h"
#include "server/sessions/new_sessions.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace sluice {

namespace {

/// How often a thread checks whether a draining worker has finished: no doorbell rings for that.
constexpr int kDrainCheckMs = 5;
/// How often to retry a message with descriptors after this process has run out of descriptors.
constexpr int kStarvedCheckMs = 20;

class ReactorProcess {
  public:
    explicit ReactorProcess(ReactorProcessWiring wiring)
        : wiring_(std::move(wiring)),
          count_(static_cast<unsigned>(wiring_.reactor_doorbells.size())),
          drains_left_(wiring_.worker_doorbells.size()),
          forgets_left_(wiring_.worker_doorbells.size()) {
        for (unsigned i = 0; i < count_; ++i) {
            auto thread = std::make_unique<Thread>();
            thread->number = i;
            thread->transport = std::make_unique<RingTransport>(wiring_.layout, i, wiring_.worker_doorbells,
                                                                places_of_worker(wiring_.limits.coroutines));
            thread->reactor = std::make_unique<Reactor>(
                Reactor::Wiring{&wiring_.layout, i, thread->transport.get(), &NewSessions::shared(),
                                wiring_.reactor_doorbells[i], wiring_.limits, wiring_.temporary_folder});
            thread->reactor->from_workers().report_corrupt = [this](int worker) {
                say(Control::kWorkerCorrupt, worker);
            };
            if (count_ > 1) {
                thread->reactor->from_workers().publish_to_others =
                    [this, i](const std::string& topic, Ref<SharedMessage> message, ConnectionId except) {
                        for (unsigned other = 0; other < count_; ++other) {
                            if (other == i) continue;
                            Reactor& reactor = *threads_[other]->reactor;
                            reactor.post([&reactor, topic, message, except] {
                                reactor.publishing().publish(topic, *message, except);
                            });
                        }
                    };
            }
            threads_.push_back(std::move(thread));
        }
    }

    void serve() {
        if (!wiring_.layout.own_addresses())
            SLUICE_ERROR("cannot keep the counts by address from workers: %s", strerror(errno));
        threads_[0]->reactor->watch(wiring_.control.fd());
        for (unsigned i = 1; i < count_; ++i)
            threads_[i]->thread = std::thread([this, i] { run(*threads_[i], i); });
        run(*threads_[0], 0);
        for (unsigned i = 1; i < count_; ++i)
            threads_[i]->thread.join();
        threads_.clear();
    }

    const SharedLayout& layout() const { return wiring_.layout; }

  private:
    struct Thread {
        unsigned number;
        std::unique_ptr<RingTransport> transport;
        std::unique_ptr<Reactor> reactor;
        std::vector<int> draining;  ///< worker slots
        bool reported_empty = false;
        std::vector<TaskQueue::Task>
            held;  ///< until a switch is complete; used by the first thread only, like `switching_`
        std::thread thread;
    };

    void run(Thread& self, unsigned index) {
        std::string name = "sluice-reactor" + std::to_string(index);
        pthread_setname_np(pthread_self(), name.c_str());
        while (!ending_.load(std::memory_order_relaxed)) {
            bool busy_ending = !self.draining.empty() || self.reactor->shutting_down();
            const int rest_ms = index == 0 && wiring_.control.lacks_descriptors() ? kStarvedCheckMs : -1;
            self.reactor->turn(busy_ending ? kDrainCheckMs : rest_ms);
            if (index == 0 && (rest_ms >= 0 || self.reactor->watched_ready())) hear_master();
            std::erase_if(self.draining, [&](int slot) {
                if (!self.transport->is_idle(slot) || self.reactor->workers().responses_awaited(slot) > 0)
                    return false;
                if (--drains_left_[static_cast<size_t>(slot)] == 0) say(Control::kWorkerDrained, slot);
                return true;
            });
            if (self.reactor->shutting_down() && !self.reported_empty && self.reactor->is_empty()) {
                self.reported_empty = true;
                if (++empty_ == count_) say(Control::kEmpty, 0);
            }
        }
    }

    void say(Control kind, int slot) {
        WireWriter writer;
        writer.put(kind);
        writer.put(static_cast<uint32_t>(slot));
        wiring_.control.send(writer.bytes());
    }

    /// Runs a task in every reactor thread, this one's included.
    CanaryCells& canary_cells(const Thread& thread) const {
        return wiring_.layout.reactor(thread.number).canary;
    }

    void everywhere(const std::function<void(Thread&)>& task) {
        for (auto& thread : threads_) {
            Thread* target = thread.get();
            post(*target, [target, task] { task(*target); });
        }
    }

    void post(Thread& thread, TaskQueue::Task task) {
        if (switching_) {
            thread.held.push_back(std::move(task));
        } else {
            thread.reactor->post(std::move(task));
        }
    }

    /// Applies the held messages in all threads, so that no request is matched by one generation's routes and
    /// given to another's worker.
    void end_switch(uint32_t generation) {
        switching_ = false;
        switches_left_ = count_;
        for (auto& thread : threads_) {
            thread->reactor->post([this, generation, tasks = std::exchange(thread->held, {})] {
                for (const TaskQueue::Task& task : tasks)
                    task();
                if (--switches_left_ == 0) say(Control::kSwitched, static_cast<int>(generation));
            });
        }
    }

    void hear_master() {
        const bool was_starved = wiring_.control.lacks_descriptors();
        hear_all();
        const bool is_starved = wiring_.control.lacks_descriptors();
        // The channel is level-triggered: the pending message would wake this thread at once.
        if (is_starved && !was_starved) threads_[0]->reactor->ignore(wiring_.control.fd());
        if (was_starved && !is_starved) threads_[0]->reactor->watch(wiring_.control.fd());
        if (!is_starved) return;
        if (!was_starved)
            SLUICE_WARNING(
                "no descriptors are left for what the master sends: no connections are accepted until "
                "there are (raise the limit of open files)");
        for (auto& thread : threads_) {
            Reactor* const reactor = thread->reactor.get();
            reactor->post([reactor] { reactor->rest_listeners(); });
        }
    }

    void hear_all() {
        while (auto message = wiring_.control.receive()) {
            WireReader reader(message->bytes);
            Control kind = reader.get<Control>();
            switch (kind) {
                case Control::kWorkerReady: {
                    int slot = static_cast<int>(reader.get<uint32_t>());
                    const auto takes = reader.get<WorkerTakes>();
                    std::string name = reader.get_string();
                    for (unsigned i = 0; i < count_; ++i) {
                        Thread* thread = threads_[i].get();
                        int files = i < message->fds.size() ? message->fds[i].release() : -1;
                        post(*thread, [thread, slot, takes, files, name] {
                            thread->reactor->workers().name(slot, name);
                            thread->transport->worker_ready(slot, FdChannel(UniqueFd(files)), takes);
                        });
                    }
                    break;
                }
                case Control::kWorkerDraining: {
                    int slot = static_cast<int>(reader.get<uint32_t>());
                    drains_left_[static_cast<size_t>(slot)] = count_;
                    everywhere([slot](Thread& thread) {
                        thread.transport->worker_draining(slot);
                        thread.draining.push_back(slot);
                    });
                    break;
                }
                case Control::kWorkerGone: {
                    int slot = static_cast<int>(reader.get<uint32_t>());
                    forgets_left_[static_cast<size_t>(slot)] = count_;
                    everywhere([this, slot](Thread& thread) {
                        thread.transport->worker_gone(slot, *thread.reactor);
                        thread.reactor->from_workers().worker_gone(slot);
                        std::erase(thread.draining, slot);
                        if (--forgets_left_[static_cast<size_t>(slot)] == 0)
                            say(Control::kWorkerForgotten, slot);
                    });
                    break;
                }
                case Control::kEndpoints: {
                    if (reader.get<bool>()) switching_ = true;
                    std::shared_ptr<Endpoints> table = read_endpoints(reader);
                    tls_.load_all(*table);
                    tls_.give_to(*table);
                    access_logs_.give_to(*table);
                    std::shared_ptr<const Endpoints> endpoints = std::move(table);
                    everywhere([endpoints](Thread& thread) { thread.reactor->set_endpoints(endpoints); });
                    break;
                }
                case Control::kAddListener: {
                    uint16_t endpoint = reader.get<uint16_t>();
                    for (unsigned i = 0; i < count_ && i < message->fds.size(); ++i) {
                        int fd = message->fds[i].release();
                        Reactor& reactor = *threads_[i]->reactor;
                        post(*threads_[i],
                             [&reactor, endpoint, fd] { reactor.add_listener(endpoint, UniqueFd(fd)); });
                    }
                    break;
                }
                case Control::kRemoveListener: {
                    uint16_t endpoint = reader.get<uint16_t>();
                    everywhere([endpoint](Thread& thread) { thread.reactor->remove_listener(endpoint); });
                    break;
                }
                case Control::kCanary: {
                    const auto generation = reader.get<uint32_t>();
                    const auto share = reader.get<double>();
                    everywhere([this, generation, share](Thread& thread) {
                        if (share > 0) canary_cells(thread).begin(generation);
                        thread.transport->set_canary_share(share);
                    });
                    break;
                }
                case Control::kEndCanary:
                    everywhere([this](Thread& thread) {
                        thread.transport->end_canary();
                        canary_cells(thread).end();
                    });
                    break;
                case Control::kEndSwitch: end_switch(reader.get<uint32_t>()); break;
                case Control::kReopenLogs:
                    log::reopen();
                    access_logs_.reopen();
                    break;
                case Control::kShutDown:
                    everywhere([](Thread& thread) { thread.reactor->begin_shutdown(); });
                    break;
                default: break;
            }
        }
        if (wiring_.control.eof()) {
            ending_ = true;
            everywhere([](Thread&) {});  // wakes all threads
        }
    }

    ReactorProcessWiring wiring_;
    unsigned count_;
    TlsContexts tls_;
    AccessLogs access_logs_{wiring_.limits.access_log_bytes};
    std::vector<std::unique_ptr<Thread>> threads_;
    std::vector<std::atomic<unsigned>> drains_left_;
    std::vector<std::atomic<unsigned>> forgets_left_;
    bool switching_ = false;
    std::atomic<unsigned> switches_left_ = 0;
    std::atomic<unsigned> empty_ = 0;
    std::atomic<bool> ending_ = false;
};

std::string describe(const SharedLayout& layout) {
    std::string text = "reactor process";
    for (unsigned i = 0; i < layout.shape().reactors; ++i) {
        const ReactorCell& cell = layout.reactor(i);
        text += "\nreactor " + std::to_string(i) + ": " + std::to_string(cell.connections.load()) +
                " connections, " + std::to_string(cell.arena_bytes.load()) + " bytes in the arena, " +
                std::to_string(cell.out_bytes.load()) + " bytes queued, " +
                std::to_string(cell.messages_received.load()) + " messages received";
    }
    return text;
}

}  // namespace

void serve_reactors(ReactorProcessWiring wiring) {
    log::set_speaker("reactor");
    {
        ReactorProcess process(std::move(wiring));
        static const SharedLayout* layout = &process.layout();
        ProcessReport::describe_by([](bool) { return describe(*layout); });
        process.serve();
        ProcessReport::describe_by(nullptr);
    }
#if defined(__SANITIZE_ADDRESS__)
    if (__lsan_do_recoverable_leak_check() != 0) _exit(86);
#endif
    // Not exit(): this process was forked in the middle of a PHP script, whose shutdown handlers must not run
    // here.
    _exit(0);
}

}  // namespace sluice
