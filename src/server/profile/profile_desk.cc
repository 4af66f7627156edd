#include "server/profile/profile_desk.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/shared_memory.h"

namespace sluice {

uint32_t ProfileDesk::ask(ProfileKind what, uint64_t until) {
    until_ms.store(until, std::memory_order_relaxed);
    bytes.store(0, std::memory_order_relaxed);
    const uint32_t number = asked.load(std::memory_order_relaxed) / kKinds + 1;
    const uint32_t question = number * kKinds + static_cast<uint32_t>(what);
    asked.store(question, std::memory_order_release);
    wake();
    return question;
}

std::string_view ProfileDesk::answer() const {
    return {record, std::min<size_t>(bytes.load(std::memory_order_relaxed), kMostRecordBytes)};
}

void ProfileDesk::forget() {
    ask(ProfileKind{}, 0);
    give_pages_back(record, kMostRecordBytes);
}

void ProfileDesk::wait_for_question(uint32_t known, uint32_t most_ms) {
    const timespec most = {most_ms / 1000, static_cast<long>(most_ms % 1000) * 1'000'000};
    syscall(SYS_futex, &asked, FUTEX_WAIT, known, &most, nullptr, 0);
}

void ProfileDesk::wake() {
    syscall(SYS_futex, &asked, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void ProfileDesk::give_answer(uint32_t question, std::string_view text) {
    if (asked.load(std::memory_order_acquire) != question) return;
    const size_t size = text.size() <= kMostRecordBytes ? text.size() : 0;
    memcpy(record, text.data(), size);
    bytes.store(static_cast<uint32_t>(size), std::memory_order_relaxed);
    answered.store(question, std::memory_order_release);
}

}  // namespace sluice
