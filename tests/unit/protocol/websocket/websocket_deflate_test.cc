#include "protocol/websocket/websocket_deflate.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace sluice::websocket {
namespace {

using namespace std::string_literals;

// --- negotiation ---

DeflatePolicy generous() {
    DeflatePolicy policy;
    policy.enabled = policy.server_takeover = policy.client_takeover = true;
    return policy;
}

/// The response to a field, or "declined".
std::string answer(std::string_view offers, const DeflatePolicy& policy = generous()) {
    EXPECT_TRUE(extensions_are_well_formed(offers)) << offers;
    const auto agreed = agree_on_deflate(offers, policy);
    return agreed ? agreed->field : "declined";
}

TEST(DeflateNegotiation, Rfc7692Section5_1SimplestOffer) {
    EXPECT_EQ(answer("permessage-deflate"), "permessage-deflate");
    EXPECT_EQ(agree_on_deflate("permessage-deflate", generous())->parameters, DeflateParameters{});
}

TEST(DeflateNegotiation, NothingIsAgreedToWhenItIsOff) {
    EXPECT_EQ(answer("permessage-deflate", DeflatePolicy{}), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_1_1ServerNoContextTakeover) {
    const auto agreed = agree_on_deflate("permessage-deflate; server_no_context_takeover", generous());
    EXPECT_EQ(agreed->field, "permessage-deflate; server_no_context_takeover");
    EXPECT_FALSE(agreed->parameters.server_takeover);
    EXPECT_TRUE(agreed->parameters.client_takeover);
    // A server may give up its context takeover without being asked.
    DeflatePolicy policy = generous();
    policy.server_takeover = false;
    EXPECT_EQ(answer("permessage-deflate", policy), "permessage-deflate; server_no_context_takeover");
    EXPECT_EQ(answer("permessage-deflate; server_no_context_takeover=1"), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_1_2ClientNoContextTakeover) {
    EXPECT_EQ(answer("permessage-deflate; client_no_context_takeover"),
              "permessage-deflate; client_no_context_takeover");
    DeflatePolicy policy = generous();
    policy.client_takeover = false;
    const auto agreed = agree_on_deflate("permessage-deflate", policy);
    EXPECT_EQ(agreed->field, "permessage-deflate; client_no_context_takeover");
    EXPECT_FALSE(agreed->parameters.client_takeover);
    EXPECT_EQ(answer("permessage-deflate; client_no_context_takeover=true"), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_2_1ServerMaxWindowBits) {
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=10"),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=15"),
              "permessage-deflate; server_max_window_bits=15");
    DeflatePolicy policy = generous();
    policy.server_window_bits = 11;
    EXPECT_EQ(answer("permessage-deflate", policy), "permessage-deflate; server_max_window_bits=11");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=9", policy),
              "permessage-deflate; server_max_window_bits=9");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=13", policy),
              "permessage-deflate; server_max_window_bits=11");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits"), "declined");
    for (const char* wrong : {"7", "16", "08", "09", "010", "0", "+9", "1", "100", "x", "9x", "-9", "1e1"}) {
        EXPECT_EQ(answer("permessage-deflate; server_max_window_bits="s + wrong), "declined") << wrong;
    }
}

TEST(DeflateNegotiation, AWindowOf8BitsThatZlibCannotCompressForIsDeclined) {
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=8"), "declined");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=8, permessage-deflate"),
              "permessage-deflate");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_2_2ClientMaxWindowBits) {
    DeflatePolicy policy = generous();
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits", policy), "permessage-deflate");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits=10", policy),
              "permessage-deflate; client_max_window_bits=10");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits=8", policy),
              "permessage-deflate; client_max_window_bits=8");
    policy.client_window_bits = 12;
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits", policy),
              "permessage-deflate; client_max_window_bits=12");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits=10", policy),
              "permessage-deflate; client_max_window_bits=10");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits=7", policy), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_2_2AClientThatDoesNotNameItsWindowIsNotAskedForOne) {
    DeflatePolicy policy = generous();
    policy.client_window_bits = 9;
    const auto agreed = agree_on_deflate("permessage-deflate", policy);
    EXPECT_EQ(agreed->field, "permessage-deflate");
    EXPECT_EQ(agreed->parameters.client_window_bits, 15);
}

