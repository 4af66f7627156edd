#include "io/identity.h"

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sluice {

std::optional<Identity> Identity::of(const std::string& user, const std::string& group,
                                     std::string& unknown) {
    const passwd* const person = getpwnam(user.c_str());
    if (!person) {
        unknown = user;
        return std::nullopt;
    }
    Identity identity;
    identity.user = user;
    identity.uid = person->pw_uid;
    identity.gid = person->pw_gid;
    if (!group.empty()) {
        const ::group* const named = getgrnam(group.c_str());
        if (!named) {
            unknown = group;
            return std::nullopt;
        }
        identity.gid = named->gr_gid;
    }
    int count = 64;
    for (;;) {
        identity.groups.resize(static_cast<size_t>(count));
        const int before = count;
        const int found = getgrouplist(user.c_str(), identity.gid, identity.groups.data(), &count);
        if (found >= 0 || count <= before) break;
    }
    identity.groups.resize(static_cast<size_t>(count));
    return identity;
}

bool Identity::is_possible() const {
    return geteuid() == 0 || (geteuid() == uid && getuid() == uid && getegid() == gid);
}

bool Identity::become() const {
    if (geteuid() != 0) return is_possible();
    if (setgroups(groups.size(), groups.data()) != 0 || setresgid(gid, gid, gid) != 0 ||
        setresuid(uid, uid, uid) != 0)
        return false;
    // Or the log could not be opened anew by /proc, and nobody could see where PHP stands.
    prctl(PR_SET_DUMPABLE, 1);
    return true;
}

}  // namespace sluice
