#include "io/stay_loaded.h"

#include <dlfcn.h>

namespace sluice {

void stay_loaded() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&stay_loaded), &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace sluice
