#include "server/seam/script_processes.h"

#include <csignal>
#include <unistd.h>

namespace sluice {

ScriptProcesses::ScriptProcesses(std::shared_ptr<const ScriptBoard> board, std::vector<UniqueFd> sockets,
                                 UniqueFd freed, UniqueFd teller)
    : board_(std::move(board)), freed_(std::move(freed)), teller_(std::move(teller)), worker_(getpid()) {
    for (UniqueFd& socket : sockets)
        links_.emplace_back(std::move(socket));
}

ScriptProcesses::Claim ScriptProcesses::claim() {
    if (++claims_ == 0) ++claims_;
    Claim claim{0, ScriptBoard::number_of(worker_, claims_)};
    claim.place = board_->claim(claim.number);
    const bool is_claimed = claim.place < board_->size();
    if (is_claimed) claim.link = &links_[claim.place];
    if ((!is_claimed || !board_->has_free()) && board_->has_place()) [[maybe_unused]]
        const ssize_t told = write(teller_.get(), "", 1);
    return claim;
}

void ScriptProcesses::release(const Claim& claim, bool clean) {
    if (!clean) {
        // What the process says, or was told, is of this request. Another process gets its cell.
        board_->cell(claim.place).ends.store(true);
        kill_process(claim);
        claim.link->drop();
    }
    board_->release(claim.place);
    if (!clean) [[maybe_unused]]
        const ssize_t told = write(teller_.get(), "", 1);
    if (board_->waiting() == 0) return;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(freed_.get(), &one, sizeof one);
}

void ScriptProcesses::kill_process(const Claim& claim) const {
    const ScriptCell& cell = board_->cell(claim.place);
    const pid_t process = cell.pid.load();
    if (process > 0 && cell.request.load() == claim.number) kill(process, SIGKILL);
}

void ScriptProcesses::take_freed() {
    uint64_t count;
    [[maybe_unused]] const ssize_t got = read(freed_.get(), &count, sizeof count);
}

}  // namespace sluice
