#include "protocol/websocket/websocket_deflate.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <vector>

namespace sluice::websocket {
namespace {

/// zlib's default for memLevel, the size of its hash table.
constexpr int kMemLevel = 8;

/// Ends the process on failure, as a failed `new` does: memory is bounded elsewhere.
void require(int status) {
    if (status != Z_OK) std::abort();
}

// --- Sec-WebSocket-Extensions (RFC 6455 section 9.1) ---

bool is_token_char(char c) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
}

/// Reads the field from left to right. After anything but success it must not be used further.
class ExtensionReader {
  public:
    explicit ExtensionReader(std::string_view text) : rest_(text) { skip_space(); }

    bool at_end() const { return rest_.empty(); }

    bool take(char mark) {
        if (rest_.empty() || rest_.front() != mark) return false;
        rest_.remove_prefix(1);
        skip_space();
        return true;
    }

    /// Empty when there is no token.
    std::string_view take_token() {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_token_char);
        const std::string_view token = rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
        rest_.remove_prefix(token.size());
        skip_space();
        return token;
    }

    /// A token, or a quoted one with its escapes undone; empty when there is none.
    std::string take_value() {
        if (rest_.empty() || rest_.front() != '"') return std::string(take_token());
        rest_.remove_prefix(1);
        std::string value;
        for (;;) {
            if (rest_.empty()) return {};
            char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') break;
            if (c == '\\') {
                if (rest_.empty()) return {};
                c = rest_.front();
                rest_.remove_prefix(1);
            }
            // The text in quotes must be a token, too.
            if (!is_token_char(c)) return {};
            value += c;
        }
        skip_space();
        return value;
    }

  private:
    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

    std::string_view rest_;
};

struct Parameter {
    std::string_view name;
    std::optional<std::string> value;
};

/// Calls `offer(name, parameters)` for each offer until it returns true. False when
/// the field is malformed.
template <typename Visitor>
bool each_offer(std::string_view extensions, Visitor offer) {
    ExtensionReader reader(extensions);
    while (!reader.at_end()) {
        if (reader.take(',')) continue;  // empty elements of a list must be accepted
        const std::string_view name = reader.take_token();
        if (name.empty()) return false;
        std::vector<Parameter> parameters;
        while (reader.take(';')) {
            Parameter parameter;
            parameter.name = reader.take_token();
            if (parameter.name.empty()) return false;
            if (reader.take('=')) {
                parameter.value = reader.take_value();
                if (parameter.value->empty()) return false;
            }
            parameters.push_back(std::move(parameter));
        }
        if (!reader.at_end() && !reader.take(',')) return false;
        if (offer(name, parameters)) return true;
    }
    return true;
}

/// A number from 8 to 15 without leading zeros; else nothing.
std::optional<uint8_t> window_bits(const std::optional<std::string>& value) {
    if (!value) return std::nullopt;
    if (*value == "8" || *value == "9") return static_cast<uint8_t>(value->front() - '0');
    if (value->size() == 2 && value->front() == '1' && value->back() >= '0' && value->back() <= '5') {
        return static_cast<uint8_t>(10 + value->back() - '0');
    }
    return std::nullopt;
}

/// The parameters of one element as sent.
struct NamedParameters {
    bool server_no_takeover = false;
    bool client_no_takeover = false;
    bool has_server_bits = false;
    bool has_client_bits = false;
    uint8_t server_bits = kMaxWindowBits;
    uint8_t client_bits = kMaxWindowBits;
    bool client_bits_have_value = false;
};

/// Nothing when a parameter is unknown, comes twice, or has an invalid value (RFC 7692 section
/// 7.1).
std::optional<NamedParameters> read_parameters(const std::vector<Parameter>& parameters) {
    NamedParameters named;
    for (const Parameter& parameter : parameters) {
        bool* seen;
        if (parameter.name == "server_no_context_takeover" ||
            parameter.name == "client_no_context_takeover") {
            if (parameter.value) return std::nullopt;
            seen = parameter.name.starts_with('s') ? &named.server_no_takeover : &named.client_no_takeover;
        } else if (parameter.name == "server_max_window_bits") {
            const std::optional<uint8_t> bits = window_bits(parameter.value);
            if (!bits) return std::nullopt;
            named.server_bits = *bits;
            seen = &named.has_server_bits;
        } else if (parameter.name == "client_max_window_bits") {
            if (parameter.value) {
                const std::optional<uint8_t> bits = window_bits(parameter.value);
                if (!bits) return std::nullopt;
                named.client_bits = *bits;
                named.client_bits_have_value = true;
            }
            seen = &named.has_client_bits;
        } else {
            return std::nullopt;
        }
        if (*seen) return std::nullopt;
        *seen = true;
    }
    return named;
}

