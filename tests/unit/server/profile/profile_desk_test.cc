#include "server/profile/profile_desk.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

#include "core/shared_memory.h"

namespace sluice {
namespace {

struct Desk {
    SharedMemory memory = SharedMemory::create("desk", sizeof(ProfileDesk));
    ProfileDesk& desk = *reinterpret_cast<ProfileDesk*>(memory.data());
};

TEST(ProfileDesk, AsksAndAnswers) {
    Desk one;
    std::thread worker([&] {
        while (one.desk.asked.load() == 0)
            one.desk.wait_for_question(0, 1000);
        EXPECT_EQ(ProfileDesk::kind_of(one.desk.asked.load()), ProfileKind::kWait);
        EXPECT_EQ(one.desk.until_ms.load(), 17u);
        one.desk.give_answer(one.desk.asked.load(), "a record");
    });
    const uint32_t question = one.desk.ask(ProfileKind::kWait, 17);
    worker.join();
    ASSERT_TRUE(one.desk.has_answer(question));
    EXPECT_EQ(one.desk.answer(), "a record");
}

TEST(ProfileDesk, TakesNoAnswerToAQuestionThatWasGivenUp) {
    Desk one;
    const uint32_t question = one.desk.ask(ProfileKind::kCpu, 1);
    one.desk.forget();
    const uint32_t next = one.desk.ask(ProfileKind::kCoroutine, 1);
    EXPECT_EQ(ProfileDesk::kind_of(question), ProfileKind::kCpu);
    EXPECT_EQ(ProfileDesk::kind_of(next), ProfileKind::kCoroutine);
    one.desk.give_answer(question, "late");
    EXPECT_FALSE(one.desk.has_answer(question));
    EXPECT_FALSE(one.desk.has_answer(next));
    one.desk.give_answer(next, std::string(ProfileDesk::kMostRecordBytes, 'x'));
    EXPECT_EQ(one.desk.answer().size(), ProfileDesk::kMostRecordBytes);
}

TEST(ProfileDesk, AnAnswerIsNeverLongerThanItsRoom) {
    Desk one;
    const uint32_t question = one.desk.ask(ProfileKind::kCpu, 1);
    one.desk.give_answer(question, std::string(ProfileDesk::kMostRecordBytes + 1, 'x'));
    EXPECT_TRUE(one.desk.has_answer(question));
    EXPECT_EQ(one.desk.answer(), "");
    // A worker may write anything.
    one.desk.bytes.store(UINT32_MAX);
    EXPECT_EQ(one.desk.answer().size(), ProfileDesk::kMostRecordBytes);
}

TEST(ProfileDesk, AWaitEndsWithoutAQuestion) {
    Desk one;
    std::atomic<bool> over = false;
    std::thread worker([&] {
        one.desk.wait_for_question(0, 60'000);
        over = true;
    });
    while (!over)
        one.desk.wake();
    worker.join();
}

}  // namespace
}  // namespace sluice
