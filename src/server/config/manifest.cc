#include "server/config/manifest.h"

#include <map>

#include "server/config/config.h"
#include "server/config/endpoints.h"

namespace sluice {

namespace {
void write_tls(WireWriter& writer, const TlsOptions& tls) {
    writer.put(static_cast<uint32_t>(tls.certificates.size()));
    for (const TlsOptions::Certificate& certificate : tls.certificates) {
        writer.put_string(certificate.name);
        writer.put_string(certificate.chain);
        writer.put_string(certificate.key);
    }
    writer.put_string(tls.client_ca);
    writer.put(tls.require_client_certificate);
    writer.put(tls.minimum_version);
    writer.put(static_cast<uint32_t>(tls.alpn.size()));
    for (const std::string& protocol : tls.alpn)
        writer.put_string(protocol);
}

TlsOptions read_tls(WireReader& reader) {
    TlsOptions tls;
    uint32_t certificates = reader.get<uint32_t>();
    for (uint32_t i = 0; i < certificates && reader.ok(); ++i) {
        TlsOptions::Certificate& certificate = tls.certificates.emplace_back();
        certificate.name = reader.get_string();
        certificate.chain = reader.get_string();
        certificate.key = reader.get_string();
    }
    tls.client_ca = reader.get_string();
    tls.require_client_certificate = reader.get<bool>();
    tls.minimum_version = reader.get<TlsVersion>();
    uint32_t protocols = reader.get<uint32_t>();
    for (uint32_t i = 0; i < protocols && reader.ok(); ++i)
        tls.alpn.push_back(reader.get_string());
    return tls;
}

void write_strings(WireWriter& writer, const std::vector<std::string>& strings) {
    writer.put(static_cast<uint32_t>(strings.size()));
    for (const std::string& text : strings)
        writer.put_string(text);
}

std::vector<std::string> read_strings(WireReader& reader) {
    std::vector<std::string> strings;
    uint32_t count = reader.get<uint32_t>();
    for (uint32_t i = 0; i < count && reader.ok(); ++i)
        strings.push_back(reader.get_string());
    return strings;
}

void write_rules(WireWriter& writer, const WebSocketRules& rules) {
    write_strings(writer, rules.protocols);
    writer.put(rules.origins.enabled);
    writer.put(rules.origins.same_origin);
    writer.put(rules.origins.without_origin);
    write_strings(writer, rules.origins.allowed);
    writer.put(rules.asks_handler);
    writer.put(rules.wants_pongs);
    writer.put(rules.ping_every_ms);
    writer.put(rules.pong_within_ms);
}

WebSocketRules read_rules(WireReader& reader) {
    WebSocketRules rules;
    rules.protocols = read_strings(reader);
    rules.origins.enabled = reader.get<bool>();
    rules.origins.same_origin = reader.get<bool>();
    rules.origins.without_origin = reader.get<bool>();
    rules.origins.allowed = read_strings(reader);
    rules.asks_handler = reader.get<bool>();
    rules.wants_pongs = reader.get<bool>();
    rules.ping_every_ms = reader.get<uint32_t>();
    rules.pong_within_ms = reader.get<uint32_t>();
    return rules;
}

void write_proxies(WireWriter& writer, const http::TrustedProxies& proxies) {
    writer.put(static_cast<uint32_t>(proxies.addresses.size()));
    for (const AddressRange& range : proxies.addresses)
        writer.put(range);
    writer.put(proxies.fields);
    writer.put(proxies.proxy_protocol);
}

http::TrustedProxies read_proxies(WireReader& reader) {
    http::TrustedProxies proxies;
    uint32_t count = reader.get<uint32_t>();
    for (uint32_t i = 0; i < count && reader.ok(); ++i)
        proxies.addresses.push_back(reader.get<AddressRange>());
    proxies.fields = reader.get<http::ProxyFields>();
    proxies.proxy_protocol = reader.get<bool>();
    return proxies;
}

void write_pages(WireWriter& writer, const http::ErrorPages::ByStatus& pages) {
    writer.put(static_cast<uint32_t>(pages.size()));
    for (const auto& [status, page] : pages) {
        writer.put(status);
        writer.put_string(page);
    }
}

http::ErrorPages::ByStatus read_pages(WireReader& reader) {
    http::ErrorPages::ByStatus pages;
    uint32_t count = reader.get<uint32_t>();
    for (uint32_t i = 0; i < count && reader.ok(); ++i) {
        const auto status = reader.get<uint16_t>();
        pages.emplace(status, reader.get_string());
    }
    return pages;
}

/// Many routes share one set of pages, which is written once.
class PagesWriter {
  public:
    void write(WireWriter& writer, const EndpointSpec& spec) {
        const http::ErrorPages* pages = spec.error_pages.get();
        const auto [known, is_new] = numbers_.emplace(pages, static_cast<uint32_t>(numbers_.size()));
        writer.put(known->second);
        if (!is_new) return;
        write_pages(writer, pages->html);
        write_pages(writer, pages->json);
        writer.put(pages->otherwise);
    }

