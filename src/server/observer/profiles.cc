#include "server/observer/profiles.h"

#include <charconv>
#include <optional>
#include <vector>

#include "core/clock.h"
#include "server/observer/observer.h"
#include "server/profile/profile_formats.h"

namespace sluice {

namespace {

constexpr unsigned kUsualSeconds = 30, kMostSeconds = 600;
/// How long after a profile's end its answers are awaited.
constexpr uint64_t kGraceMs = 2500;
constexpr uint64_t kLookMs = 20;
constexpr size_t kMostBytes = 64 << 20;

enum class Format : uint8_t { kPprof, kFolded, kSpeedscope };

struct KindOfProfile {
    ProfileKind kind;
    std::string_view name;
    std::vector<ValueType> types;
    ValueType period_type = {};
    uint64_t period = 0;
};

std::optional<Format> format_of(std::string_view text) {
    if (text.empty() || text == "pprof") return Format::kPprof;
    if (text == "folded") return Format::kFolded;
    if (text == "speedscope") return Format::kSpeedscope;
    return std::nullopt;
}

/// A profile that is being taken.
class PendingProfile final : public PendingAnswer {
  public:
    PendingProfile(Observer& observer, KindOfProfile kind, Format format, uint64_t seconds)
        : layout_(observer.layout()),
          kind_(std::move(kind)),
          format_(format),
          begun_us_(wall_clock_us()),
          until_ms_(monotonic_ms() + seconds * 1000),
          duration_ns_(seconds * 1'000'000'000),
          merged_(kind_.types, kMostBytes) {
        is_taken = true;
        for (unsigned slot = 0; slot < layout_.shape().worker_slots; ++slot)
            open_.push_back(layout_.profile_desk(slot).ask(kind_.kind, until_ms_));
        due_ms_ = until_ms_ + kLookMs;
    }
    ~PendingProfile() override {
        is_taken = false;
        for (unsigned slot = 0; slot < layout_.shape().worker_slots; ++slot)
            layout_.profile_desk(slot).forget();
    }

    uint64_t due_ms() const override { return due_ms_; }
    std::optional<AdminResponse> ask(uint64_t now_ms) override {
        unsigned missing = 0;
        for (unsigned slot = 0; slot < layout_.shape().worker_slots; ++slot) {
            if (open_[slot] == 0) continue;
            if (layout_.profile_desk(slot).has_answer(open_[slot])) {
                add(slot);
            } else if (layout_.worker(slot).alive.load(std::memory_order_relaxed)) {
                ++missing;
            }
        }
        if (missing > 0 && now_ms < until_ms_ + kGraceMs) {
            due_ms_ = now_ms + kLookMs;
            return std::nullopt;
        }
        if (missing > 0)
            comments_.push_back(std::to_string(missing) +
                                " of the server's processes did not answer in time");
        return response();
    }

    static inline bool is_taken = false;  ///< there is one of these

  private:
    void add(unsigned slot) {
        open_[slot] = 0;
        // A copy, for its process may still write there.
        const std::string record(layout_.profile_desk(slot).answer());
        const bool is_service = slot >= layout_.shape().first_service_slot();
        const std::string number =
            std::to_string(layout_.worker(slot).number.load(std::memory_order_relaxed));
        const ProfileLabel label{is_service ? "service" : "worker", number};
        if (!merged_.add_record(record, {&label, 1}))
            comments_.push_back(std::string(label.key) + " " + number + " has answered what is no profile");
    }

    AdminResponse response() const {
        AdminResponse response;
        switch (format_) {
            case Format::kPprof:
                response.type = "application/octet-stream";
                response.fields =
                    "Content-Disposition: attachment; filename=\"" + std::string(kind_.name) + ".pb.gz\"\r\n";
                response.body = to_pprof(merged_, {.begun_ns = begun_us_ * 1000,
                                                   .duration_ns = duration_ns_,
                                                   .period_type = kind_.period_type,
                                                   .period = kind_.period,
                                                   .comments = comments_});
                break;
            case Format::kFolded: response.body = to_folded(merged_); break;
            case Format::kSpeedscope:
                response.type = "application/json";
                response.body = to_speedscope(merged_, kind_.name);
                break;
        }
        return response;
    }

    const SharedLayout& layout_;
    const KindOfProfile kind_;
    const Format format_;
    const uint64_t begun_us_;
    const uint64_t until_ms_;
    const uint64_t duration_ns_;
    uint64_t due_ms_ = 0;
    std::vector<uint32_t> open_;  ///< by slot: the question; 0: answered
    std::vector<std::string> comments_;
    Profile merged_;
};

AdminAnswer take(Observer& observer, const AdminRequest& request, KindOfProfile kind, bool lasts) {
    const std::optional<Format> format = format_of(request.parameter("format"));
    if (!format)
        return AdminResponse::problem(
            400, "The format \"" + std::string(request.parameter("format")) +
                     "\" is not known: there are pprof, which is the default, folded and speedscope");
    const std::string_view text = request.parameter("seconds");
    unsigned seconds = lasts ? kUsualSeconds : 0;
    if (lasts && !text.empty()) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (error != std::errc{} || end != text.data() + text.size() || seconds < 1 || seconds > kMostSeconds)
            return AdminResponse::problem(400, "seconds=" + std::string(text) +
                                                   " is not a whole number from 1 to " +
                                                   std::to_string(kMostSeconds));
    }
    if (PendingProfile::is_taken)
        return AdminResponse::problem(409, "Another profile is being taken, and there is one at a time");
    return std::unique_ptr<PendingAnswer>(
        std::make_unique<PendingProfile>(observer, std::move(kind), *format, seconds));
}

constexpr std::string_view kIndex =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>/debug/pprof/</title>"
    "<h1>Profiles</h1><dl>"
    "<dt><a href=\"profile?seconds=30\">profile</a><dd>CPU: where PHP code computes, 100 samples a second"
    "<dt><a href=\"wait?seconds=30\">wait</a><dd>how long coroutines are suspended, where and for what"
    "<dt><a href=\"heap?seconds=30\">heap</a><dd>what allocates memory, and what is still there at the "
    "end"
    "<dt><a href=\"coroutine\">coroutine</a><dd>all coroutines of this moment"
    "</dl><p>As <code>profile.proto</code> for <code>go tool pprof</code>, Pyroscope and Alloy; with "
    "<code>format=folded</code> and <code>format=speedscope</code> for flame graphs.</html>\n";

}  // namespace

AdminAnswer answer_profile_index(Observer&, const AdminRequest&) {
    return AdminResponse{200, "text/html; charset=utf-8", std::string(kIndex), {}};
}

AdminAnswer answer_cpu_profile(Observer& observer, const AdminRequest& request) {
    return take(observer, request,
                {ProfileKind::kCpu,
                 "profile",
                 {{"samples", "count"}, {"cpu", "nanoseconds"}},
                 {"cpu", "nanoseconds"},
                 10'000'000},
                true);
}

AdminAnswer answer_wait_profile(Observer& observer, const AdminRequest& request) {
    return take(observer, request,
                {ProfileKind::kWait, "wait", {{"waits", "count"}, {"suspended", "nanoseconds"}}}, true);
}

AdminAnswer answer_heap_profile(Observer& observer, const AdminRequest& request) {
    return take(observer, request,
                {ProfileKind::kHeap,
                 "heap",
                 {{"alloc_objects", "count"},
                  {"alloc_space", "bytes"},
                  {"inuse_objects", "count"},
                  {"inuse_space", "bytes"}},
                 {"space", "bytes"},
                 kHeapSampleBytes},
                true);
}

AdminAnswer answer_coroutine_profile(Observer& observer, const AdminRequest& request) {
    return take(observer, request,
                {ProfileKind::kCoroutine, "coroutine", {{"age", "nanoseconds"}, {"coroutines", "count"}}},
                false);
}

}  // namespace sluice
