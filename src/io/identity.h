#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice {

/// The user and the groups that a process runs as.
struct Identity {
    std::string user;
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups;  ///< supplementary groups, `gid` among them

    /// By name. Without a group it is the user's own. The supplementary groups are the user's, as the system's
    /// database has them. Nothing when there is no such user or group: `unknown` tells which of the two names.
    static std::optional<Identity> of(const std::string& user, const std::string& group, std::string& unknown);

    /// Whether this process is so already, or may become so.
    bool is_possible() const;
    /// Becomes so for good. Clears what the kernel clears with it: PR_SET_PDEATHSIG. False with errno, and
    /// the process has to end.
    bool become() const;
};

}  // namespace sluice