TEST(DeflateNegotiation, Rfc7692Section7_1UnknownAndRepeatedParametersDeclineTheOffer) {
    EXPECT_EQ(answer("permessage-deflate; level=9"), "declined");
    EXPECT_EQ(answer("permessage-deflate; server_no_context_takeover; server_no_context_takeover"),
              "declined");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits; client_max_window_bits=10"), "declined");
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=10; server_max_window_bits=10"), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section5_2TheFirstOfferThatCanBeMetIsTaken) {
    EXPECT_EQ(answer("x-other, permessage-deflate; level=9, permessage-deflate; server_max_window_bits=10, "
                     "permessage-deflate"),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer("permessage-bzip2; x=1, x-webkit-deflate-frame"), "declined");
    EXPECT_EQ(answer(""), "declined");
}

TEST(DeflateNegotiation, Rfc7692Section7_1_3Examples) {
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits; server_max_window_bits=10"),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer("permessage-deflate; client_max_window_bits; server_max_window_bits=10, "
                     "permessage-deflate; client_max_window_bits"),
              "permessage-deflate; server_max_window_bits=10");
}

TEST(DeflateNegotiation, Rfc6455Section9_1ValuesMayStandInQuotesAndSpaceAroundEverything) {
    EXPECT_EQ(answer("permessage-deflate; server_max_window_bits=\"10\""),
              "permessage-deflate; server_max_window_bits=10");
    EXPECT_EQ(answer(" ,\tpermessage-deflate ; server_max_window_bits = \"1\\0\" ,, x "),
              "permessage-deflate; server_max_window_bits=10");
}

TEST(DeflateNegotiation, Rfc6455Section9_1WhatDoesNotFollowTheGrammarIsToldApart) {
    for (const char* right : {"", " ", ",", "a", "a;b", "a;b=c", "a; b = \"c\" , d", "a,,b", "a;b=\"\\c\""}) {
        EXPECT_TRUE(extensions_are_well_formed(right)) << right;
    }
    for (const char* wrong :
         {";", "a;", "a;;b", "a b", "a;b c", "a;b=", "a;b=\"", "a;b=\"\"", "a;b=\"c", "a;b=\"c\\",
          "a;b=\"c d\"", "a;=c", "a=b", "a;b=\"c\"d", "(", "a;b=c=d", "\x80"}) {
        EXPECT_FALSE(extensions_are_well_formed(wrong)) << wrong;
    }
}

// --- contexts ---

/// Inflates a message's payload with `piece` bytes of input and of output at a time; "bad" when the payload
/// is no deflated data.
std::string inflate(Inflater& inflater, std::string payload, size_t piece = 1000) {
    std::string out;
    payload += kMessageTail;
    std::string_view left = payload;
    for (;;) {
        std::string_view input = left.substr(0, piece);
        const size_t offered = input.size();
        std::string room(piece, '\0');
        const auto written = inflater.inflate(input, room);
        if (!written) return "bad";
        left.remove_prefix(offered - input.size());
        out.append(room, 0, *written);
        if (left.empty() && *written == 0) break;
    }
    return inflater.at_boundary() ? out : "unfinished";
}

std::string inflate(std::string payload, uint8_t bits = 15) {
    Inflater inflater(bits);
    return inflate(inflater, std::move(payload));
}

std::string compress(Deflater& deflater, std::string_view message) {
    std::string out = "what was there before";
    deflater.compress(message, out);
    return out;
}

std::string noise(size_t size, int kinds = 256) {
    std::mt19937 random(7);
    std::string out(size, '\0');
    for (char& byte : out)
        byte = static_cast<char>(random() % static_cast<unsigned>(kinds));
    return out;
}

