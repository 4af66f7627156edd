#include "php/hooks/hooks_of_names.h"

#include <arpa/nameser.h>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <main/php_network.h>
#include <netdb.h>
#include <resolv.h>
#include <string>
#include <vector>

#include "io/host_answer.h"
#include "php/coroutine/waiting.h"
#include "php/hooks/hook.h"

// <resolv.h> has them as macros or not, depending on the C library's version.
#undef res_nsearch
#undef res_search
#undef res_query
extern "C" {
int res_nsearch(res_state state, const char* name, int klass, int type, unsigned char* answer, int room);
int res_search(const char* name, int klass, int type, unsigned char* answer, int room);
int res_query(const char* name, int klass, int type, unsigned char* answer, int room);
}

namespace sluice::php {

namespace {

// -- getaddrinfo() and getnameinfo()

struct AddressJob final : ThreadJob {
    std::string node, service;
    bool has_node = false, has_service = false, has_hints = false;
    addrinfo hints = {};
    addrinfo* found = nullptr;
    int answer = 0;
    int error = 0;

    void run() override {
        answer = getaddrinfo(has_node ? node.c_str() : nullptr, has_service ? service.c_str() : nullptr,
                             has_hints ? &hints : nullptr, &found);
        error = errno;
    }
    ~AddressJob() override {
        if (found) freeaddrinfo(found);
    }
};

int hooked_getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
    Coroutine* self = node ? hookable() : nullptr;
    if (!self) {
        if (!node || !is_interrupted()) return getaddrinfo(node, service, hints, found);
        refuse_to_wait();
        return EAI_SYSTEM;
    }
    // Numeric addresses need no look-up.
    addrinfo numeric = {};
    if (hints) numeric = *hints;
    numeric.ai_flags |= AI_NUMERICHOST;
    if (!hints) numeric.ai_flags |= AI_V4MAPPED | AI_ADDRCONFIG;
    if (getaddrinfo(node, service, &numeric, found) == 0) return 0;
    if (hints && (hints->ai_flags & AI_NUMERICHOST)) return getaddrinfo(node, service, hints, found);

    AddressJob* job = new AddressJob;
    job->has_node = true;
    job->node = node;
    if ((job->has_service = service)) job->service = service;
    if ((job->has_hints = hints)) job->hints = *hints;
    int answer = EAI_SYSTEM;
    int error = 0;
    if (wait_for_job(*self, *job)) {
        answer = job->answer;
        error = job->error;
        if (answer == 0) *found = std::exchange(job->found, nullptr);
    } else {
        error = errno;
    }
    job->drop_ref();
    errno = error;
    return answer;
}

struct NameJob final : ThreadJob {
    sockaddr_storage address = {};
    socklen_t size = 0;
    char host[NI_MAXHOST] = "";
    char service[NI_MAXSERV] = "";
    socklen_t host_room = 0, service_room = 0;
    int flags = 0;
    int answer = 0;
    int error = 0;

    void run() override {
        answer = getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host_room ? host : nullptr,
                             host_room, service_room ? service : nullptr, service_room, flags);
        error = errno;
    }
};

int hooked_getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_room,
                       char* service, socklen_t service_room, int flags) {
    const bool asks = host && host_room > 0 && !(flags & NI_NUMERICHOST) && size <= sizeof(sockaddr_storage);
    Coroutine* self = asks ? hookable() : nullptr;
    if (!self) return getnameinfo(address, size, host, host_room, service, service_room, flags);
    NameJob* job = new NameJob;
    memcpy(&job->address, address, size);
    job->size = size;
    job->host_room = std::min(host_room, static_cast<socklen_t>(sizeof job->host));
    job->service_room = service ? std::min(service_room, static_cast<socklen_t>(sizeof job->service)) : 0;
    job->flags = flags;
    int answer = EAI_SYSTEM;
    int error = 0;
    if (wait_for_job(*self, *job)) {
        answer = job->answer;
        error = job->error;
        if (answer == 0) {
            strcpy(host, job->host);
            if (job->service_room) strcpy(service, job->service);
        }
    } else {
        error = errno;
    }
    job->drop_ref();
    errno = error;
    return answer;
}

// -- gethostbyname() and its relatives

struct HostJob final : ThreadJob {
    std::string key;  ///< a name, or the bytes of an address
    int family = 0;
    bool by_address = false;
    HostAnswer found;

