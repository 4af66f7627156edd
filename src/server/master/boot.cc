#include "server/master/boot.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/log.h"
#include "core/log_format.h"
#include "io/put_at_once.h"
#include "shared/metric_registry.h"

namespace sluice {

namespace {
constexpr const char* kVariable = "SLUICE_BOOT";
constexpr const char* kPredecessor = "SLUICE_PREDECESSOR";
/// What a package passes on to the script of a reload has a name that begins so.
constexpr std::string_view kPassedOn = "SLUICE_PASSED_";
constexpr size_t kMostDoorbells = 65536;
Boot found;
int predecessor = -1;
timespec began;

/// Calls `f` with each number of a shape, in the order in which they travel.
template <typename Shape, typename F>
void for_each_number(Shape& shape, F f) {
    for (auto* number :
         {&shape.mode, &shape.reactors, &shape.worker_slots, &shape.service_slots, &shape.cells})
        f(*number);
    for (auto* number : {&shape.ring_bytes, &shape.arena_bytes, &shape.out_bytes, &shape.attached_bytes,
                         &shape.secret, &shape.trace_high, &shape.trace_low})
        f(*number);
}

void set_close_on_exec(int fd, bool on) {
    int flags = fcntl(fd, F_GETFD);
    if (flags >= 0) fcntl(fd, F_SETFD, on ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC);
}
bool is_this_directory(const char* path) {
    struct stat here {
    }, named{};
    return path[0] == '/' && stat(".", &here) == 0 && stat(path, &named) == 0 &&
           here.st_dev == named.st_dev && here.st_ino == named.st_ino;
}

/// The strings of a file in which NUL ends each.
std::vector<std::string> strings_in(const char* file) {
    std::vector<std::string> strings;
    std::ifstream in(file, std::ios::binary);
    std::string string;
    while (std::getline(in, string, '\0'))
        strings.push_back(string);
    return strings;
}

/// Takes the number of an open descriptor from the environment.
int descriptor_in(const char* variable) {
    const char* const text = getenv(variable);
    const int fd = text ? atoi(text) : -1;
    unsetenv(variable);
    if (fd <= STDERR_FILENO || fcntl(fd, F_GETFD) < 0) return -1;
    set_close_on_exec(fd, true);
    return fd;
}

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (const std::string& string : strings)
        pointers.push_back(const_cast<char*>(string.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}
}  // namespace

const timespec& process_began() {
    return began;
}

bool adopt_boot_environment() {
    clock_gettime(CLOCK_REALTIME, &began);
    const char* text = getenv(kVariable);
    if (!text) {
        predecessor = descriptor_in(kPredecessor);
        return false;
    }
    std::istringstream in(text);
    int control = -1, memory = -1;
    size_t workers = 0, reactors = 0, memories = 0;
    in >> control >> memory >> found.generation;
    for_each_number(found.shape, [&in](auto& number) { in >> number; });
    in >> found.logs_json >> found.least_level >> workers >> reactors >> memories;
    // Bounds far above real counts: a sum that wraps around would skip the loops.
    if (workers > kMostDoorbells || reactors > kMostDoorbells ||
        memories > NamedMemories::kMost + NamedMemories::kMostOwn)
        in.setstate(std::ios::failbit);
    for (size_t i = 0; i < workers + reactors && in; ++i) {
        int fd = -1;
        in >> fd;
        (i < workers ? found.worker_doorbells : found.reactor_doorbells).push_back(fd);
        set_close_on_exec(fd, true);
    }
    std::vector<std::pair<std::string, int>> named(in ? memories : 0);
    for (auto& [name, fd] : named)
        in >> name >> fd;
    // Without valid descriptors this is a plain server: somebody may have set the variable by hand.
    if (in && fcntl(control, F_GETFD) >= 0 && fcntl(memory, F_GETFD) >= 0) {
        set_close_on_exec(control, true);
        set_close_on_exec(memory, true);
        found.control.reset(control);
        found.memory.reset(memory);
        for (auto& [name, fd] : named) {
            set_close_on_exec(fd, true);
            NamedMemories::of_this_process().inherit({std::move(name), UniqueFd(fd)});
        }
        MetricRegistry::set_generation(found.generation);
        if (in.get() == ' ') std::getline(in, found.log_file);
        log::set_speaker("generation " + std::to_string(found.generation));
        log::put_lines_by(put_at_once);
        log::set_format(found.logs_json, static_cast<log::Level>(found.least_level));
        log::open_file(found.log_file);
    }
    unsetenv(kVariable);
    return static_cast<bool>(found.control);
}

int take_predecessor() {
    return std::exchange(predecessor, -1);
}

Boot take_boot() {
    return std::move(found);
}

std::string directory_of(const std::vector<std::string>& arguments) {
    char path[PATH_MAX];
    const std::string own = getcwd(path, sizeof path) ? path : "";
    const char* name = getenv("PWD");
    if (name && name != own && is_this_directory(name)) return name;
    for (const std::string& argument : arguments) {
        if (!argument.starts_with('/')) continue;
        for (size_t end = argument.rfind('/'); end > 0; end = argument.rfind('/', end - 1)) {
            const std::string folder = argument.substr(0, end);
            if (folder != own && is_this_directory(folder.c_str())) return folder;
        }
    }
    return own;
}

CommandLine CommandLine::of_this_process() {
    CommandLine command;
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size > 0) command.executable.assign(path, static_cast<size_t>(size));
    command.arguments = strings_in("/proc/self/cmdline");
    command.environment = strings_in("/proc/self/environ");
    command.directory = directory_of(command.arguments);
    return command;
}

namespace {
/// Executes the command line with the environment of the first start and these variables.
void execute(const CommandLine& command, const std::vector<std::string>& variables) {
    std::vector<std::string> environment = command.environment;
    std::erase_if(environment, [](const std::string& one) {
        const std::string_view name = std::string_view(one).substr(0, one.find('='));
        // The watchdog's is of one process, and a successor has another number.
        return name == kVariable || name == kPredecessor || name == "WATCHDOG_PID" ||
               name.starts_with(kPassedOn);
    });
    for (char** one = environ; *one; ++one)
        if (std::string_view(*one).starts_with(kPassedOn)) environment.emplace_back(*one);
    environment.insert(environment.end(), variables.begin(), variables.end());
    if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) return;
    execve(command.executable.c_str(), pointers_to(command.arguments).data(),
           pointers_to(environment).data());
}
}  // namespace

