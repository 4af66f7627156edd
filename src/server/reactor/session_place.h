#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <utility>

#include "server/reactor/session.h"

namespace sluice {

/// Stores a connection's session in the connection itself, so that an idle connection costs no further
/// memory. There always is one; the first one takes no input.
class SessionPlace {
  public:
    static constexpr size_t kMostBytes = 80;

    SessionPlace();
    SessionPlace(const SessionPlace&) = delete;
    SessionPlace& operator=(const SessionPlace&) = delete;
    ~SessionPlace() { (**this).~Session(); }

    /// Destroys the current session, which must not touch itself any more.
    template <typename T, typename... Args>
    T& emplace(Args&&... args) {
        (**this).~Session();
        return place<T>(std::forward<Args>(args)...);
    }

    Session& operator*() { return *std::launder(reinterpret_cast<Session*>(bytes_)); }
    const Session& operator*() const { return *std::launder(reinterpret_cast<const Session*>(bytes_)); }
    Session* operator->() { return &**this; }
    const Session* operator->() const { return &**this; }

  private:
    template <typename T, typename... Args>
    T& place(Args&&... args) {
        static_assert(sizeof(T) <= kMostBytes && alignof(T) <= alignof(void*),
                      "a connection has no room for it");
        T* session = new (bytes_) T(std::forward<Args>(args)...);
        assert(static_cast<void*>(static_cast<Session*>(session)) == bytes_ && "Session is its first base");
        return *session;
    }

    alignas(void*) std::byte bytes_[kMostBytes];
};

}  // namespace sluice
