/* Linked into the traced build (build/traced/sluice.so), which is compiled with -fsanitize=thread and linked without: what
 * the compiler has each access to memory call first is here.
 *
 * SLUICE_KILLS names a file that the reader has made: a page of counters and then places, all 0. While its first word is
 * not 0, a worker, a process of a service or a process for one request is killed, from its fork to its end, before it
 * stores to the server's shared memory in a place where none of its kind was killed before. A place is the store together
 * with the functions of ours that led to it.
 * Copies of whole payloads are not seen (the C library makes them): nobody reads those before a store that is.
 * tests/e2e/helpers/kills.py reads the file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FRAMES = 12, MAPPINGS = 64 };

struct place {
    _Atomic uint64_t hash;          /* 0: nothing here yet */
    uint64_t kind;                  /* of the process: its place in `kinds`, plus 1 */
    uint64_t frames[FRAMES];        /* return addresses as offsets in the extension, the innermost first; then 0 */
};

struct table {
    _Atomic uint64_t enabled;
    _Atomic uint64_t places;
    char rest_of_page[4096 - 2 * sizeof(uint64_t)];
    struct place place[];
};

extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char etext __attribute__((visibility("hidden")));

static struct table* table; /* shared by all processes */
static uint64_t most_places;
static struct {
    uintptr_t begin, end;
} shared[MAPPINGS];
static int mappings;
/* How the titles of processes begin that are killed. */
static const char* const kinds[] = {"sluice: worker", "sluice: service", "sluice: request process"};
static _Atomic pid_t looked_at; /* the process whose kind is known: in a fork, another one */
static _Atomic uint64_t own_kind; /* 0: one that is not killed */
static _Atomic bool is_stale = true; /* the kernel is to be asked what is mapped */

__attribute__((constructor)) static void open_table(void) {
    const char* path = getenv("SLUICE_KILLS");
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return;
    void* const start = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (start == MAP_FAILED) return;
    most_places = ((size_t)status.st_size - sizeof(struct table)) / sizeof(struct place);
    table = start;
}

static void find_mappings(void) {
    char line[512];
    FILE* const maps = fopen("/proc/self/maps", "re");
    is_stale = false;
    mappings = 0;
    if (!maps) return;
    while (mappings < MAPPINGS && fgets(line, sizeof line, maps)) {
        if (!strstr(line, "/memfd:sluice") || sscanf(line, "%lx-%lx", &shared[mappings].begin, &shared[mappings].end) != 2)
            continue;
        ++mappings;
    }
    fclose(maps);
}

/* The linker has the extension call these (--wrap): what it maps later, such as the ring of a body, is looked for anew. */
extern void* __real_mmap(void* address, size_t size, int protection, int flags, int file, off_t offset);
extern int __real_munmap(void* address, size_t size);
__attribute__((visibility("hidden"))) void* __wrap_mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
    void* const mapped = __real_mmap(address, size, protection, flags, file, offset);
    is_stale = true;
    return mapped;
}
__attribute__((visibility("hidden"))) int __wrap_munmap(void* address, size_t size) {
    is_stale = true;
    return __real_munmap(address, size);
}

static bool is_shared(uintptr_t address) {
    for (int i = 0; i < mappings; ++i)
        if (address >= shared[i].begin && address < shared[i].end) return true;
    return false;
}

/* Our functions keep their frame pointers (no optimisation); PHP's may not have any. */
static int frames_of(void** frame, uint64_t* frames) {
    int count = 0;
    while (count < FRAMES) {
        const uintptr_t returns = (uintptr_t)frame[1];
        if (returns < (uintptr_t)&__ehdr_start || returns >= (uintptr_t)&etext) break;
        frames[count++] = returns - (uintptr_t)&__ehdr_start;
        frame = frame[0];
    }
    return count;
}

/* Each process of a server has its title before it stores to shared memory. */
static void find_kind(void) {
    char title[64] = "";
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, title, sizeof title - 1) < 0) title[0] = '\0';
    close(file);
    own_kind = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strncmp(title, kinds[i], strlen(kinds[i])) == 0) own_kind = i + 1;
    looked_at = getpid();
}

