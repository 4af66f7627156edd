#pragma once

#include "server/worker_port.h"

namespace sluice::php {

/// Base mode: messages are received straight into fresh PHP strings.
class StringAllocator final : public MessageAllocator {
  public:
    char* allocate(size_t bytes) override;
    bool has_room(size_t bytes) override;
    void free(char* payload) override;
};

}  // namespace sluice::php
