#include "protocol/http/content_encoder.h"

#include <algorithm>
#include <brotli/encode.h>
#include <cstdlib>
#include <zlib.h>
#include <zstd.h>

namespace sluice::http {

namespace {

/// Table sizes of Zstandard from kTablesLevel on: its defaults are for windows of many megabytes.
constexpr int kTablesLevel = 5, kTableBits = 18;
/// The window of Brotli and Zstandard. Their defaults of 4 and up to 8 MiB would cost memory for each stream,
/// and a page gains nothing by them.
constexpr int kWindowBits = 19;
constexpr size_t kLeastRoom = 4096;
/// How many kinds of encoders the pool keeps one of.
constexpr size_t kMostKept = 4;

/// Appends room to `output`; `fill(place, bytes)` writes to it and returns how much it used.
template <typename Fill>
void append(std::string& output, size_t room, Fill fill) {
    const size_t before = output.size();
    output.resize(before + room);
    output.resize(before + fill(output.data() + before, room));
}

size_t room_for(std::string_view input) {
    return std::max(kLeastRoom, input.size() / 2);
}

/// Counts the memory of libraries that take an allocator.
struct Account {
    static constexpr size_t kHead = 16;
    size_t bytes = 0;

    void* allocate(size_t size) {
        void* block = size < SIZE_MAX - kHead ? malloc(size + kHead) : nullptr;
        if (!block) return nullptr;
        *static_cast<size_t*>(block) = size;
        bytes += size;
        return static_cast<char*>(block) + kHead;
    }
    void free(void* place) {
        if (!place) return;
        void* block = static_cast<char*>(place) - kHead;
        bytes -= *static_cast<size_t*>(block);
        ::free(block);
    }
};

class GzipEncoder final : public ContentEncoder {
  public:
    explicit GzipEncoder(int level) : ContentEncoder(Coding::kGzip, level) {
        stream_.zalloc = [](void* account, unsigned count, unsigned size) {
            return static_cast<Account*>(account)->allocate(size_t{count} * size);
        };
        stream_.zfree = [](void* account, void* place) { static_cast<Account*>(account)->free(place); };
        stream_.opaque = &account_;
        constexpr int kGzipFormat = 16;
        is_ready_ =
            deflateInit2(&stream_, level, Z_DEFLATED, MAX_WBITS + kGzipFormat, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    }
    ~GzipEncoder() override { deflateEnd(&stream_); }
    bool is_ready() const { return is_ready_; }

    bool encode(std::string_view input, Step step, std::string& output) override {
        bool is_done = false;
        do {
            // zlib counts in 32 bits.
            const std::string_view piece = input.substr(0, 1u << 30);
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
            stream_.avail_in = static_cast<uInt>(piece.size());
            const int flush = piece.size() < input.size() ? Z_NO_FLUSH
                              : step == Step::kEnd        ? Z_FINISH
                                                          : Z_SYNC_FLUSH;
            int result = Z_OK;
            append(output, std::min<size_t>(room_for(piece), 1u << 30), [&](char* place, size_t room) {
                stream_.next_out = reinterpret_cast<Bytef*>(place);
                stream_.avail_out = static_cast<uInt>(room);
                result = deflate(&stream_, flush);
                return room - stream_.avail_out;
            });
            if (result == Z_STREAM_ERROR) return false;
            input.remove_prefix(piece.size() - stream_.avail_in);
            is_done = input.empty() && (step == Step::kEnd ? result == Z_STREAM_END : stream_.avail_out > 0);
        } while (!is_done);
        return step == Step::kFlush || reset();
    }
    bool reset() override { return deflateReset(&stream_) == Z_OK; }
    size_t memory_bytes() const override { return account_.bytes; }

  private:
    Account account_;
    z_stream stream_ = {};
    bool is_ready_ = false;
};

class BrotliEncoder final : public ContentEncoder {
  public:
    explicit BrotliEncoder(int level) : ContentEncoder(Coding::kBrotli, level) { reset(); }
    ~BrotliEncoder() override {
        if (state_) BrotliEncoderDestroyInstance(state_);
    }
    bool is_ready() const { return state_; }

