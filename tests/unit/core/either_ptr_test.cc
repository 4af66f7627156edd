#include "core/either_ptr.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

struct Counted {
    explicit Counted(int& alive) : alive_(alive) { ++alive_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --alive_; }

  private:
    int& alive_;
};
struct One : Counted {
    using Counted::Counted;
};
struct Other : Counted {
    using Counted::Counted;
};

TEST(EitherPtr, HasNothingAtFirst) {
    const EitherPtr<One, Other> either;
    EXPECT_EQ(either.first(), nullptr);
    EXPECT_EQ(either.second(), nullptr);
}

TEST(EitherPtr, TellsWhichOfThemItHas) {
    int alive = 0;
    EitherPtr<One, Other> either;
    auto one = std::make_unique<One>(alive);
    const One* const is_one = one.get();
    either = std::move(one);
    EXPECT_EQ(either.first(), is_one);
    EXPECT_EQ(either.second(), nullptr);

    auto other = std::make_unique<Other>(alive);
    const Other* const is_other = other.get();
    either = std::move(other);
    EXPECT_EQ(either.first(), nullptr);
    EXPECT_EQ(either.second(), is_other);
    EXPECT_EQ(alive, 1);
}

TEST(EitherPtr, DestroysWhatItHas) {
    int ones = 0, others = 0;
    {
        EitherPtr<One, Other> either;
        either = std::make_unique<One>(ones);
        either.reset();
        EXPECT_EQ(ones, 0);
        either = std::make_unique<Other>(others);
        either = std::unique_ptr<Other>();
        EXPECT_EQ(others, 0);
        EXPECT_EQ(either.second(), nullptr);
        either = std::make_unique<Other>(others);
        EXPECT_EQ(others, 1);
    }
    EXPECT_EQ(others, 0);
}

}  // namespace
}  // namespace sluice