  private:
    std::map<const http::ErrorPages*, uint32_t> numbers_{{nullptr, 0}};
};

class PagesReader {
  public:
    std::shared_ptr<const http::ErrorPages> read(WireReader& reader) {
        const auto number = reader.get<uint32_t>();
        if (number < known_.size()) return known_[number];
        auto pages = std::make_shared<http::ErrorPages>();
        pages->html = read_pages(reader);
        pages->json = read_pages(reader);
        pages->otherwise = reader.get<http::ErrorFormat>();
        known_.push_back(pages);
        return pages;
    }

  private:
    std::vector<std::shared_ptr<const http::ErrorPages>> known_{nullptr};
};

void write_spec(WireWriter& writer, const EndpointSpec& spec, PagesWriter& pages) {
    writer.put(spec.kind);
    writer.put_string(spec.address);
    writer.put_string(spec.path);
    writer.put_string(spec.method);
    writer.put(spec.has_handler);
    writer.put(spec.framing);
    writer.put(spec.compression);
    writer.put(spec.dispatch);
    writer.put(spec.limits);
    writer.put(spec.cancels_begun());
    writer.put(spec.stream_bodies);
    writer.put(spec.slow_client);
    writer.put(spec.http1);
    writer.put(spec.http2);
    writer.put(spec.tls.has_value());
    if (spec.tls) write_tls(writer, *spec.tls);
    write_rules(writer, spec.websocket);
    writer.put(spec.socket_mode);
    write_proxies(writer, spec.proxies);
    writer.put(spec.access_log.has_value());
    if (spec.access_log) {
        writer.put_string(spec.access_log->path);
        writer.put(spec.access_log->format);
    }
    pages.write(writer, spec);
}

EndpointSpec read_spec(WireReader& reader, PagesReader& pages) {
    EndpointSpec spec;
    spec.kind = reader.get<EndpointKind>();
    spec.address = reader.get_string();
    spec.path = reader.get_string();
    spec.method = reader.get_string();
    spec.has_handler = reader.get<bool>();
    spec.framing = reader.get<tcp::Framing>();
    spec.compression = reader.get<websocket::DeflatePolicy>();
    spec.dispatch = reader.get<Dispatch>();
    spec.limits = reader.get<ProtocolLimits>();
    spec.cancel_on_disconnect = reader.get<bool>();
    spec.stream_bodies = reader.get<bool>();
    spec.slow_client = reader.get<SlowClient>();
    spec.http1 = reader.get<bool>();
    spec.http2 = reader.get<bool>();
    if (reader.get<bool>()) spec.tls = read_tls(reader);
    spec.websocket = read_rules(reader);
    spec.socket_mode = reader.get<uint16_t>();
    spec.proxies = read_proxies(reader);
    if (reader.get<bool>()) {
        AccessLogOptions& log = spec.access_log.emplace();
        log.path = reader.get_string();
        log.format = reader.get<http::AccessFormat>();
    }
    spec.error_pages = pages.read(reader);
    return spec;
}
}  // namespace

void write_config(WireWriter& writer, const ServerConfig& config) {
    writer.put(config.mode);
    writer.put(config.workers);
    writer.put(config.least_workers);
    writer.put(config.reactors);
    writer.put(config.limits);
    writer.put_string(config.pid_file);
    writer.put_string(config.log_file);
    writer.put_string(config.temporary_folder);
    writer.put_string(config.script);
    write_strings(writer, config.watching.paths);
    write_strings(writer, config.watching.names);
    writer.put(config.watching.quiet_ms);
    writer.put(config.canary.ms);
    writer.put(config.canary.share);
    writer.put_string(config.admin.address);
    writer.put_string(config.admin.token);
    writer.put_string(config.tracing.endpoint);
    writer.put_string(config.tracing.service);
    writer.put(static_cast<uint32_t>(config.tracing.attributes.size()));
    for (const auto& [name, value] : config.tracing.attributes) {
        writer.put_string(name);
        writer.put_string(value);
    }
    writer.put_string(config.tracing.headers);
    writer.put(config.tracing.ratio);
    writer.put(config.tracing.follows_callers);
    writer.put(static_cast<uint32_t>(config.endpoints.size()));
    PagesWriter pages;
    for (const EndpointSpec& spec : config.endpoints)
        write_spec(writer, spec, pages);
    writer.put(static_cast<uint32_t>(config.services.size()));
    for (const ServiceSpec& service : config.services) {
        writer.put_string(service.name);
        writer.put(service.processes);
        writer.put(service.is_pool);
    }
}

ServerConfig read_config(WireReader& reader) {
    ServerConfig config;
    config.mode = reader.get<Mode>();
    config.workers = reader.get<unsigned>();
    config.least_workers = reader.get<unsigned>();
    config.reactors = reader.get<unsigned>();
    config.limits = reader.get<Limits>();
    config.pid_file = reader.get_string();
    config.log_file = reader.get_string();
    config.temporary_folder = reader.get_string();
    config.script = reader.get_string();
    config.watching.paths = read_strings(reader);
    config.watching.names = read_strings(reader);
    config.watching.quiet_ms = reader.get<uint32_t>();
    config.canary.ms = reader.get<uint32_t>();
    config.canary.share = reader.get<double>();
    config.admin.address = reader.get_string();
    config.admin.token = reader.get_string();
    config.tracing.endpoint = reader.get_string();
    config.tracing.service = reader.get_string();
    uint32_t count = reader.get<uint32_t>();
    for (uint32_t i = 0; i < count && reader.ok(); ++i) {
        auto& [name, value] = config.tracing.attributes.emplace_back();
        name = reader.get_string();
        value = reader.get_string();
    }
    config.tracing.headers = reader.get_string();
    config.tracing.ratio = reader.get<double>();
    config.tracing.follows_callers = reader.get<bool>();
    count = reader.get<uint32_t>();
    PagesReader pages;
    for (uint32_t i = 0; i < count && reader.ok(); ++i)
        config.endpoints.push_back(read_spec(reader, pages));
    const auto services = reader.get<uint32_t>();
    for (uint32_t i = 0; i < services && reader.ok(); ++i) {
        ServiceSpec& service = config.services.emplace_back();
        service.name = reader.get_string();
        service.processes = reader.get<unsigned>();
        service.is_pool = reader.get<bool>();
    }
    return config;
}

void write_endpoints(WireWriter& writer, const Endpoints& endpoints) {
    writer.put(static_cast<uint32_t>(endpoints.size()));
    PagesWriter pages;
    for (uint16_t id = 0; id < endpoints.size(); ++id) {
        writer.put(endpoints[id].active);
        write_spec(writer, endpoints[id].spec, pages);
    }
}

std::shared_ptr<Endpoints> read_endpoints(WireReader& reader) {
    auto endpoints = std::make_shared<Endpoints>();
    uint32_t count = reader.get<uint32_t>();
    PagesReader pages;
    for (uint32_t id = 0; id < count && reader.ok(); ++id) {
        bool active = reader.get<bool>();
        endpoints->append({read_spec(reader, pages), active});
    }
    endpoints->find_routes();
    return endpoints;
}

}  // namespace sluice
