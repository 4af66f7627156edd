#pragma once

#include <string>
#include <string_view>

namespace sluice::php {

/// Which script answers a request, and what CGI says of that (RFC 3875 4.1).
struct ScriptPlace {
    std::string file;       ///< SCRIPT_FILENAME
    std::string root;       ///< DOCUMENT_ROOT
    std::string name;       ///< SCRIPT_NAME
    std::string path_info;  ///< PATH_INFO; empty: none

    /// As it goes from a worker to a process.
    std::string pack() const;
    /// False when the bytes are no packed place.
    static bool unpack(std::string_view bytes, ScriptPlace& place);
    /// Of one script that answers all requests; `path`: of the request, as it was asked for.
    static ScriptPlace of_file(std::string_view file, std::string_view path);
};

}  // namespace sluice::php
