#include "io/unix_listener.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace sluice {
namespace {

class UnixListenerTest : public testing::Test {
  protected:
    void SetUp() override {
        char folder[] = "/tmp/sluice-unit-XXXXXX";
        ASSERT_TRUE(mkdtemp(folder));
        folder_ = folder;
        path_ = folder_ + "/socket";
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    UnixListener open(mode_t mode = 0600) { return UnixListener::open(path_, mode, error_); }
    bool connects() const {
        const UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        strcpy(address.sun_path, path_.c_str());
        return connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    }
    mode_t mode() const {
        struct stat about {};
        stat(path_.c_str(), &about);
        return about.st_mode & 0777;
    }
    bool is_there() const { return std::filesystem::exists(std::filesystem::symlink_status(path_)); }

    std::string folder_, path_, error_;
};

TEST_F(UnixListenerTest, ListensUntilItIsRemoved) {
    UnixListener listener = open();
    ASSERT_TRUE(listener) << error_;
    EXPECT_TRUE(connects());
    listener.remove();
    EXPECT_FALSE(listener);
    EXPECT_FALSE(is_there());
    listener.remove();
}

TEST_F(UnixListenerTest, TheFileHasItsPermissionsWhateverTheUmask) {
    const mode_t before = umask(0077);
    for (mode_t wanted : {0666, 0600, 0}) {
        UnixListener listener = open(wanted);
        ASSERT_TRUE(listener) << error_;
        EXPECT_EQ(mode(), wanted);
        listener.change_mode(0640);
        EXPECT_EQ(mode(), 0640u);
        listener.remove();
    }
    EXPECT_EQ(umask(before), 0077u) << "the umask is left as it was";
}

TEST_F(UnixListenerTest, ASocketThatNobodyListensOnIsReplaced) {
    { const UnixListener killed = open(); }
    ASSERT_TRUE(is_there());
    ASSERT_FALSE(connects());
    UnixListener listener = open();
    ASSERT_TRUE(listener) << error_;
    EXPECT_TRUE(connects());
}

TEST_F(UnixListenerTest, ASocketThatIsListenedOnIsNot) {
    UnixListener listener = open();
    EXPECT_FALSE(open());
    EXPECT_EQ(error_, "Cannot listen on unix:" + path_ + ": Address already in use");
    EXPECT_TRUE(connects());
}

TEST_F(UnixListenerTest, AFileThatIsNoSocketIsNot) {
    std::ofstream(path_) << "precious";
    EXPECT_FALSE(open());
    EXPECT_EQ(error_, "Cannot listen on unix:" + path_ + ": a file that is not a socket exists there");
    std::string content;
    std::getline(std::ifstream(path_), content);
    EXPECT_EQ(content, "precious");
    std::filesystem::remove(path_);
    std::filesystem::create_symlink("/nowhere", path_);
    EXPECT_FALSE(open()) << "a symbolic link is not followed";
}

TEST_F(UnixListenerTest, AnothersFileIsNotRemoved) {
    UnixListener listener = open();
    // The old file is kept under another name, so that the new one cannot get its inode.
    std::filesystem::rename(path_, path_ + ".old");
    UnixListener other = open(0600);
    ASSERT_TRUE(other) << error_;
    listener.change_mode(0666);
    EXPECT_EQ(mode(), 0600u);
    listener.remove();
    EXPECT_TRUE(connects());
}

TEST_F(UnixListenerTest, AFolderThatIsNotThere) {
    EXPECT_FALSE(UnixListener::open(folder_ + "/none/socket", 0600, error_));
    EXPECT_EQ(error_, "Cannot listen on unix:" + folder_ + "/none/socket: No such file or directory");
    EXPECT_FALSE(UnixListener::open("/" + std::string(200, 'x'), 0600, error_));
    EXPECT_NE(error_.find("File name too long"), error_.npos);
}

}  // namespace
}  // namespace sluice
