#include "io/mapping_budget.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace sluice {
namespace {

TEST(MappingBudgets, AreTheKernels) {
    const MappingBudget budget = MappingBudget::of_process();
    EXPECT_GE(budget.most, 1000u);
    EXPECT_GT(budget.used, 10u);
    EXPECT_LT(budget.used, budget.most);
}

TEST(MappingBudgets, CountWhatIsMapped) {
    const size_t before = MappingBudget::of_process().used;
    std::vector<char*> stacks;
    for (int i = 0; i < 1000; ++i) {
        void* pages = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(pages, MAP_FAILED);
        ASSERT_EQ(mprotect(pages, 4096, PROT_NONE), 0);
        stacks.push_back(static_cast<char*>(pages));
    }
    EXPECT_GE(MappingBudget::of_process().used, before + 1900) << "a stack takes two mappings";
    for (char* pages : stacks)
        munmap(pages, 8192);
}

TEST(MappingBudgets, LeaveRoomForTheRest) {
    EXPECT_EQ((MappingBudget{65530, 506}.stacks()), 32'000u);
    EXPECT_EQ((MappingBudget{1000, 900}.stacks()), 1u) << "there is always room for one stack";
    EXPECT_EQ((MappingBudget{0, 0}.stacks()), SIZE_MAX);
}

}  // namespace
}  // namespace sluice
