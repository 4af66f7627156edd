#pragma once

namespace sluice::log {

enum class Level;

/// How this process, and those that it forks, write lines: as text, or each as a JSON object with `time`
/// (RFC 3339), `level`, `process`, `pid` and `message`, and `trace_id` and `span_id` where it concerns a
/// request. Lines below `least` are not written.
void set_format(bool json, Level least);

/// The same text again and again is written kRepeats times within kRepeatMs; then it is counted, and the
/// count is written before the next line that is not counted: another text, or this one after kRepeatMs.
/// Metrics tell the count at once.
inline constexpr unsigned kRepeats = 5;
inline constexpr unsigned kRepeatMs = 1000;

}  // namespace sluice::log