    void run() override {
        if (by_address) {
            found.ask([&](hostent& entry, char* room, size_t size, hostent** result, int* h_error) {
                return gethostbyaddr_r(key.data(), static_cast<socklen_t>(key.size()), family, &entry, room,
                                       size, result, h_error);
            });
        } else {
            found.ask([&](hostent& entry, char* room, size_t size, hostent** result, int* h_error) {
                return gethostbyname2_r(key.c_str(), family, &entry, room, size, result, h_error);
            });
        }
    }
};

/// For calls whose answer stands in the C library's memory until the next call: this many answers are kept,
/// as other coroutines may call in between.
constexpr size_t kKeptAnswers = 64;

hostent* keep(HostAnswer&& answer) {
    static HostAnswer* kept = new HostAnswer[kKeptAnswers];
    static size_t next = 0;
    HostAnswer& place = kept[next++ % kKeptAnswers];
    place = std::move(answer);
    return place.entry();
}

hostent* look_up_host(Coroutine& self, std::string&& key, int family, bool by_address) {
    HostJob* job = new HostJob;
    job->key = std::move(key);
    job->family = family;
    job->by_address = by_address;
    hostent* entry = nullptr;
    if (wait_for_job(self, *job)) {
        h_errno = job->found.h_error();
        if (job->found.entry()) entry = keep(std::move(job->found));
    } else {
        h_errno = TRY_AGAIN;
    }
    job->drop_ref();
    return entry;
}

hostent* hooked_gethostbyname(const char* name) {
    Coroutine* self = hookable();
    return self ? look_up_host(*self, name, AF_INET, false) : gethostbyname(name);
}

hostent* hooked_gethostbyname2(const char* name, int family) {
    Coroutine* self = hookable();
    return self ? look_up_host(*self, name, family, false) : gethostbyname2(name, family);
}

hostent* hooked_gethostbyaddr(const void* address, socklen_t size, int family) {
    Coroutine* self = hookable();
    if (!self) return gethostbyaddr(address, size, family);
    return look_up_host(*self, std::string(static_cast<const char*>(address), size), family, true);
}

/// PHP has one entry and one buffer for all callers, and frees them at the next call. So they are not written
/// to: PHP takes what the result points to.
bool is_call_of_php(void* return_address) {
    static void* php = nullptr;
    Dl_info info;
    if (!php && dladdr(reinterpret_cast<void*>(&php_network_gethostbyname), &info)) php = info.dli_fbase;
    return dladdr(return_address, &info) && info.dli_fbase == php;
}

/// Looks up into the caller's own memory, unless the caller is PHP.
int look_up_host_into(Coroutine& self, void* return_address, std::string&& key, int family, bool by_address,
                      hostent* entry, char* room, size_t size, hostent** result, int* h_error) {
    HostJob* job = new HostJob;
    job->key = std::move(key);
    job->family = family;
    job->by_address = by_address;
    *result = nullptr;
    int error = EAGAIN;
    *h_error = TRY_AGAIN;
    if (wait_for_job(self, *job)) {
        *h_error = job->found.h_error();
        error = job->found.error();
        if (job->found.entry() && is_call_of_php(return_address)) {
            *result = keep(std::move(job->found));
        } else if (job->found.entry()) {
            error = job->found.copy_to(*entry, room, size) ? 0 : ERANGE;
            if (error)
                *h_error = NETDB_INTERNAL;
            else
                *result = entry;
        }
    }
    job->drop_ref();
    return error;
}

int hooked_gethostbyname_r(const char* name, hostent* entry, char* room, size_t size, hostent** result,
                           int* h_error) {
    Coroutine* self = hookable();
    if (!self) return gethostbyname_r(name, entry, room, size, result, h_error);
    return look_up_host_into(*self, __builtin_return_address(0), name, AF_INET, false, entry, room, size,
                             result, h_error);
}

int hooked_gethostbyname2_r(const char* name, int family, hostent* entry, char* room, size_t size,
                            hostent** result, int* h_error) {
    Coroutine* self = hookable();
    if (!self) return gethostbyname2_r(name, family, entry, room, size, result, h_error);
    return look_up_host_into(*self, __builtin_return_address(0), name, family, false, entry, room, size,
                             result, h_error);
}

