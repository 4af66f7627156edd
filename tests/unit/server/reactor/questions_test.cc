#include "server/reactor/questions.h"

#include "fake_transport.h"

namespace sluice {
namespace {

using test::FakeTransport;

constexpr ConnectionId kOne = 1, kOther = 2;

TEST(Questions, AnswersComeInOrderOnceThereIsRoom) {
    Questions questions;
    FakeTransport transport;
    transport.accepting = false;
    questions.answer(0, 7, "part", true);
    questions.answer(0, 7, "rest");
    questions.send_answers(transport);
    EXPECT_TRUE(questions.has_answers());
    EXPECT_TRUE(transport.notified.empty());
    transport.accepting = true;
    questions.send_answers(transport);
    EXPECT_FALSE(questions.has_answers());
    ASSERT_EQ(transport.notified.size(), 2u);
    EXPECT_EQ(transport.notified[0].kind, InboundKind::kAnswer);
    EXPECT_EQ(transport.notified[0].question, 7u);
    EXPECT_TRUE(transport.notified[0].more_follow);
    EXPECT_EQ(transport.notified[0].payload, "part");
    EXPECT_FALSE(transport.notified[1].more_follow);
    EXPECT_EQ(transport.notified[1].payload, "rest");
}

TEST(Questions, WhoWaitsForRoomIsAnsweredWhenThereIsEnough) {
    Questions questions;
    FakeTransport transport;
    questions.await_room(kOne, {0, 1, 100});
    questions.await_room(kOne, {0, 2, 10});
    questions.await_room(kOther, {0, 3, 0});
    EXPECT_TRUE(questions.answer_about_room(kOne, 101));
    EXPECT_FALSE(questions.has_answers());
    EXPECT_TRUE(questions.answer_about_room(kOne, 100));
    EXPECT_FALSE(questions.answer_about_room(kOne, 0));
    questions.send_answers(transport);
    ASSERT_EQ(transport.notified.size(), 2u);
    EXPECT_EQ(transport.notified[0].question, 1u);
    EXPECT_EQ(transport.notified[1].question, 2u);
    EXPECT_EQ(questions.waiting(), 1u);
    EXPECT_FALSE(questions.answer_about_room(kOne, 0)) << "no question about this connection is left";
}

TEST(Questions, AWorkerThatIsGoneWaitsForNothing) {
    Questions questions;
    questions.answer(3, 1, "x");
    questions.answer(4, 2, "y");
    questions.await_room(kOne, {3, 3, 0});
    questions.await_room(kOther, {4, 4, 0});
    questions.worker_gone(3);
    EXPECT_EQ(questions.waiting(), 1u);
    EXPECT_FALSE(questions.answer_about_room(kOne, 0));
    FakeTransport transport;
    questions.send_answers(transport);
    ASSERT_EQ(transport.notified.size(), 1u);
    EXPECT_EQ(transport.notified[0].worker, 4);
}

TEST(Questions, AreBoundedForEachWorker) {
    Questions questions;
    for (size_t i = 0; i < 2 * Questions::kMostWaiting; ++i)
        questions.await_room(kOne + i % 100, {0, static_cast<uint32_t>(i), 0});
    EXPECT_EQ(questions.waiting(), Questions::kMostWaiting);
    questions.await_room(kOne, {1, 1, 0});
    EXPECT_EQ(questions.waiting(), Questions::kMostWaiting + 1) << "another worker has a share of its own";
    questions.worker_gone(0);
    EXPECT_EQ(questions.waiting(), 1u);
    questions.await_room(kOne, {0, 1, 0});
    EXPECT_EQ(questions.waiting(), 2u);

    const std::string part(65536, 'x');
    for (size_t i = 0; i < Questions::kMostAnswerBytes / part.size() + 10; ++i)
        questions.answer(0, static_cast<uint32_t>(i), part);
    for (size_t i = 0; i < 2 * Questions::kMostAnswers; ++i)
        questions.answer(1, static_cast<uint32_t>(i), "");
    questions.answer(2, 1, part);
    FakeTransport transport;
    questions.send_answers(transport);
    EXPECT_EQ(transport.notified.size(),
              Questions::kMostAnswerBytes / part.size() + Questions::kMostAnswers + 1);
    questions.answer(0, 1, "again");
    EXPECT_TRUE(questions.has_answers());
}

TEST(Questions, AnAnswerThatLosesAPartIsLostWhole) {
    Questions questions;
    const std::string most(Questions::kMostAnswerBytes, 'x');
    questions.answer(0, 1, std::string_view(most).substr(10));
    questions.answer(0, 2, "123456", true);
    questions.answer(0, 2, "123456", true);
    questions.answer(0, 2, "1");
    questions.answer(0, 3, "1");
    FakeTransport transport;
    questions.send_answers(transport);
    ASSERT_EQ(transport.notified.size(), 3u);
    EXPECT_EQ(transport.notified[1].question, 2u);
    EXPECT_TRUE(transport.notified[1].more_follow);
    EXPECT_EQ(transport.notified[2].question, 3u) << "the end of the second answer is lost with its middle";
}

}  // namespace
}  // namespace sluice
