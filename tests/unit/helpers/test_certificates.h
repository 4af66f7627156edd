#pragma once

#include <cstdio>
#include <filesystem>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string>
#include <unistd.h>

namespace sluice {

/// Makes keys and certificates in a folder that is removed with this object.
class TestCertificates {
  public:
    TestCertificates() {
        char name[] = "/tmp/sluice-tls-XXXXXX";
        folder_ = mkdtemp(name);
        ca_key_ = EVP_EC_gen("P-256");
        ca_ = issue(ca_key_, "test CA", nullptr);
        write(path("ca.pem"), ca_);
    }
    ~TestCertificates() {
        X509_free(ca_);
        EVP_PKEY_free(ca_key_);
        std::filesystem::remove_all(folder_);
    }

    std::string path(const std::string& file) const { return folder_ + "/" + file; }

    /// `<name>.pem` and `<name>.key` for a host or client of this name, issued by our CA (`ca.pem`).
    void make(const std::string& name, const char* passphrase = nullptr) {
        EVP_PKEY* key = EVP_EC_gen("P-256");
        X509* certificate = issue(key, name, ca_);
        write(path(name + ".pem"), certificate);
        FILE* file = fopen(path(name + ".key").c_str(), "w");
        PEM_write_PrivateKey(file, key, passphrase ? EVP_aes_128_cbc() : nullptr, nullptr, 0, nullptr,
                             const_cast<char*>(passphrase));
        fclose(file);
        X509_free(certificate);
        EVP_PKEY_free(key);
    }

  private:
    X509* issue(EVP_PKEY* key, const std::string& name, X509* issuer) {
        X509* certificate = X509_new();
        X509_set_version(certificate, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial_);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
        X509_NAME* subject = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
        X509_set_issuer_name(certificate, issuer ? X509_get_subject_name(issuer) : subject);
        X509_set_pubkey(certificate, key);
        add_extension(certificate, NID_basic_constraints, issuer ? "CA:FALSE" : "critical,CA:TRUE");
        if (issuer) add_extension(certificate, NID_subject_alt_name, "DNS:" + name);
        X509_sign(certificate, ca_key_, EVP_sha256());
        return certificate;
    }
    static void add_extension(X509* certificate, int nid, const std::string& value) {
        X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, nid, value.c_str());
        X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
    }
    static void write(const std::string& path, X509* certificate) {
        FILE* file = fopen(path.c_str(), "w");
        PEM_write_X509(file, certificate);
        fclose(file);
    }

    std::string folder_;
    EVP_PKEY* ca_key_ = nullptr;
    X509* ca_ = nullptr;
    long serial_ = 0;
};

}  // namespace sluice