TEST(Inflater, Rfc7692Section7_2_3_1OneBlock) {
    EXPECT_EQ(inflate("\xf2\x48\xcd\xc9\xc9\x07\x00"s), "Hello");
}

TEST(Inflater, Rfc7692Section7_2_3_2SharingTheWindow) {
    Inflater inflater(15);
    EXPECT_EQ(inflate(inflater, "\xf2\x48\xcd\xc9\xc9\x07\x00"s), "Hello");
    EXPECT_EQ(inflate(inflater, "\xf2\x00\x11\x00\x00"s), "Hello");
    inflater.reset();
    EXPECT_EQ(inflate(inflater, "\xf2\x00\x11\x00\x00"s), "bad") << "a fresh context has nothing to refer to";
}

TEST(Inflater, Rfc7692Section7_2_3_3ABlockWithoutCompression) {
    EXPECT_EQ(inflate("\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00"s), "Hello");
}

TEST(Inflater, Rfc7692Section7_2_3_4ABlockMarkedAsTheLast) {
    EXPECT_EQ(inflate("\xf3\x48\xcd\xc9\xc9\x07\x00\x00"s), "Hello");
}

TEST(Inflater, Rfc7692Section7_2_3_4LaterBlocksMayReferToBeforeTheLastOne) {
    for (size_t piece : {1, 2, 3, 1000}) {
        Inflater inflater(15);
        EXPECT_EQ(inflate(inflater, "\xf3\x48\xcd\xc9\xc9\x07\x00\x00"s, piece), "Hello");
        EXPECT_EQ(inflate(inflater, "\xf2\x00\x11\x00\x00"s, piece), "Hello");
        // One message may have a last block and then another stream.
        EXPECT_EQ(inflate(inflater, "\xf3\x48\xcd\xc9\xc9\x07\x00\xf2\x00\x11\x00\x00"s, piece),
                  "HelloHello");
    }
}

TEST(Inflater, Rfc7692Section7_2_3_5TwoBlocks) {
    EXPECT_EQ(inflate("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00"s), "Hello");
}

TEST(Inflater, Rfc7692Section7_2_3_6AnEmptyMessage) {
    EXPECT_EQ(inflate("\0"s), "");
    Inflater inflater(15);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(inflate(inflater, "\0"s), "");
}

TEST(Inflater, WhatIsNoDeflateDataIsFoundOut) {
    EXPECT_EQ(inflate("\x07"), "bad");                            // block type 3
    EXPECT_EQ(inflate("\x00\x05\x00\x05\x00Hello\x00"s), "bad");  // LEN and NLEN disagree
    EXPECT_EQ(inflate(std::string(20, '\xff')), "bad");
}

TEST(Inflater, AMessageThatEndsWithinABlockIsFoundOut) {
    const std::string whole = "\xf2\x48\xcd\xc9\xc9\x07\x00"s;
    for (size_t size = 1; size + 1 < whole.size(); ++size) {
        EXPECT_NE(inflate(whole.substr(0, size)), "Hello") << size;
        const std::string what = inflate(whole.substr(0, size));
        EXPECT_TRUE(what == "bad" || what == "unfinished") << size << ": " << what;
    }
    EXPECT_EQ(inflate("\x00\x0a\x00\xf5\xffHello"s), "unfinished");
}

TEST(Inflater, AReferenceBeyondTheAgreedWindowIsBad) {
    const std::string text = noise(600) + noise(600);
    Deflater deflater(15, 9);
    const std::string payload = compress(deflater, text);
    ASSERT_LT(payload.size(), 800u) << "the second half does not refer to the first";
    Inflater wide(15), narrow(9);
    EXPECT_EQ(inflate(wide, payload, 100), text);
    EXPECT_EQ(inflate(narrow, payload, 100), "bad");
}

TEST(Inflater, AWindowOf8BitsIsInflated) {
    Inflater inflater(8);
    EXPECT_EQ(inflate(inflater, "\xf2\x48\xcd\xc9\xc9\x07\x00"s), "Hello");
    EXPECT_EQ(inflate(inflater, "\xf2\x00\x11\x00\x00"s), "Hello");
}

