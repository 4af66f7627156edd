#include "io/tls_context.h"

#include <fstream>
#include <gtest/gtest.h>

#include "test_certificates.h"

namespace sluice {
namespace {

class Context : public testing::Test {
  protected:
    void SetUp() override {
        files.make("one");
        files.make("two");
    }
    TlsOptions options(const std::string& name = "one") const {
        TlsOptions options;
        options.certificates.push_back({"", files.path(name + ".pem"), files.path(name + ".key")});
        return options;
    }
    std::string error_of(const TlsOptions& options) const {
        std::string error;
        EXPECT_FALSE(TlsContext::create(options, error));
        return error;
    }
    TestCertificates files;
};

TEST_F(Context, LoadsWhatIsRight) {
    TlsOptions all = options();
    all.certificates.push_back({"two", files.path("two.pem"), files.path("two.key")});
    all.client_ca = files.path("ca.pem");
    all.require_client_certificate = true;
    all.minimum_version = TlsVersion::k1_3;
    all.alpn = {"h2", "http/1.1"};
    std::string error;
    EXPECT_TRUE(TlsContext::create(all, error)) << error;
}

TEST_F(Context, NoCertificateAtAll) {
    EXPECT_EQ(error_of({}), "TLS needs a certificate");
}

TEST_F(Context, FilesThatCannotBeRead) {
    TlsOptions missing = options();
    missing.certificates[0].chain = "/no/such/file";
    EXPECT_EQ(error_of(missing), "Cannot read the certificate file /no/such/file: No such file or directory");
    missing = options();
    missing.certificates[0].key = files.path("");
    EXPECT_EQ(error_of(missing), "Cannot read the key file " + files.path("") + ": Is a directory");
    missing = options();
    missing.client_ca = "/no/such/file";
    EXPECT_EQ(error_of(missing), "Cannot read the client CA file /no/such/file: No such file or directory");
}

TEST_F(Context, FilesThatHoldSomethingElse) {
    std::ofstream(files.path("rubbish")) << "no PEM";
    TlsOptions wrong = options();
    wrong.certificates[0].chain = files.path("rubbish");
    EXPECT_EQ(error_of(wrong),
              "The certificate file " + files.path("rubbish") + " cannot be used: no start line");
    wrong = options();
    wrong.certificates[0].key = files.path("one.pem");
    EXPECT_NE(error_of(wrong).find("The key file " + files.path("one.pem") + " cannot be used: "),
              std::string::npos);
    wrong = options();
    wrong.client_ca = files.path("rubbish");
    EXPECT_NE(error_of(wrong).find("The client CA file " + files.path("rubbish") + " cannot be used: "),
              std::string::npos);
}

TEST_F(Context, AKeyOfAnotherCertificate) {
    TlsOptions wrong = options();
    wrong.certificates[0].key = files.path("two.key");
    EXPECT_EQ(error_of(wrong), "The key file " + files.path("two.key") +
                                   " does not belong to the certificate file " + files.path("one.pem") +
                                   ": key values mismatch");
}

TEST_F(Context, AKeyWithAPassphraseIsRefusedWithoutAsking) {
    files.make("locked", "secret");
    EXPECT_EQ(error_of(options("locked")), "The key file " + files.path("locked.key") +
                                               " has a passphrase; only a key without one can be used");
}

TEST_F(Context, TheErrorOfAFurtherCertificateIsFoundToo) {
    TlsOptions wrong = options();
    wrong.certificates.push_back({"two", files.path("two.pem"), files.path("one.key")});
    EXPECT_NE(error_of(wrong).find("does not belong"), std::string::npos);
}

TEST_F(Context, WhichCertificateForWhichHost) {
    TlsOptions all = options();
    for (const char* name : {"two.example", "*.example", "Mixed.Case"})
        all.certificates.push_back({name, files.path("two.pem"), files.path("two.key")});
    std::string error;
    auto context = TlsContext::create(all, error);
    ASSERT_TRUE(context) << error;
    EXPECT_EQ(context->certificate_for("two.example"), 1u);
    EXPECT_EQ(context->certificate_for("TWO.example"), 1u);
    EXPECT_EQ(context->certificate_for("other.example"), 2u);
    EXPECT_EQ(context->certificate_for("a.other.example"), 0u) << "a star stands for one label";
    EXPECT_EQ(context->certificate_for("example"), 0u);
    EXPECT_EQ(context->certificate_for(".example"), 0u);
    EXPECT_EQ(context->certificate_for("mixed.case"), 3u);
    EXPECT_EQ(context->certificate_for("elsewhere"), 0u);
    EXPECT_EQ(context->certificate_for(""), 0u);
}

}  // namespace
}  // namespace sluice
