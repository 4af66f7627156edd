/* Linked into the traced build (build/traced/sluice.so), in which the compiler has each function call this one first.
 *
 * SLUICE_TRACE names a file that the reader has made: a page whose first eight bytes count what has been written, and
 * then records. All processes and threads append to it through one counter, so that the file has the one order in which
 * all of it happened. Without SLUICE_TRACE nothing is written. tests/e2e/helpers/call_trace.py reads it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct record {
    uint32_t process;
    uint32_t thread;
    uint64_t function; /* its offset in the extension, as nm shows it */
};

enum { HEADER_BYTES = 4096 };

extern const char __ehdr_start __attribute__((visibility("hidden")));

static _Atomic uint64_t* count; /* shared by all processes: a fork inherits the mapping, and what is executed maps it anew */
static struct record* records;
static uint64_t most_records;

__attribute__((constructor)) static void open_trace(void) {
    const char* path = getenv("SLUICE_TRACE");
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) return;
    char* const start = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (start == MAP_FAILED) return;
    records = (struct record*)(start + HEADER_BYTES);
    most_records = ((size_t)status.st_size - HEADER_BYTES) / sizeof(struct record);
    count = (_Atomic uint64_t*)start;
}

/* Hidden: the C library has functions of these names, which do nothing, and precedes the extension in symbol lookup. */
#define OURS __attribute__((visibility("hidden")))

/* Asks the kernel for its ids each time: remembered ones would be wrong after a fork. */
OURS void __cyg_profile_func_enter(void* function, void* caller) {
    (void)caller;
    if (!count) return;
    const uint64_t mine = atomic_fetch_add(count, 1);
    if (mine >= most_records) return;
    records[mine].process = (uint32_t)getpid();
    records[mine].thread = (uint32_t)syscall(SYS_gettid);
    records[mine].function = (uint64_t)((const char*)function - &__ehdr_start);
}

OURS void __cyg_profile_func_exit(void* function, void* caller) {
    (void)function;
    (void)caller;
}