static void visit(uint64_t kind, void** frame) {
    uint64_t frames[FRAMES] = {0};
    uint64_t hash = (14695981039346656037u ^ kind) * 1099511628211u;
    for (int i = 0, count = frames_of(frame, frames); i < count; ++i)
        hash = (hash ^ frames[i]) * 1099511628211u;
    hash |= 1;
    for (uint64_t tried = 0; tried < most_places; ++tried) {
        struct place* const place = &table->place[(hash + tried) % most_places];
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&place->hash, &there, hash)) {
            place->kind = kind;
            memcpy(place->frames, frames, sizeof frames);
            atomic_fetch_add(&table->places, 1);
            kill(getpid(), SIGKILL);
        }
        if (there == hash) return;
    }
}

__attribute__((noinline)) static void before_store(const volatile void* address, void** frame) {
    if (!atomic_load_explicit(&table->enabled, memory_order_relaxed)) return;
    const bool is_known = looked_at == getpid();
    if (is_known && !own_kind) return;
    if (is_stale) find_mappings();
    if (!is_shared((uintptr_t)address)) return;
    if (!is_known) find_kind();
    if (own_kind) visit(own_kind, frame);
}

/* Hidden: only this extension's accesses are meant. */
#define OURS __attribute__((visibility("hidden")))
#define STORE(address) \
    if (__builtin_expect(table != NULL, 0)) before_store(address, __builtin_frame_address(0))

OURS void __tsan_init(void) {}
OURS void __tsan_func_entry(void* caller) { (void)caller; }
OURS void __tsan_func_exit(void) {}
OURS void __tsan_vptr_update(void** place, void* value) { (void)value; STORE(place); }
OURS void __tsan_vptr_read(void** place) { (void)place; }
OURS void __tsan_read_range(void* address, size_t size) { (void)address; (void)size; }
OURS void __tsan_write_range(void* address, size_t size) { (void)size; STORE(address); }
OURS void __tsan_atomic_thread_fence(int order) { (void)order; atomic_thread_fence(memory_order_seq_cst); }
OURS void __tsan_atomic_signal_fence(int order) { (void)order; atomic_signal_fence(memory_order_seq_cst); }

#define PLAIN(bytes) \
    OURS void __tsan_read##bytes(void* address) { (void)address; } \
    OURS void __tsan_unaligned_read##bytes(void* address) { (void)address; } \
    OURS void __tsan_volatile_read##bytes(void* address) { (void)address; } \
    OURS void __tsan_write##bytes(void* address) { STORE(address); } \
    OURS void __tsan_unaligned_write##bytes(void* address) { STORE(address); } \
    OURS void __tsan_volatile_write##bytes(void* address) { STORE(address); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* The strongest memory order is right for all. */
#define CHANGE(bits, type, name) \
    OURS type __tsan_atomic##bits##_##name(volatile type* place, type value, int order) { \
        (void)order; \
        STORE(place); \
        return __atomic_##name(place, value, __ATOMIC_SEQ_CST); \
    }
#define COMPARE(bits, type, strength, weak) \
    OURS bool __tsan_atomic##bits##_compare_exchange_##strength(volatile type* place, type* expected, type value, int order, \
                                                                int failure) { \
        (void)order; \
        (void)failure; \
        STORE(place); \
        return __atomic_compare_exchange_n(place, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }
#define EXCHANGE(bits, type) \
    OURS type __tsan_atomic##bits##_exchange(volatile type* place, type value, int order) { \
        (void)order; \
        STORE(place); \
        return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC(bits, type) \
    OURS type __tsan_atomic##bits##_load(const volatile type* place, int order) { \
        (void)order; \
        return __atomic_load_n(place, __ATOMIC_SEQ_CST); \
    } \
    OURS void __tsan_atomic##bits##_store(volatile type* place, type value, int order) { \
        (void)order; \
        STORE(place); \
        __atomic_store_n(place, value, __ATOMIC_SEQ_CST); \
    } \
    EXCHANGE(bits, type) \
    CHANGE(bits, type, fetch_add) \
    CHANGE(bits, type, fetch_sub) \
    CHANGE(bits, type, fetch_and) \
    CHANGE(bits, type, fetch_or) \
    CHANGE(bits, type, fetch_xor) \
    COMPARE(bits, type, strong, false) \
    COMPARE(bits, type, weak, true)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
