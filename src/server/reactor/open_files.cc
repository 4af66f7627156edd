#include "server/reactor/open_files.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace sluice {

OpenFile::~OpenFile() {
    owner_.files_.erase(identity_);
}

Ref<OpenFile> OpenFiles::open(int fd, Refusal& refusal) {
    // The descriptor comes from an untrusted worker: reading from a pipe or a terminal would block, and a
    // write-only descriptor must not match a file that another worker may read.
    struct stat status;
    const int flags = fcntl(fd, F_GETFL);
    refusal = Refusal::kNoFile;
    if (flags < 0 || (flags & O_PATH) || (flags & O_ACCMODE) == O_WRONLY) return {};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const OpenFile::Identity identity{status.st_dev, status.st_ino};
    refusal = Refusal::kNone;
    if (const auto found = files_.find(identity); found != files_.end()) {
        found->second->add_ref();
        return Ref<OpenFile>::adopt(found->second);
    }
    refusal = Refusal::kTooMany;
    if (files_.size() >= most_) return {};
    UniqueFd own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!own) return {};
    refusal = Refusal::kNone;
    Ref<OpenFile> file = Ref<OpenFile>::adopt(new OpenFile(*this, identity, std::move(own)));
    files_.emplace(identity, file.get());
    return file;
}

}  // namespace sluice
