#include "io/process_report.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/unique_fd.h"

namespace sluice {

namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr int kMostFrames = 32;
/// For the handler alone: a crash may be that of a stack which is full.
constexpr size_t kStackBytes = 64 << 10;
alignas(16) char handler_stack[kStackBytes];

char folder_of_crashes[4096];
ProcessReport::Describe describe_process = nullptr;

/// A copy of this process with one thread, whose end nobody is told of: neither SIGCHLD nor wait(2) of the
/// application's.
pid_t copy_process() {
    return static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
}

void put_lines(log::Level level, const std::string& text) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        log::write(level, "%s", text.substr(at, end - at).c_str());
        at = end + 1;
    }
}

/// Native frames, by which addr2line finds the lines in a file of debug information.
std::string native_frames() {
    void* frames[kMostFrames];
    const int count = backtrace(frames, kMostFrames);
    std::string text;
    for (int i = 0; i < count; ++i) {
        Dl_info about{};
        char line[512];
        if (dladdr(frames[i], &about) && about.dli_fname) {
            const char* const file = strrchr(about.dli_fname, '/');
            snprintf(line, sizeof line, "  %s+0x%zx%s%s\n", file ? file + 1 : about.dli_fname,
                     static_cast<size_t>(static_cast<char*>(frames[i]) - static_cast<char*>(about.dli_fbase)),
                     about.dli_sname ? " " : "", about.dli_sname ? about.dli_sname : "");
        } else {
            snprintf(line, sizeof line, "  %p\n", frames[i]);
        }
        text += line;
    }
    return text;
}

void write_file(const std::string& text, pid_t process) {
    if (!folder_of_crashes[0]) return;
    const time_t now = time(nullptr);
    tm utc;
    gmtime_r(&now, &utc);
    char stamp[32];
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    const std::string path =
        std::string(folder_of_crashes) + "/crash-" + stamp + "-" + std::to_string(process) + ".txt";
    const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        SLUICE_ERROR("cannot write the crash report %s: %s", path.c_str(), strerror(errno));
        return;
    }
    SLUICE_ERROR("the crash report is in %s", path.c_str());
}

/// In a copy of the process.
void give_deadline() {
    for (const int number : kCrashes)
        signal(number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    alarm(ProcessReport::kMostS);
}

[[noreturn]] void tell_crash(int number, void* address, pid_t process) {
    give_deadline();
    char head[160];
    const char* const name = sigabbrev_np(number);
    snprintf(head, sizeof head, "crash of process %d: SIG%s (%s)", static_cast<int>(process),
             name ? name : "?", strsignal(number));
    std::string text = head;
    if (number == SIGSEGV || number == SIGBUS) {
        snprintf(head, sizeof head, " at address %p", address);
        text += head;
    }
    text += "\nversion " SLUICE_VERSION ", build id " + ProcessReport::build_id() + "\n";
    text += "native frames:\n" + native_frames();
    // Said before what may not come to its end.
    put_lines(log::Level::kError, text);
    if (describe_process) {
        const std::string more = describe_process(true);
        put_lines(log::Level::kError, more);
        text += more + "\n";
    }
    write_file(text, process);
    _exit(0);
}

void on_crash(int number, siginfo_t* info, void*) {
    const pid_t process = getpid();
    const pid_t copy = copy_process();
    if (copy == 0) tell_crash(number, info->si_addr, process);
    const uint64_t until_ms = monotonic_ms() + (ProcessReport::kMostS + 1) * 1000;
    while (copy > 0 && waitpid(copy, nullptr, __WALL | WNOHANG) == 0 && monotonic_ms() < until_ms)
        poll(nullptr, 0, 5);
    // The handler is reset (SA_RESETHAND). The signal of abort(), or one that was sent, does not come again.
    if (info->si_code <= 0 || number == SIGABRT) {
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
        sigset_t own;
        sigemptyset(&own);
        sigaddset(&own, number);
        sigprocmask(SIG_UNBLOCK, &own, nullptr);
    }
}

void on_question(int) {
    const int before = errno;
    const pid_t copy = copy_process();
    if (copy == 0) {
        if (copy_process() != 0) _exit(0);
        give_deadline();
        if (describe_process) put_lines(log::Level::kInfo, "state: " + describe_process(false));
        _exit(0);
    }
    if (copy > 0) waitpid(copy, nullptr, __WALL);
    errno = before;
}

}  // namespace

void ProcessReport::begin(const std::string& folder, Describe describe) {
    describe_by(describe);
    strncpy(folder_of_crashes, folder.c_str(), sizeof folder_of_crashes - 1);
    void* unused;
    backtrace(&unused, 1);  // loads what it needs now
    stack_t own{};
    own.ss_sp = handler_stack;
    own.ss_size = sizeof handler_stack;
    sigaltstack(&own, nullptr);
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_crash;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK);
    for (const int number : kCrashes) {
        struct sigaction now {};
        if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(number, &action, nullptr);
    }
    action = {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_question;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    sigaction(SIGQUIT, &action, nullptr);
}

void ProcessReport::describe_by(Describe describe) {
    describe_process = describe;
}

std::string ProcessReport::build_id() {
    std::string id;
    dl_iterate_phdr(
        [](dl_phdr_info* object, size_t, void* result) {
            const auto here = reinterpret_cast<ElfW(Addr)>(&ProcessReport::build_id);
            bool is_this = false;
            for (int i = 0; i < object->dlpi_phnum; ++i) {
                const ElfW(Phdr)& part = object->dlpi_phdr[i];
                const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
                is_this = is_this || (part.p_type == PT_LOAD && here >= begin && here < begin + part.p_memsz);
            }
            for (int i = 0; is_this && i < object->dlpi_phnum; ++i) {
                const ElfW(Phdr)& part = object->dlpi_phdr[i];
                if (part.p_type != PT_NOTE) continue;
                const char* at = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
                const char* const end = at + part.p_memsz;
                while (at + sizeof(ElfW(Nhdr)) <= end) {
                    const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
                    const char* const name = at + sizeof note;
                    const char* const bytes = name + ((note.n_namesz + 3) & ~3u);
                    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                        for (unsigned k = 0; k < note.n_descsz; ++k) {
                            char hex[3];
                            snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(bytes[k]));
                            *static_cast<std::string*>(result) += hex;
                        }
                        return 1;
                    }
                    at = bytes + ((note.n_descsz + 3) & ~3u);
                }
            }
            return is_this ? 1 : 0;
        },
        &id);
    return id.empty() ? "unknown" : id;
}

}  // namespace sluice
