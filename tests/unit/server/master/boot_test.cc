#include "server/master/boot.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/log.h"

namespace sluice {
namespace {

constexpr const char* kVariable = "SLUICE_BOOT";

UniqueFd open_one() {
    return UniqueFd(open("/dev/null", O_RDWR | O_CLOEXEC));
}
bool closes_on_exec(int fd) {
    return fcntl(fd, F_GETFD) & FD_CLOEXEC;
}

/// Runs a shell as exec_boot() would run PHP, and returns what it prints.
std::string run_booted(const Boot& boot, std::string script, std::string directory = "/",
                       std::vector<std::string> environment = {}) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        CommandLine command;
        command.executable = "/bin/sh";
        command.arguments = {"sh", "-c", std::move(script), "sh", ""};
        command.environment = std::move(environment);
        command.directory = std::move(directory);
        exec_boot(command, boot);
        _exit(99);
    }
    close(ends[1]);
    std::string output;
    char bytes[512];
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
        output.append(bytes, static_cast<size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return output;
}

TEST(Boot, TheEnvironmentCarriesItRoundTrip) {
    Boot boot;
    boot.control = open_one();
    boot.memory = open_one();
    boot.generation = 12;
    boot.shape = {1, 2, 3, 4, 5, 1ull << 40, 7, 8, 9, UINT64_MAX};
    boot.log_file = "/tmp/a log with spaces that is not there/log";
    UniqueFd doorbells[] = {open_one(), open_one(), open_one()};
    boot.worker_doorbells = {doorbells[0].get(), doorbells[1].get()};
    boot.reactor_doorbells = {doorbells[2].get()};

    const std::string variable = run_booted(boot, "printf %s \"$SLUICE_BOOT\"");
    setenv(kVariable, variable.c_str(), 1);
    for (int fd :
         {boot.control.get(), boot.memory.get(), doorbells[0].get(), doorbells[1].get(), doorbells[2].get()})
        fcntl(fd, F_SETFD, 0);
    EXPECT_TRUE(adopt_boot_environment());
    log::set_speaker("test");
    EXPECT_EQ(getenv(kVariable), nullptr) << "programs that the script starts would see the variable";
    Boot taken = take_boot();
    EXPECT_EQ(taken.control.get(), boot.control.release());
    EXPECT_EQ(taken.memory.get(), boot.memory.release());
    EXPECT_EQ(taken.generation, 12u);
    EXPECT_TRUE(taken.shape == boot.shape);
    EXPECT_EQ(taken.log_file, boot.log_file);
    EXPECT_EQ(taken.worker_doorbells, boot.worker_doorbells);
    EXPECT_EQ(taken.reactor_doorbells, boot.reactor_doorbells);
    for (int fd : {taken.control.get(), taken.memory.get(), doorbells[0].get(), doorbells[1].get(),
                   doorbells[2].get()})
        EXPECT_TRUE(closes_on_exec(fd)) << fd;
    EXPECT_FALSE(take_boot().control) << "a boot is taken once";
}

TEST(Boot, TheNewProcessHasTheDescriptors) {
    Boot boot;
    boot.control = open_one();
    boot.memory = open_one();
    UniqueFd doorbells[] = {open_one(), open_one()}, other = open_one();
    boot.worker_doorbells = {doorbells[0].get()};
    boot.reactor_doorbells = {doorbells[1].get()};
    std::string script = "for fd in";
    for (int fd :
         {boot.control.get(), boot.memory.get(), doorbells[0].get(), doorbells[1].get(), other.get()})
        script += " " + std::to_string(fd);
    script += "; do test -e /proc/$$/fd/$fd && printf + || printf -; done";
    EXPECT_EQ(run_booted(boot, script), "++++-");
}

TEST(Boot, TheNewProcessHasArgumentsAndDirectory) {
    EXPECT_EQ(run_booted(Boot(), "printf '%s %s.' \"$(pwd)\" $#; exit 0", "/usr"), "/usr 1.");
}

TEST(Boot, TheNewProcessHasTheEnvironmentOfTheFirstStart) {
    setenv("SLUICE_TEST_OF_THE_SCRIPT", "put", 1);
    const std::string printed =
        run_booted(Boot(), "printf '%s,%s' \"$GIVEN\" \"$SLUICE_TEST_OF_THE_SCRIPT\"", "/", {"GIVEN=a b"});
    unsetenv("SLUICE_TEST_OF_THE_SCRIPT");
    EXPECT_EQ(printed, "a b,");
}

TEST(Boot, NoVariableIsNoBoot) {
    unsetenv(kVariable);
    EXPECT_FALSE(adopt_boot_environment());
    EXPECT_FALSE(take_boot().control);
}

TEST(Boot, AVariableSetByHandIsNoBoot) {
    UniqueFd real = open_one();
    const std::string fd = std::to_string(real.get());
    for (const std::string& text :
         {std::string(""), std::string("hello"), fd, fd + " " + fd, fd + " " + fd + " 1 1 1 " + fd,
          fd + " 99999 1 0 0", "99999 " + fd + " 1 0 0", fd + " " + fd + " 1 18446744073709551615 1",
          fd + " " + fd + " -1 x 0"}) {
        setenv(kVariable, text.c_str(), 1);
        EXPECT_FALSE(adopt_boot_environment());
        EXPECT_EQ(getenv(kVariable), nullptr);
        const Boot boot = take_boot();
        EXPECT_FALSE(boot.control) << text;
        EXPECT_FALSE(boot.memory) << text;
        EXPECT_GE(fcntl(real.get(), F_GETFD), 0) << text;
    }
}

TEST(CommandLine, OfThisProcess) {
    const CommandLine command = CommandLine::of_this_process();
    EXPECT_EQ(command.executable.front(), '/');
    EXPECT_EQ(access(command.executable.c_str(), X_OK), 0);
    ASSERT_FALSE(command.arguments.empty());
    EXPECT_EQ(command.arguments[0], program_invocation_name);
    EXPECT_EQ(command.arguments.back().find('\0'), std::string::npos);
    char here[4096];
    EXPECT_EQ(command.directory, getcwd(here, sizeof here));
    EXPECT_NE(std::find(command.environment.begin(), command.environment.end(),
                        std::string("PATH=") + getenv("PATH")),
              command.environment.end());
}

TEST(CommandLine, NamesItsDirectoryByTheLinkOfItsScript) {
    char folder[] = "/tmp/sluice-boot-XXXXXX", here[4096];
    ASSERT_NE(mkdtemp(folder), nullptr);
    ASSERT_NE(getcwd(here, sizeof here), nullptr);
    const std::string release = std::string(folder) + "/1", link = std::string(folder) + "/current";
    ASSERT_EQ(mkdir(release.c_str(), 0755), 0);
    ASSERT_EQ(symlink("1", link.c_str()), 0);
    ASSERT_EQ(chdir(link.c_str()), 0);
    unsetenv("PWD");
    EXPECT_EQ(directory_of({"php", link + "/bin/server.php", "/usr"}), link);
    EXPECT_EQ(directory_of({"php", "server.php", "/usr/"}), release);
    setenv("PWD", link.c_str(), 1);
    EXPECT_EQ(directory_of({"php", "server.php"}), link);
    setenv("PWD", release.c_str(), 1);
    EXPECT_EQ(directory_of({"php", link + "/server.php"}), link) << "a shell has set it";
    setenv("PWD", "/", 1);
    EXPECT_EQ(directory_of({"php", "server.php"}), release) << "of another process";
    unsetenv("PWD");
    EXPECT_EQ(chdir(here), 0);
    unlink(link.c_str());
    rmdir(release.c_str());
    rmdir(folder);
}

}  // namespace
}  // namespace sluice
