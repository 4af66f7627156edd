#pragma once

#include <string_view>

namespace sluice::http {

// Which files of a folder are PHP source, by name and by how they begin.

enum class SourceKind {
    kNone,
    kScript,  ///< it may be executed: its name ends in ".php"
    kOther,   ///< it holds source, or may: a copy, an included file, another extension
};

/// `name`: of a file, without its folder, decoded.
SourceKind source_kind(std::string_view name);

/// Whether the beginning of a file without a known type is that of PHP source.
bool begins_as_source(std::string_view beginning);

}  // namespace sluice::http
