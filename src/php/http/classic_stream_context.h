#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// The default stream context of a request that has asked for it or set it. Zero bytes are that of one that
/// has not, which uses the outside's.
class ClassicStreamContext {
  public:
    /// Gives the request a copy of the outside's.
    void note();
    void set_aside();
    void put_in_place();
    /// Frees it, while it is set aside.
    void release();

  private:
    bool is_own_;
    php_stream_context* kept_;  ///< while it is set aside
};

}  // namespace sluice::php
