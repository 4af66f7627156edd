#include "io/import_table.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace sluice {
namespace {

constexpr int kReplaced = -42;

int replaced_getppid() {
    return kReplaced;
}
int replaced_getpgrp() {
    return kReplaced - 1;
}

const Redirection kRedirections[] = {
    {"getppid", reinterpret_cast<void*>(&getppid), reinterpret_cast<void*>(&replaced_getppid)},
    {"getpgrp", reinterpret_cast<void*>(&getpgrp), reinterpret_cast<void*>(&replaced_getpgrp),
     "libother lib_shy"},
};

/// A library that calls getppid() and getpgrp() through its import table.
class Library {
  public:
    Library(const std::string& name, const std::string& linking) {
        char folder[] = "/tmp/sluice-import-table-XXXXXX";
        folder_ = mkdtemp(folder);
        std::ofstream(folder_ + "/code.c") << "#include <unistd.h>\n"
                                              "int parent(void) { return getppid(); }\n"
                                              "int group(void) { return getpgrp(); }\n"
                                              "int (*address(void))(void) { return getppid; }\n";
        path_ = folder_ + "/" + name + ".so";
        // Debian's php-dev has a compiler with it.
        const std::string command = "cc -O1 -shared -fPIC " + linking + " " + folder_ + "/code.c -o " + path_;
        built_ = system(command.c_str()) == 0;
        load();
    }
    ~Library() {
        unload();
        if (system(("rm -r " + folder_).c_str()) != 0) ADD_FAILURE() << folder_;
    }

    void load() { handle_ = built_ ? dlopen(path_.c_str(), RTLD_LAZY | RTLD_LOCAL) : nullptr; }
    void unload() {
        if (handle_) dlclose(handle_);
        handle_ = nullptr;
    }
    bool is_loaded() const { return handle_; }
    /// How the library's pages are protected.
    std::string protection() const {
        std::ifstream maps("/proc/self/maps");
        std::string lines;
        for (std::string line; std::getline(maps, line);)
            if (line.find(path_) != std::string::npos) lines += line + "\n";
        return lines;
    }
    int parent() { return call<int (*)()>("parent")(); }
    int group() { return call<int (*)()>("group")(); }
    int parent_by_address() { return call<int (*(*)())()>("address")()(); }

  private:
    template <typename F>
    F call(const char* name) {
        return reinterpret_cast<F>(dlsym(handle_, name));
    }

    std::string folder_, path_;
    bool built_ = false;
    void* handle_ = nullptr;
};

/// The ways to link: lazily, with the table write-protected after loading, or without a table for calls.
class ImportTable : public testing::TestWithParam<const char*> {
  protected:
    ~ImportTable() override { restore_imports(kRedirections); }
};
INSTANTIATE_TEST_SUITE_P(Linked, ImportTable,
                         testing::Values("-Wl,-z,lazy", "-Wl,-z,norelro", "-Wl,-z,relro,-z,now", "-fno-plt"));

TEST_P(ImportTable, CallsAreRedirectedAndPutBack) {
    Library library("lib_plain", GetParam());
    ASSERT_TRUE(library.is_loaded());
    EXPECT_EQ(getppid(), library.parent());
    redirect_imports(kRedirections);
    EXPECT_EQ(kReplaced, library.parent());
    EXPECT_EQ(kReplaced, library.parent_by_address());
    EXPECT_EQ(kReplaced - 1, library.group());
    EXPECT_NE(kReplaced, getppid()) << "the binary of the replacements keeps its own imports";
    redirect_imports(kRedirections);
    EXPECT_EQ(kReplaced, library.parent());
    restore_imports(kRedirections);
    EXPECT_EQ(getppid(), library.parent());
    EXPECT_EQ(getppid(), library.parent_by_address());
    EXPECT_EQ(getpgrp(), library.group());
}

TEST_P(ImportTable, CallsNeverMadeBeforeAreRedirected) {
    Library library("lib_plain", GetParam());
    redirect_imports(kRedirections);
    EXPECT_EQ(kReplaced, library.parent());
}

TEST_P(ImportTable, ProtectedPagesAreProtectedAgain) {
    Library library("lib_plain", GetParam());
    ASSERT_TRUE(library.is_loaded());
    const std::string before = library.protection();
    ASSERT_FALSE(before.empty());
    redirect_imports(kRedirections);
    EXPECT_EQ(before, library.protection());
    restore_imports(kRedirections);
    EXPECT_EQ(before, library.protection());
}

TEST_P(ImportTable, LibraryThatIsNamedIsLeftOut) {
    Library library("lib_shy_one", GetParam());
    redirect_imports(kRedirections);
    EXPECT_EQ(kReplaced, library.parent());
    EXPECT_EQ(getpgrp(), library.group());
}

TEST_P(ImportTable, WhatIsLoadedLaterIsSeenAndRedirected) {
    redirect_imports(kRedirections);
    const unsigned long long before = loaded_libraries();
    EXPECT_EQ(before, loaded_libraries());
    Library library("lib_plain", GetParam());
    EXPECT_NE(before, loaded_libraries());
    EXPECT_EQ(getppid(), library.parent());
    redirect_imports(kRedirections);
    EXPECT_EQ(kReplaced, library.parent());
    library.unload();
    restore_imports(kRedirections);  // an unloaded library is not touched
    library.load();
    EXPECT_EQ(getppid(), library.parent());
}

TEST(ImportTableExceptions, OpcacheAndOthersWithLocksOfTheProcessAreLeftAlone) {
    Library library("opcache", "-Wl,-z,lazy");
    redirect_imports(kRedirections);
    EXPECT_EQ(getppid(), library.parent());
    restore_imports(kRedirections);
}

}  // namespace
}  // namespace sluice
