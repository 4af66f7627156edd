#include "io/import_table.h"

#include <algorithm>
#include <cstdint>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace sluice {

namespace {

#if defined(__x86_64__)
constexpr unsigned kJumpSlot = R_X86_64_JUMP_SLOT;
constexpr unsigned kGlobalData = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr unsigned kJumpSlot = R_AARCH64_JUMP_SLOT;
constexpr unsigned kGlobalData = R_AARCH64_GLOB_DAT;
#else
#error "import tables are known for x86-64 and AArch64 only"
#endif

/// Libraries that keep their own imports: the parts of the C library, and wrappers around it; and those that
/// wait while they hold locks of the whole process, where a second coroutine would deadlock: opcache with its
/// shared memory, Kerberos, PKCS #11.
constexpr std::string_view kLeftAlone[] = {"libc.",     "ld-linux", "libpthread.", "libdl.",     "libasan.",
                                           "libubsan.", "liblsan.", "libtsan.",    "libresolv.", "linux-vdso",
                                           "opcache.",  "libkrb5",  "libgssapi_",  "libp11-kit."};

/// There are tens of thousands of imports in PHP and its libraries, and a hundred redirections.
struct Order {
    Order(std::span<const Redirection> redirections, bool restores_) : restores(restores_) {
        for (const Redirection& redirection : redirections)
            by_name.emplace(redirection.name, &redirection);
    }

    std::unordered_map<std::string_view, const Redirection*> by_name;
    bool restores;
};

/// Whether `name` begins with one of the words in `beginnings`.
bool begins_with_any(std::string_view name, std::string_view beginnings) {
    while (!beginnings.empty()) {
        const size_t end = std::min(beginnings.find(' '), beginnings.size());
        if (end > 0 && name.starts_with(beginnings.substr(0, end))) return true;
        beginnings.remove_prefix(std::min(end + 1, beginnings.size()));
    }
    return false;
}

std::string_view file_name(const dl_phdr_info& info) {
    std::string_view name = info.dlpi_name ? info.dlpi_name : "";
    if (const size_t slash = name.rfind('/'); slash != name.npos) name.remove_prefix(slash + 1);
    return name;
}

/// One loaded object, as its dynamic section describes it.
struct Object {
    uintptr_t base;
    std::string_view name;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const ElfW(Rela) * jumps = nullptr;
    size_t jump_bytes = 0;
    const ElfW(Rela) * others = nullptr;
    size_t other_bytes = 0;
    uintptr_t read_only = 0;  ///< write-protected by the loader after relocation (RELRO)
    uintptr_t read_only_end = 0;
};

bool has_address(const dl_phdr_info& info, uintptr_t address) {
    for (int index = 0; index < info.dlpi_phnum; ++index) {
        const ElfW(Phdr)& segment = info.dlpi_phdr[index];
        const uintptr_t start = info.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= start && address < start + segment.p_memsz) return true;
    }
    return false;
}

/// Where libraries are that leave_alone() was told of.
std::vector<uintptr_t> left_alone;

bool is_left_alone(const dl_phdr_info& info) {
    const std::string_view name = file_name(info);
    for (std::string_view prefix : kLeftAlone)
        if (name.starts_with(prefix)) return true;
    return has_address(info, reinterpret_cast<uintptr_t>(&is_left_alone)) ||
           (!name.empty() && std::any_of(left_alone.begin(), left_alone.end(),
                                         [&info](uintptr_t address) { return has_address(info, address); }));
}