/// One offer of permessage-deflate; nothing when it has to be declined.
std::optional<DeflateAgreement> agree_on_offer(const std::vector<Parameter>& offered,
                                               const DeflatePolicy& policy) {
    const std::optional<NamedParameters> named = read_parameters(offered);
    if (!named) return std::nullopt;
    // zlib cannot compress for a window of 256 bytes.
    if (named->server_bits < kMinWindowBits) return std::nullopt;

    DeflateAgreement agreed;
    agreed.field = "permessage-deflate";
    DeflateParameters& parameters = agreed.parameters;
    parameters.server_takeover = policy.server_takeover && !named->server_no_takeover;
    if (!parameters.server_takeover) agreed.field += "; server_no_context_takeover";
    parameters.client_takeover = policy.client_takeover && !named->client_no_takeover;
    if (!parameters.client_takeover) agreed.field += "; client_no_context_takeover";
    parameters.server_window_bits = std::min(named->server_bits, policy.server_window_bits);
    if (named->has_server_bits || parameters.server_window_bits < kMaxWindowBits) {
        agreed.field += "; server_max_window_bits=" + std::to_string(parameters.server_window_bits);
    }
    // A client that does not name this parameter must not be asked for it.
    if (named->has_client_bits) {
        parameters.client_window_bits = std::min(named->client_bits, policy.client_window_bits);
        if (parameters.client_window_bits < kMaxWindowBits) {
            agreed.field += "; client_max_window_bits=" + std::to_string(parameters.client_window_bits);
        }
    }
    return agreed;
}

}  // namespace

bool extensions_are_well_formed(std::string_view extensions) {
    return each_offer(extensions, [](std::string_view, const std::vector<Parameter>&) { return false; });
}

std::optional<DeflateAgreement> agree_on_deflate(std::string_view extensions, const DeflatePolicy& policy) {
    std::optional<DeflateAgreement> agreed;
    if (!policy.enabled) return agreed;
    each_offer(extensions, [&](std::string_view name, const std::vector<Parameter>& parameters) {
        if (name == "permessage-deflate") agreed = agree_on_offer(parameters, policy);
        return agreed.has_value();
    });
    return agreed;
}

std::optional<DeflateParameters> read_deflate_answer(std::string_view extensions) {
    std::optional<DeflateParameters> agreed;
    size_t elements = 0;
    const bool well_formed =
        each_offer(extensions, [&](std::string_view name, const std::vector<Parameter>& parameters) {
            ++elements;
            const std::optional<NamedParameters> named = read_parameters(parameters);
            if (name != "permessage-deflate" || !named ||
                named->has_client_bits != named->client_bits_have_value) {
                return false;
            }
            agreed = DeflateParameters{!named->server_no_takeover, !named->client_no_takeover,
                                       named->server_bits, named->client_bits};
            return false;
        });
    return well_formed && elements == 1 ? agreed : std::nullopt;
}

// --- contexts ---

size_t inflater_bytes(uint8_t window_bits) {
    return (size_t{1} << window_bits) + 11 * 1024;
}

size_t deflater_bytes(uint8_t window_bits) {
    return (size_t{1} << (window_bits + 2)) + (size_t{1} << (kMemLevel + 9)) + 8 * 1024;
}

Inflater::Inflater(uint8_t window_bits) {
    require(inflateInit2(&stream_, -window_bits));  // negative: no zlib header
}

Inflater::~Inflater() {
    inflateEnd(&stream_);
}

std::optional<size_t> Inflater::inflate(std::string_view& input, std::span<char> out) {
    assert(!out.empty() && out.size() <= std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    for (;;) {
        const int status = ::inflate(&stream_, Z_SYNC_FLUSH);
        if (status == Z_STREAM_END) {
            // To zlib, a block with BFINAL ends the stream. It does not end the message, and later blocks may
            // refer to earlier bytes (RFC 7692 section 7.2.3.4).
            require(inflateResetKeep(&stream_));
            at_boundary_ = false;
            if (stream_.avail_in != 0 && stream_.avail_out != 0) continue;
            break;
        }
        if (status == Z_MEM_ERROR) std::abort();
        if (status != Z_OK && status != Z_BUF_ERROR) return std::nullopt;
        // data_type 128: right behind a block that is not the last, with no bit unused. It is not set by a
        // call that found nothing to do (Z_BUF_ERROR).
        if (status == Z_OK) at_boundary_ = stream_.data_type == 128;
        break;
    }
    input.remove_prefix(input.size() - stream_.avail_in);
    return out.size() - stream_.avail_out;
}

void Inflater::reset() {
    require(inflateReset(&stream_));
}

Deflater::Deflater(uint8_t window_bits, int level) {
    assert(window_bits >= kMinWindowBits);
    require(deflateInit2(&stream_, level, Z_DEFLATED, -window_bits, kMemLevel, Z_DEFAULT_STRATEGY));
}

Deflater::~Deflater() {
    deflateEnd(&stream_);
}

void Deflater::compress(std::string_view message, std::string& out) {
    out.clear();
    if (message.empty()) {
        out.push_back('\0');  // RFC 7692 section 7.2.3.6; zlib would write nothing at all
        return;
    }
    assert(message.size() <= std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(message.data()));
    stream_.avail_in = static_cast<uInt>(message.size());
    // Enough for most texts; what does not compress takes another round.
    out.resize(message.size() / 2 + 64);
    size_t written = 0;
    for (;;) {
        stream_.next_out = reinterpret_cast<Bytef*>(out.data() + written);
        stream_.avail_out = static_cast<uInt>(out.size() - written);
        const int status = deflate(&stream_, Z_SYNC_FLUSH);
        assert(status == Z_OK || status == Z_BUF_ERROR);
        (void)status;
        written = out.size() - stream_.avail_out;
        if (stream_.avail_out != 0) break;
        out.resize(out.size() + out.size() / 2);
    }
    assert(std::string_view(out).substr(0, written).ends_with(kMessageTail));
    out.resize(written - kMessageTail.size());
}

void Deflater::reset() {
    require(deflateReset(&stream_));
}

}  // namespace sluice::websocket
