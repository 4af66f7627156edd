#include "io/service_notifier.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/unique_fd.h"

namespace sluice {
namespace {

/// What systemd would read.
class Manager {
  public:
    explicit Manager(const std::string& name) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path, name.data(), name.size());
        if (name[0] == '@') address.sun_path[0] = '\0';
        bind(socket_.get(), reinterpret_cast<sockaddr*>(&address),
             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size()));
    }
    std::string next() const {
        char text[256];
        const ssize_t size = recv(socket_.get(), text, sizeof text, 0);
        return size < 0 ? "nothing" : std::string(text, static_cast<size_t>(size));
    }

  private:
    UniqueFd socket_;
};

TEST(ServiceNotifier, LinesComeAsTheyAreTold) {
    const std::string name = "@sluice-notifier-" + std::to_string(getpid());
    const Manager manager(name);
    const ServiceNotifier notifier(name);
    notifier.tell("READY=1\n");
    EXPECT_EQ(manager.next(), "READY=1\n");
    notifier.tell_reloading();
    EXPECT_EQ(manager.next().substr(0, 27), "RELOADING=1\nMONOTONIC_USEC=");
    EXPECT_EQ(manager.next(), "nothing");
}

TEST(ServiceNotifier, NobodyWhoListensIsNoError) {
    ServiceNotifier().tell("READY=1");
    ServiceNotifier("/nowhere/notify").tell("READY=1");
    ServiceNotifier("/" + std::string(200, 'x')).tell("READY=1");
}

TEST(ServiceNotifier, TheWatchdogIsForTheProcessThatItNames) {
    setenv("NOTIFY_SOCKET", "/nowhere", 1);
    setenv("WATCHDOG_USEC", "3000000", 1);
    EXPECT_EQ(ServiceNotifier::of_environment().watchdog_ms(), 1500u);
    setenv("WATCHDOG_PID", std::to_string(getpid()).c_str(), 1);
    EXPECT_EQ(ServiceNotifier::of_environment().watchdog_ms(), 1500u);
    setenv("WATCHDOG_PID", "1", 1);
    EXPECT_EQ(ServiceNotifier::of_environment().watchdog_ms(), 0u);
    for (const char* variable : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
        unsetenv(variable);
    EXPECT_EQ(ServiceNotifier::of_environment().watchdog_ms(), 0u);
}

}  // namespace
}  // namespace sluice
