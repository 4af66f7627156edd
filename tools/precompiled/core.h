// The headers of others that more than a few files below src include. They are compiled once and read by every file, which still
// includes what it uses: phpize, the fuzzers and src/php with sanitisers are compiled without.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#include <zlib.h>