TEST(Deflater, Rfc7692Section7_2_3_2ItsMessagesAreThoseOfTheExamples) {
    Deflater deflater(15, 9);
    EXPECT_EQ(compress(deflater, "Hello"), "\xf2\x48\xcd\xc9\xc9\x07\x00"s);
    EXPECT_EQ(compress(deflater, "Hello"), "\xf2\x00\x11\x00\x00"s);
    deflater.reset();
    EXPECT_EQ(compress(deflater, "Hello"), "\xf2\x48\xcd\xc9\xc9\x07\x00"s);
}

TEST(Deflater, Rfc7692Section7_2_3_6AnEmptyMessageIsOneByte) {
    Deflater deflater(15, 1);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(compress(deflater, ""), "\0"s);
        EXPECT_EQ(compress(deflater, "x").size(), 3u);
    }
}

TEST(Deflater, EveryWindowLevelAndSizeComesBack) {
    for (uint8_t bits = kMinWindowBits; bits <= kMaxWindowBits; ++bits) {
        for (int level : {1, 6, 9}) {
            Deflater deflater(bits, level);
            Inflater inflater(bits);
            for (size_t size : {0, 1, 2, 63, 64, 65, 127, 1000, 32768, 100000}) {
                for (int kinds : {1, 4, 256}) {
                    const std::string message = noise(size, kinds);
                    const std::string payload = compress(deflater, message);
                    ASSERT_EQ(inflate(inflater, payload, 777), message)
                        << "bits " << int{bits} << " level " << level << " size " << size;
                    ASSERT_TRUE(kinds != 1 || size <= 100 || payload.size() < size / 4);
                }
            }
        }
    }
}

TEST(Deflater, OutputOfJustTheSizeOfItsRoomIsComplete) {
    // Lets the result's size pass all places where the room grows.
    Deflater deflater(15, 1);
    for (size_t size = 1; size < 700; ++size) {
        deflater.reset();
        ASSERT_EQ(inflate(compress(deflater, noise(size))), noise(size)) << size;
    }
}

// --- memory ---

struct Counter {
    size_t bytes = 0;
    static void* allocate(void* counter, unsigned items, unsigned size) {
        static_cast<Counter*>(counter)->bytes += size_t{items} * size;
        return calloc(items, size);
    }
    static void free(void*, void* address) { ::free(address); }
};

TEST(DeflateMemory, ContextsTakeNoMoreThanTheyAreCountedWith) {
    for (uint8_t bits = kMinWindowBits; bits <= kMaxWindowBits; ++bits) {
        Counter deflating, inflating;
        char out[64];
        z_stream stream{};
        stream.zalloc = Counter::allocate;
        stream.zfree = Counter::free;
        stream.opaque = &deflating;
        ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
        deflateEnd(&stream);
        EXPECT_LE(deflating.bytes, deflater_bytes(bits)) << int{bits};
        EXPECT_GT(deflating.bytes, deflater_bytes(bits) - 16 * 1024) << int{bits};

        stream = {};
        stream.zalloc = Counter::allocate;
        stream.zfree = Counter::free;
        stream.opaque = &inflating;
        ASSERT_EQ(inflateInit2(&stream, -bits), Z_OK);
        std::string hello = "\xf2\x48\xcd\xc9\xc9\x07\x00"s;
        stream.next_in = reinterpret_cast<Bytef*>(hello.data());
        stream.avail_in = static_cast<unsigned>(hello.size());
        stream.next_out = reinterpret_cast<Bytef*>(out);
        stream.avail_out = sizeof out;
        ::inflate(&stream, Z_SYNC_FLUSH);  // the window is allocated with the first output
        inflateEnd(&stream);
        EXPECT_LE(inflating.bytes, inflater_bytes(bits)) << int{bits};
        EXPECT_GT(inflating.bytes, size_t{1} << bits) << int{bits};
    }
}

}  // namespace
}  // namespace sluice::websocket