void exec_boot(const CommandLine& command, const Boot& boot) {
    std::ostringstream out;
    out << boot.control.get() << ' ' << boot.memory.get() << ' ' << boot.generation;
    for_each_number(boot.shape, [&out](auto number) { out << ' ' << number; });
    out << ' ' << boot.logs_json << ' ' << boot.least_level;
    out << ' ' << boot.worker_doorbells.size() << ' ' << boot.reactor_doorbells.size() << ' '
        << boot.memories.size();
    for (const auto* doorbells : {&boot.worker_doorbells, &boot.reactor_doorbells}) {
        for (int fd : *doorbells) {
            out << ' ' << fd;
            set_close_on_exec(fd, false);
        }
    }
    for (const NamedMemories::Named& memory : boot.memories) {
        out << ' ' << memory.name << ' ' << memory.fd;
        set_close_on_exec(memory.fd, false);
    }
    out << ' ' << boot.log_file;
    set_close_on_exec(boot.control.get(), false);
    set_close_on_exec(boot.memory.get(), false);
    execute(command, {std::string(kVariable) + '=' + out.str()});
}

void exec_successor(const CommandLine& command, int channel) {
    set_close_on_exec(channel, false);
    execute(command, {std::string(kPredecessor) + '=' + std::to_string(channel)});
}

}  // namespace sluice
