#pragma once

namespace sluice::php {

/// Changes what `ps` shows for this process, as cli_set_process_title() does; does nothing on failure.
void set_process_title(const char* title);

}  // namespace sluice::php
