#include "php/http/script_place.h"

#include "core/wire.h"

namespace sluice::php {

std::string ScriptPlace::pack() const {
    WireWriter writer;
    for (const std::string* text : {&file, &root, &name, &path_info})
        writer.put_string(*text);
    return writer.bytes();
}

bool ScriptPlace::unpack(std::string_view bytes, ScriptPlace& place) {
    WireReader reader(bytes);
    for (std::string* text : {&place.file, &place.root, &place.name, &place.path_info})
        *text = reader.get_string();
    return reader.ok() && !place.file.empty();
}

ScriptPlace ScriptPlace::of_file(std::string_view file, std::string_view path) {
    const size_t slash = file.rfind('/');
    const size_t folder_bytes = slash == file.npos ? 0 : slash;
    ScriptPlace place{std::string(file),
                      std::string(file.substr(0, folder_bytes)),
                      std::string(file.substr(folder_bytes)),
                      {}};
    if (path.starts_with(place.name)) place.path_info = path.substr(place.name.size());
    return place;
}

}  // namespace sluice::php
