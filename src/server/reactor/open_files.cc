#include "server/reactor/open_files.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace sluice {

OpenFile::~OpenFile() {
    owner_.files_.erase(identity_);
    owner_.open_.give_back(client_);
}

Ref<OpenFile> OpenFiles::open(int fd, uint64_t client, Refusal& refusal) {
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
    if (!open_.may_have(client, 1)) return {};
    UniqueFd own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!own) {
        refusal = Refusal::kNoDescriptor;
        return {};
    }
    refusal = Refusal::kNone;
    open_.charge(client, 1);
    Ref<OpenFile> file = Ref<OpenFile>::adopt(new OpenFile(*this, client, identity, std::move(own)));
    files_.emplace(identity, file.get());
    return file;
}

}  // namespace sluice
