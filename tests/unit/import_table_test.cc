#include "io/import_table.h"

#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <zlib.h>

namespace sluice {
namespace {

unsigned written_through = 0;

ssize_t counting_write(int fd, const void* bytes, size_t size) {
    ++written_through;
    return write(fd, bytes, size);
}

const Redirection kRedirections[] = {
    {"write", reinterpret_cast<void*>(&::write), reinterpret_cast<void*>(&counting_write)}};

/// zlib is a library of its own here, and writes its files by write(2).
void write_with_zlib() {
    FILE* file = tmpfile();
    ASSERT_TRUE(file);
    gzFile compressed = gzdopen(dup(fileno(file)), "wb");
    ASSERT_TRUE(compressed);
    ASSERT_EQ(gzwrite(compressed, "text", 4), 4);
    ASSERT_EQ(gzclose(compressed), Z_OK);
    EXPECT_GT(lseek(fileno(file), 0, SEEK_END), 0) << "it has arrived";
    fclose(file);
}

/// How the pages of zlib are protected.
std::string protection() {
    std::ifstream maps("/proc/self/maps");
    std::string lines;
    for (std::string line; std::getline(maps, line);)
        if (line.find("libz.so") != std::string::npos) lines += line + "\n";
    return lines;
}

class ImportTable : public testing::Test {
  protected:
    void SetUp() override { written_through = 0; }
    void TearDown() override { restore_imports(kRedirections); }
};

TEST_F(ImportTable, LibrariesCallTheReplacement) {
    write_with_zlib();
    EXPECT_EQ(written_through, 0u);
    redirect_imports(kRedirections);
    write_with_zlib();
    EXPECT_GT(written_through, 0u);
}

TEST_F(ImportTable, RestoringPutsTheOriginalBack) {
    redirect_imports(kRedirections);
    restore_imports(kRedirections);
    write_with_zlib();
    EXPECT_EQ(written_through, 0u);
}

TEST_F(ImportTable, TwiceIsAsGoodAsOnce) {
    redirect_imports(kRedirections);
    redirect_imports(kRedirections);
    write_with_zlib();
    EXPECT_GT(written_through, 0u);
    restore_imports(kRedirections);
    written_through = 0;
    write_with_zlib();
    EXPECT_EQ(written_through, 0u);
}

TEST_F(ImportTable, OwnCallsStayWhatTheyWere) {
    redirect_imports(kRedirections);
    FILE* file = tmpfile();
    ASSERT_TRUE(file);
    EXPECT_EQ(write(fileno(file), "x", 1), 1);
    fclose(file);
    EXPECT_EQ(written_through, 0u);
}

TEST_F(ImportTable, ProtectedPagesAreProtectedAgain) {
    write_with_zlib();
    const std::string before = protection();
    ASSERT_FALSE(before.empty());
    redirect_imports(kRedirections);
    EXPECT_EQ(protection(), before);
    restore_imports(kRedirections);
    EXPECT_EQ(protection(), before);
}

TEST_F(ImportTable, LoadingALibraryIsNoticed) {
    const unsigned long long before = loaded_libraries();
    EXPECT_EQ(loaded_libraries(), before);
    void* library = dlopen("libutil.so.1", RTLD_NOW);
    ASSERT_TRUE(library) << dlerror();
    EXPECT_NE(loaded_libraries(), before);
    dlclose(library);
}

}  // namespace
}  // namespace sluice
