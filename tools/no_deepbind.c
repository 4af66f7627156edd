/* Lets PHP load a sanitised extension: PHP opens extensions with RTLD_DEEPBIND, which the address sanitiser refuses
 * because a library that prefers its own symbols would bypass the sanitiser's. Preloaded before the sanitiser. */
#define _GNU_SOURCE
#include <dlfcn.h>

void* dlopen(const char* path, int flags) {
    static void* (*next)(const char*, int);
    if (!next) *(void**)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(path, flags & ~RTLD_DEEPBIND);
}
