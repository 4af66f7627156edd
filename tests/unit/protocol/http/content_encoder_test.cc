#include "protocol/http/content_encoder.h"

#include <brotli/decode.h>
#include <gtest/gtest.h>
#include <random>
#include <zlib.h>
#include <zstd.h>

namespace sluice::http {
namespace {

using Step = ContentEncoder::Step;

/// Decodes, from the beginning, all that a client has got so far.
std::string decode(Coding coding, std::string_view input, bool& at_end) {
    std::string output(4u << 20, '\0');
    size_t size = 0;
    at_end = false;
    if (coding == Coding::kGzip) {
        z_stream stream = {};
        EXPECT_EQ(Z_OK, inflateInit2(&stream, MAX_WBITS + 16));
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream.avail_in = static_cast<uInt>(input.size());
        stream.next_out = reinterpret_cast<Bytef*>(output.data());
        stream.avail_out = static_cast<uInt>(output.size());
        at_end = inflate(&stream, Z_SYNC_FLUSH) == Z_STREAM_END && stream.avail_in == 0;
        size = stream.total_out;
        inflateEnd(&stream);
    } else if (coding == Coding::kBrotli) {
        BrotliDecoderState* state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
        size_t left = input.size(), room = output.size();
        const uint8_t* next = reinterpret_cast<const uint8_t*>(input.data());
        uint8_t* place = reinterpret_cast<uint8_t*>(output.data());
        at_end = BrotliDecoderDecompressStream(state, &left, &next, &room, &place, nullptr) ==
                     BROTLI_DECODER_RESULT_SUCCESS &&
                 left == 0;
        size = output.size() - room;
        BrotliDecoderDestroyInstance(state);
    } else {
        ZSTD_DCtx* context = ZSTD_createDCtx();
        ZSTD_inBuffer from = {input.data(), input.size(), 0};
        ZSTD_outBuffer to = {output.data(), output.size(), 0};
        size_t result = 1;
        while (from.pos < from.size) {
            result = ZSTD_decompressStream(context, &to, &from);
            if (ZSTD_isError(result) || result == 0) break;
        }
        at_end = result == 0 && from.pos == from.size;
        size = to.pos;
        ZSTD_freeDCtx(context);
    }
    output.resize(size);
    return output;
}

std::string text_of(size_t bytes) {
    std::string text;
    std::minstd_rand random(1);
    while (text.size() < bytes)
        text += "<p class=\"row-" + std::to_string(random() % 1000) + "\">some words again</p>\n";
    text.resize(bytes);
    return text;
}

std::string noise_of(size_t bytes) {
    std::string noise(bytes, '\0');
    std::minstd_rand random(2);
    for (char& byte : noise)
        byte = static_cast<char>(random() >> 8);
    return noise;
}

class ContentEncoderTest : public testing::TestWithParam<Coding> {
  protected:
    std::unique_ptr<ContentEncoder> encoder(int level = 0) {
        return ContentEncoder::create(GetParam(), level ? level : level_range(GetParam()).usual);
    }
};

TEST_P(ContentEncoderTest, BringsBodiesBackOneAfterTheOther) {
    auto encoder = this->encoder();
    for (const std::string& body :
         {std::string(), std::string("x"), text_of(5000), noise_of(100'000), text_of(3'000'000)}) {
        std::string output;
        ASSERT_TRUE(encoder->encode(body, Step::kEnd, output));
        bool at_end;
        EXPECT_EQ(body, decode(GetParam(), output, at_end));
        EXPECT_TRUE(at_end);
        if (body.size() == 3'000'000) {
            EXPECT_LT(output.size(), body.size() / 5);
        }
    }
}

TEST_P(ContentEncoderTest, ShowsAllThatWasFlushed) {
    auto encoder = this->encoder();
    std::string output, sent;
    bool at_end;
    for (const std::string& piece :
         {std::string("data: one\n\n"), text_of(70'000), std::string("data: two\n\n"), noise_of(10'000)}) {
        ASSERT_TRUE(encoder->encode(piece, Step::kFlush, output));
        sent += piece;
        EXPECT_EQ(sent, decode(GetParam(), output, at_end));
        EXPECT_FALSE(at_end);
    }
    ASSERT_TRUE(encoder->encode("", Step::kEnd, output));
    EXPECT_EQ(sent, decode(GetParam(), output, at_end));
    EXPECT_TRUE(at_end);
}

TEST_P(ContentEncoderTest, BeginsAnewAfterAReset) {
    auto encoder = this->encoder();
    std::string output;
    ASSERT_TRUE(encoder->encode(text_of(50'000), Step::kFlush, output));
    ASSERT_TRUE(encoder->reset());
    output.clear();
    ASSERT_TRUE(encoder->encode("again", Step::kEnd, output));
    bool at_end;
    EXPECT_EQ("again", decode(GetParam(), output, at_end));
    EXPECT_TRUE(at_end);
}

TEST_P(ContentEncoderTest, KeepsWithinItsBoundAtEachLevel) {
    const LevelRange range = level_range(GetParam());
    // The slowest levels get less: by then their tables are full.
    const std::string big = text_of(500'000) + noise_of(700'000);
    for (int level = range.least; level <= range.most; ++level) {
        auto encoder = this->encoder(level);
        ASSERT_TRUE(encoder);
        std::string_view rest = big;
        if (GetParam() == Coding::kBrotli && level > 9) rest = rest.substr(400'000, 600'000);
        size_t most = 0;
        std::string output;
        while (!rest.empty()) {
            const std::string_view piece = rest.substr(0, 300'000);
            rest.remove_prefix(piece.size());
            ASSERT_TRUE(encoder->encode(piece, Step::kFlush, output));
            most = std::max(most, encoder->memory_bytes());
        }
        EXPECT_LE(most, ContentEncoder::memory_bound(GetParam(), level)) << "level " << level;
        EXPECT_GE(most, ContentEncoder::memory_bound(GetParam(), level) / 12) << "level " << level;
    }
}

INSTANTIATE_TEST_SUITE_P(Codings, ContentEncoderTest,
                         testing::Values(Coding::kGzip, Coding::kBrotli, Coding::kZstd),
                         [](const auto& info) { return std::string(coding_name(info.param)); });

TEST(EncoderPoolTest, LendsNoMoreThanItsBound) {
    const size_t each = ContentEncoder::memory_bound(Coding::kGzip, 6);
    EncoderPool pool(2 * each);
    auto first = pool.lend(Coding::kGzip, 6), second = pool.lend(Coding::kGzip, 6);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(2 * each, pool.bytes());
    EXPECT_FALSE(pool.lend(Coding::kGzip, 6));
    EXPECT_EQ(1u, pool.refusals());
    pool.give_back(std::move(first));
    EXPECT_EQ(2 * each, pool.bytes()) << "the pool keeps one encoder";
    pool.give_back(std::move(second));
    EXPECT_EQ(each, pool.bytes()) << "the pool does not keep two encoders of one kind";
    EXPECT_TRUE(first = pool.lend(Coding::kGzip, 6));
    EXPECT_TRUE(second = pool.lend(Coding::kGzip, 1));
}

TEST(EncoderPoolTest, GivesUpWhatItKeepsForAnotherKind) {
    EncoderPool pool(ContentEncoder::memory_bound(Coding::kGzip, 6));
    pool.give_back(pool.lend(Coding::kGzip, 6));
    auto other = pool.lend(Coding::kGzip, 9);
    EXPECT_TRUE(other);
    pool.give_back(std::move(other), false);
    EXPECT_EQ(0u, pool.bytes());
    EXPECT_FALSE(EncoderPool(0).lend(Coding::kZstd, 3));
}

TEST(EncoderPoolTest, KeptOnesBeginANewBody) {
    EncoderPool pool(64u << 20);
    for (const Coding coding : {Coding::kGzip, Coding::kBrotli, Coding::kZstd}) {
        auto encoder = pool.lend(coding, level_range(coding).usual);
        std::string output;
        ASSERT_TRUE(encoder->encode("half of a body", Step::kFlush, output));
        pool.give_back(std::move(encoder));
        encoder = pool.lend(coding, level_range(coding).usual);
        output.clear();
        ASSERT_TRUE(encoder->encode("whole", Step::kEnd, output));
        bool at_end;
        EXPECT_EQ("whole", decode(coding, output, at_end));
        pool.give_back(std::move(encoder));
    }
}

}  // namespace
}  // namespace sluice::http
