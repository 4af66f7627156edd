#pragma once

#include <string>
#include <vector>

#include "shared/named_memories.h"

namespace sluice {

class MetricsText;

/// The tables and counters that the application shares, as the observer sees them in their memory. It takes
/// no lock of theirs, so it never waits for who changes them.
class SharedStructures {
  public:
    explicit SharedStructures(std::vector<NamedMemories::Item> memories);

    void write(MetricsText& text) const;

  private:
    struct Structure {
        std::string name;
        SharedMemory memory;
    };

    std::vector<Structure> structures_;  ///< by name
};

}  // namespace sluice