/// Whether the object has imports to look through.
bool read_object(const dl_phdr_info& info, Object& object) {
    object.base = info.dlpi_addr;
    object.name = file_name(info);
    const ElfW(Dyn)* dynamic = nullptr;
    for (int index = 0; index < info.dlpi_phnum; ++index) {
        const ElfW(Phdr)& segment = info.dlpi_phdr[index];
        const uintptr_t start = info.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
        if (segment.p_type == PT_GNU_RELRO) {
            const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
            object.read_only = start & ~(page - 1);
            object.read_only_end = (start + segment.p_memsz) & ~(page - 1);
        }
    }
    if (!dynamic) return false;
    // The loader has made most addresses absolute; one below the base is still relative to it.
    auto address = [&](ElfW(Addr) value) { return value < object.base ? value + object.base : value; };
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
        const ElfW(Addr) pointer = dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
            case DT_SYMTAB: object.symbols = reinterpret_cast<const ElfW(Sym)*>(address(pointer)); break;
            case DT_STRTAB: object.names = reinterpret_cast<const char*>(address(pointer)); break;
            case DT_JMPREL: object.jumps = reinterpret_cast<const ElfW(Rela)*>(address(pointer)); break;
            case DT_PLTRELSZ: object.jump_bytes = dynamic->d_un.d_val; break;
            case DT_RELA: object.others = reinterpret_cast<const ElfW(Rela)*>(address(pointer)); break;
            case DT_RELASZ: object.other_bytes = dynamic->d_un.d_val; break;
            default: break;
        }
    }
    return object.symbols && object.names;
}

void write_entry(const Object& object, void** entry, void* value) {
    const uintptr_t place = reinterpret_cast<uintptr_t>(entry);
    const bool is_protected = place >= object.read_only && place < object.read_only_end;
    const size_t size = object.read_only_end - object.read_only;
    if (is_protected &&
        mprotect(reinterpret_cast<void*>(object.read_only), size, PROT_READ | PROT_WRITE) != 0)
        return;
    *entry = value;
    if (is_protected) mprotect(reinterpret_cast<void*>(object.read_only), size, PROT_READ);
}

void go_through(const Object& object, const ElfW(Rela) * relocations, size_t bytes, const Order& order) {
    for (size_t index = 0; index < bytes / sizeof(ElfW(Rela)); ++index) {
        const ElfW(Rela)& relocation = relocations[index];
        const unsigned type = ELF64_R_TYPE(relocation.r_info);
        if (type != kJumpSlot && type != kGlobalData) continue;
        const char* name = object.names + object.symbols[ELF64_R_SYM(relocation.r_info)].st_name;
        const auto found = order.by_name.find(name);
        if (found == order.by_name.end()) continue;
        const Redirection& redirection = *found->second;
        if (begins_with_any(object.name, redirection.not_in)) continue;
        void** entry = reinterpret_cast<void**>(object.base + relocation.r_offset);
        void* wanted = order.restores ? redirection.original : redirection.replacement;
        const bool concerns = order.restores ? *entry == redirection.replacement : *entry != wanted;
        if (concerns) write_entry(object, entry, wanted);
    }
}

int visit(dl_phdr_info* info, size_t, void* argument) {
    const Order& order = *static_cast<const Order*>(argument);
    Object object;
    if (is_left_alone(*info) || !read_object(*info, object)) return 0;
    go_through(object, object.jumps, object.jump_bytes, order);
    go_through(object, object.others, object.other_bytes, order);
    return 0;
}

}  // namespace

void leave_alone(const void* address) {
    const uintptr_t place = reinterpret_cast<uintptr_t>(address);
    if (std::find(left_alone.begin(), left_alone.end(), place) == left_alone.end())
        left_alone.push_back(place);
}

void redirect_imports(std::span<const Redirection> redirections) {
    Order order(redirections, false);
    dl_iterate_phdr(visit, &order);
}

void restore_imports(std::span<const Redirection> redirections) {
    Order order(redirections, true);
    dl_iterate_phdr(visit, &order);
}

unsigned long long loaded_libraries() {
    unsigned long long count = 0;
    auto first = [](dl_phdr_info* info, size_t, void* argument) {
        *static_cast<unsigned long long*>(argument) = info->dlpi_adds;
        return 1;
    };
    dl_iterate_phdr(first, &count);
    return count;
}

}  // namespace sluice