    bool encode(std::string_view input, Step step, std::string& output) override {
        if (!state_) return false;
        const BrotliEncoderOperation operation =
            step == Step::kEnd ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH;
        if (step == Step::kEnd && is_new_ && input.size() < UINT32_MAX)
            BrotliEncoderSetParameter(state_, BROTLI_PARAM_SIZE_HINT, static_cast<uint32_t>(input.size()));
        is_new_ = false;
        size_t left = input.size();
        const uint8_t* next = reinterpret_cast<const uint8_t*>(input.data());
        bool is_done;
        do {
            bool is_well = true;
            append(output, std::max(kLeastRoom, left / 2), [&](char* place, size_t room) {
                size_t unused = room;
                uint8_t* end = reinterpret_cast<uint8_t*>(place);
                is_well =
                    BrotliEncoderCompressStream(state_, operation, &left, &next, &unused, &end, nullptr);
                return room - unused;
            });
            if (!is_well) return false;
            is_done = left == 0 && !BrotliEncoderHasMoreOutput(state_) &&
                      (step == Step::kFlush || BrotliEncoderIsFinished(state_));
        } while (!is_done);
        return step == Step::kFlush || reset();
    }

    /// Brotli cannot reset an encoder: a new one is made.
    bool reset() override {
        if (state_) BrotliEncoderDestroyInstance(state_);
        state_ = BrotliEncoderCreateInstance(
            [](void* account, size_t size) { return static_cast<Account*>(account)->allocate(size); },
            [](void* account, void* place) { static_cast<Account*>(account)->free(place); }, &account_);
        is_new_ = true;
        return state_ &&
               BrotliEncoderSetParameter(state_, BROTLI_PARAM_QUALITY, static_cast<uint32_t>(level())) &&
               BrotliEncoderSetParameter(state_, BROTLI_PARAM_LGWIN, kWindowBits);
    }
    size_t memory_bytes() const override { return account_.bytes; }

  private:
    Account account_;
    BrotliEncoderState* state_ = nullptr;
    bool is_new_ = true;
};

class ZstdEncoder final : public ContentEncoder {
  public:
    explicit ZstdEncoder(int level) : ContentEncoder(Coding::kZstd, level), context_(ZSTD_createCCtx()) {
        is_ready_ = context_ && set(ZSTD_c_compressionLevel, level) && set(ZSTD_c_windowLog, kWindowBits);
        if (is_ready_ && level >= kTablesLevel)
            is_ready_ = set(ZSTD_c_hashLog, kTableBits) && set(ZSTD_c_chainLog, kTableBits);
    }
    ~ZstdEncoder() override { ZSTD_freeCCtx(context_); }
    bool is_ready() const { return is_ready_; }

    bool encode(std::string_view input, Step step, std::string& output) override {
        if (!is_ready_) return false;
        // The frame of a body in one piece tells its size, and a small body gets smaller tables.
        if (step == Step::kEnd && is_new_) ZSTD_CCtx_setPledgedSrcSize(context_, input.size());
        is_new_ = false;
        ZSTD_inBuffer from = {input.data(), input.size(), 0};
        size_t left;
        do {
            append(output, std::max(kLeastRoom, (input.size() - from.pos) / 2),
                   [&](char* place, size_t room) {
                       ZSTD_outBuffer to = {place, room, 0};
                       left = ZSTD_compressStream2(context_, &to, &from,
                                                   step == Step::kEnd ? ZSTD_e_end : ZSTD_e_flush);
                       return to.pos;
                   });
            if (ZSTD_isError(left)) return is_ready_ = false;
        } while (left != 0);
        is_new_ = step == Step::kEnd;
        return true;
    }
    bool reset() override {
        is_new_ = true;
        return is_ready_ = is_ready_ && !ZSTD_isError(ZSTD_CCtx_reset(context_, ZSTD_reset_session_only));
    }
    size_t memory_bytes() const override { return ZSTD_sizeof_CCtx(context_); }

