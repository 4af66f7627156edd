#pragma once

namespace sluice::php {

/// PHP's command line sets some settings, whatever php.ini says, which a server must not have: no buffer for
/// output, no time limit. Gives them the values of php.ini, or PHP's defaults, for the rest of this process.
/// To be called between two requests of PHP. What the command line itself was given (`-d`) stays.
void take_ini_of_servers();

/// What php.ini says of `output_buffering`, for servers; 0: output is not buffered.
bool servers_buffer_output();

}  // namespace sluice::php