int hooked_gethostbyaddr_r(const void* address, socklen_t address_size, int family, hostent* entry,
                           char* room, size_t size, hostent** result, int* h_error) {
    Coroutine* self = hookable();
    if (!self) return gethostbyaddr_r(address, address_size, family, entry, room, size, result, h_error);
    return look_up_host_into(*self, __builtin_return_address(0),
                             std::string(static_cast<const char*>(address), address_size), family, true,
                             entry, room, size, result, h_error);
}

// -- Questions to the domain name system itself

struct QueryJob final : ThreadJob {
    std::string name;
    int klass = 0, type = 0;
    bool searches = false;
    int tries = 0, wait_s = 0;
    unsigned long options = 0;
    bool has_settings = false;
    std::vector<unsigned char> answer;
    int size = -1;
    int h_error = 0;
    int error = 0;

    void run() override {
        // A resolver state of its own: the caller's may be gone by now.
        struct __res_state state = {};
        if (res_ninit(&state) != 0) {
            h_error = NO_RECOVERY;
            return;
        }
        if (has_settings) {
            state.options = options;
            state.retry = tries;
            state.retrans = wait_s;
        }
        const int room = static_cast<int>(answer.size());
        size = searches ? res_nsearch(&state, name.c_str(), klass, type, answer.data(), room)
                        : res_nquery(&state, name.c_str(), klass, type, answer.data(), room);
        h_error = state.res_h_errno;
        error = errno;
        res_nclose(&state);
    }
};

int ask(Coroutine& self, res_state state, bool searches, const char* name, int klass, int type,
        unsigned char* answer, int room) {
    QueryJob* job = new QueryJob;
    job->name = name;
    job->klass = klass;
    job->type = type;
    job->searches = searches;
    job->answer.resize(room > 0 ? static_cast<size_t>(room) : 0);
    if (state) {
        job->has_settings = true;
        job->options = state->options;
        job->tries = state->retry;
        job->wait_s = state->retrans;
    }
    int size = -1;
    int h_error = TRY_AGAIN;
    if (wait_for_job(self, *job)) {
        size = job->size;
        h_error = job->h_error;
        if (size > 0) memcpy(answer, job->answer.data(), static_cast<size_t>(std::min(size, room)));
        errno = job->error;
    }
    const int error = errno;
    job->drop_ref();
    errno = error;
    if (state) state->res_h_errno = h_error;
    h_errno = h_error;
    return size;
}

int hooked_res_nsearch(res_state state, const char* name, int klass, int type, unsigned char* answer,
                       int room) {
    Coroutine* self = hookable();
    return self ? ask(*self, state, true, name, klass, type, answer, room)
                : res_nsearch(state, name, klass, type, answer, room);
}

int hooked_res_search(const char* name, int klass, int type, unsigned char* answer, int room) {
    Coroutine* self = hookable();
    return self ? ask(*self, nullptr, true, name, klass, type, answer, room)
                : res_search(name, klass, type, answer, room);
}

int hooked_res_query(const char* name, int klass, int type, unsigned char* answer, int room) {
    Coroutine* self = hookable();
    return self ? ask(*self, nullptr, false, name, klass, type, answer, room)
                : res_query(name, klass, type, answer, room);
}

/// libldap resolves names while it holds a lock of the whole process, on which a second coroutine would block
/// the thread.
#define SLUICE_NAME_HOOK(name) SLUICE_HOOK_NOT_IN(name, "libldap")

const Redirection kHooks[] = {
    SLUICE_NAME_HOOK(getaddrinfo),      SLUICE_NAME_HOOK(getnameinfo),     SLUICE_NAME_HOOK(gethostbyname),
    SLUICE_NAME_HOOK(gethostbyname2),   SLUICE_NAME_HOOK(gethostbyaddr),   SLUICE_NAME_HOOK(gethostbyname_r),
    SLUICE_NAME_HOOK(gethostbyname2_r), SLUICE_NAME_HOOK(gethostbyaddr_r), SLUICE_NAME_HOOK(res_nsearch),
    SLUICE_NAME_HOOK(res_search),       SLUICE_NAME_HOOK(res_query),
};

}  // namespace

std::span<const Redirection> name_hooks() {
    return kHooks;
}

}  // namespace sluice::php