  private:
    bool set(ZSTD_cParameter parameter, int value) {
        return !ZSTD_isError(ZSTD_CCtx_setParameter(context_, parameter, value));
    }

    ZSTD_CCtx* context_;
    bool is_ready_ = false;
    bool is_new_ = true;
};

template <typename Encoder>
std::unique_ptr<ContentEncoder> ready(int level) {
    auto encoder = std::make_unique<Encoder>(level);
    if (!encoder->is_ready()) return nullptr;
    return encoder;
}

}  // namespace

LevelRange level_range(Coding coding) {
    switch (coding) {
        case Coding::kGzip: return {1, 9, 6};
        case Coding::kBrotli: return {1, 11, 4};
        case Coding::kZstd: return {1, 19, 3};
        case Coding::kIdentity: break;
    }
    return {0, 0, 0};
}

std::unique_ptr<ContentEncoder> ContentEncoder::create(Coding coding, int level) {
    switch (coding) {
        case Coding::kGzip: return ready<GzipEncoder>(level);
        case Coding::kBrotli: return ready<BrotliEncoder>(level);
        case Coding::kZstd: return ready<ZstdEncoder>(level);
        case Coding::kIdentity: break;
    }
    return nullptr;
}

/// Measured by the unit test and rounded up; the test checks that encoders stay within.
size_t ContentEncoder::memory_bound(Coding coding, int level) {
    constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB;
    switch (coding) {
        case Coding::kGzip: return 272 * kKiB;
        case Coding::kBrotli: {
            constexpr size_t kMiBOfLevel[] = {0, 4, 4, 4, 4, 6, 6, 12, 20, 40, 24, 24};
            return kMiBOfLevel[level] * kMiB;
        }
        case Coding::kZstd: return level <= 3 ? 4 * kMiB : 6 * kMiB;
        case Coding::kIdentity: break;
    }
    return 0;
}

// -- The pool

std::unique_ptr<ContentEncoder> EncoderPool::take_kept(Coding coding, int level) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& kept) {
        return kept->coding() == coding && kept->level() == level;
    });
    if (found == kept_.end()) return nullptr;
    std::unique_ptr<ContentEncoder> encoder = std::move(*found);
    kept_.erase(found);
    return encoder;
}

bool EncoderPool::free_kept() {
    if (kept_.empty()) return false;
    bytes_ -= ContentEncoder::memory_bound(kept_.front()->coding(), kept_.front()->level());
    kept_.erase(kept_.begin());
    return true;
}

std::unique_ptr<ContentEncoder> EncoderPool::lend(Coding coding, int level) {
    if (std::unique_ptr<ContentEncoder> kept = take_kept(coding, level)) return kept;
    const size_t bound = ContentEncoder::memory_bound(coding, level);
    while (bytes_ + bound > most_bytes_ && free_kept()) {
    }
    std::unique_ptr<ContentEncoder> encoder;
    if (bytes_ + bound <= most_bytes_) encoder = ContentEncoder::create(coding, level);
    if (encoder) {
        bytes_ += bound;
    } else {
        ++refusals_;
    }
    return encoder;
}

void EncoderPool::give_back(std::unique_ptr<ContentEncoder> encoder, bool is_usable) {
    const bool is_kept = std::any_of(kept_.begin(), kept_.end(), [&](const auto& kept) {
        return kept->coding() == encoder->coding() && kept->level() == encoder->level();
    });
    if (is_usable && !is_kept && kept_.size() < kMostKept && encoder->reset()) {
        kept_.push_back(std::move(encoder));
        return;
    }
    bytes_ -= ContentEncoder::memory_bound(encoder->coding(), encoder->level());
}

}  // namespace sluice::http
