// Master: another master takes over its listeners (SIGUSR2), so that PHP and the extension can be replaced.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/wire.h"
#include "server/master/handover.h"
#include "server/master/master.h"
#include "server/master/master_internal.h"

namespace sluice {

namespace {

bool say(ControlChannel& channel, Handover what) {
    const char byte = static_cast<char>(what);
    return channel.send({&byte, 1});
}

}  // namespace

// -- The old master

void Master::upgrade() {
    if (stop_ != Stop::kNo) return;
    if (successor_ || !banner_printed_ || predecessor_) {
        SLUICE_WARNING("no upgrade: %s", successor_ ? "one is under way" : "the server has just begun");
        return;
    }
    if (getpid() == 1) {
        SLUICE_ERROR("no upgrade: this is process 1, with which its container would end");
        return;
    }
    ControlChannel theirs;
    if (!ControlChannel::create_pair(successor_, theirs)) {
        SLUICE_ERROR("no upgrade: %s", strerror(errno));
        return;
    }
    fflush(nullptr);
    successor_pid_ = fork();
    if (successor_pid_ == 0) {
        block_signals(false);
        exec_successor(command_, theirs.fd());
        SLUICE_ERROR("cannot start %s: %s", command_.executable.c_str(), strerror(errno));
        _exit(127);
    }
    if (successor_pid_ < 0) {
        successor_pid_ = 0;
        upgrade_failed(strerror(errno));
        return;
    }
    SLUICE_INFO("upgrading: process %d is to take over the listeners", static_cast<int>(successor_pid_));
    successor_deadline_ms_ = monotonic_ms() + uint64_t{2} * config_.limits.boot_ms;
    poller_.add(successor_.fd(), EPOLLIN, kSuccessorToken);
    for (const Listener& listener : listeners_) {
        WireWriter message;
        message.put(Handover::kListener);
        message.put_string(listener.asked);
        message.put(static_cast<bool>(listener.unix_listener));
        successor_.send(message.bytes(), raw_fds(listener.fds));
    }
    if (admin_) {
        WireWriter message;
        message.put(Handover::kListener);
        message.put_string(config_.admin.address);
        message.put(static_cast<bool>(unix_admin_));
        const int fd = admin_.get();
        successor_.send(message.bytes(), {&fd, 1});
    }
    say(successor_, Handover::kListenersEnd);
}

void Master::upgrade_failed(const std::string& why) {
    if (!successor_ || has_handed_over_) return;
    SLUICE_ERROR("the upgrade has failed: %s; this server goes on serving", why.c_str());
    poller_.remove(successor_.fd());
    successor_.close();
    successor_deadline_ms_ = 0;
    if (successor_pid_) kill(successor_pid_, SIGKILL);
}

void Master::on_successor() {
    while (auto message = successor_.receive()) {
        if (message->bytes.empty() || static_cast<Handover>(message->bytes[0]) != Handover::kServes) continue;
        successor_deadline_ms_ = 0;
        has_handed_over_ = true;
        SLUICE_INFO("process %d serves; this server drains", static_cast<int>(successor_pid_));
        pid_file_.hand_over();
        say(successor_, Handover::kPidFile);
        notifier_.tell("MAINPID=" + std::to_string(successor_pid_) +
                       "\nREADY=1\nSTATUS=Serving, after an upgrade\n");
        for (Listener& listener : listeners_)
            listener.unix_listener.disown_file();
        leave_admin_to_successor();
        stop(true);
    }
    if (!successor_.eof()) return;
    if (!has_handed_over_) {
        upgrade_failed("the new process has ended before it served");
        return;
    }
    poller_.remove(successor_.fd());
    successor_.close();
}

/// What only one of both may have at a time: services.
void Master::hand_over() {
    if (!successor_ || has_services()) return;
    say(successor_, Handover::kServicesEnded);
    poller_.remove(successor_.fd());
    successor_.close();
}

bool Master::has_services() const {
    for (unsigned slot = 0; slot < workers_.size(); ++slot) {
        const WorkerState state = workers_[slot].state;
        if (state != WorkerState::kFree && state != WorkerState::kGone && is_service(slot) && !is_pool(slot))
            return true;
    }
    return false;
}

// -- The new master

/// Takes over the listeners.
bool Master::hear_predecessor(std::string& error) {
    while (auto message = predecessor_.receive(true)) {
        WireReader reader(message->bytes);
        const auto kind = reader.get<Handover>();
        if (kind == Handover::kListenersEnd) return true;
        if (kind != Handover::kListener || message->fds.empty()) continue;
        InheritedListener listener;
        listener.asked = reader.get_string();
        listener.owns_file = reader.get<bool>();
        if (!describe_socket(message->fds[0].get(), listener.bound, listener.is_udp)) continue;
        listener.fds = std::move(message->fds);
        inherited_.push_back(std::move(listener));
    }
    error = "The server that this one is to replace has ended: start it anew";
    return false;
}

/// All workers are ready: the old server is to go, if there is one.
void Master::begin_services() {
    if (predecessor_) {
        say(predecessor_, Handover::kServes);
    } else {
        start_services();
    }
}

void Master::on_predecessor() {
    bool is_free = false, is_alone = false;
    while (auto message = predecessor_.receive()) {
        const auto kind = static_cast<Handover>(message->bytes.empty() ? '\0' : message->bytes[0]);
        is_free = is_free || kind == Handover::kPidFile;
        is_alone = is_alone || kind == Handover::kServicesEnded;
    }
    const bool is_over = is_alone || predecessor_.eof();
    if ((is_free || is_over) && !has_pid_file_) {
        has_pid_file_ = true;
        std::string error;
        const Generation* const serving = current();
        const std::string& path =
            serving && serving->booted ? serving->config.pid_file : config_.pid_file;
        if (!path.empty() && !pid_file_.claim(path, error)) SLUICE_ERROR("%s", error.c_str());
    }
    if (!is_over) return;
    poller_.remove(predecessor_.fd());
    predecessor_.close();
    if (banner_printed_ && stop_ == Stop::kNo && current()) start_services();
}

}  // namespace sluice
