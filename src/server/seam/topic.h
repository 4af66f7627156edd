#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

/// Longest name of a topic, and longest prefix.
inline constexpr size_t kMaxTopicBytes = 255;

/// What a subscription names: one topic, or all topics with a prefix. Travels in answers to
/// command::ListTopics.
enum class TopicMatch : uint8_t { kExact, kPrefix };

}  // namespace sluice
