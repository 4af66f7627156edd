#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "php/zend/php_api.h"

namespace sluice::php {

/// All values that some places of a process lead to, as they are at one moment, and what has changed since
/// the moment before. The graph keeps no value alive. Services in the containers of Symfony and Laravel, and
/// what they keep, are named by the ids of the services: `the service "app.cart", ->items`.
///
/// Calls PHP, where memory may run out, so the graph stands in a PHP object and not on the stack.
class ValueGraph {
  public:
    struct Change {
        std::string place;
        std::string was;
        std::string is;
        std::string at;  ///< where code has written to it: `/a.php:3`; empty: unknown
    };

    ValueGraph();
    ~ValueGraph();
    ValueGraph(const ValueGraph&) = delete;
    ValueGraph& operator=(const ValueGraph&) = delete;

    /// Begins another moment: add_root() then names its roots, and look() finds the rest.
    void begin();
    /// A place that values are reached from. `tell_new`: a root that the moment before did not have is a
    /// change.
    /// `thing`: its number for WriteWatch; 0: a reference has it.
    void add_root(std::string name, const zval& value, bool tell_new, uint64_t thing);
    /// Goes through all values. False when there were too many.
    bool look();
    /// Compares with the moment before. Empty at the first moment.
    const std::vector<Change>& compare();

  private:
    static constexpr uint32_t kNone = UINT32_MAX;

    /// What is written to when a value changes, by the numbers of write_watch.h; 0: nothing.
    struct Written {
        uint64_t thing = 0;
        uint64_t reference = 0;

        std::string at() const;
    };
    struct Value {
        std::string step;  ///< what its container's name is followed by
        uint64_t content = 0;
        const zend_class_entry* class_entry = nullptr;
        uint32_t count = 0;      ///< elements of an array, bytes of a string
        uint32_t group = kNone;  ///< the values that stand in this one
        uint8_t type = IS_UNDEF;
        bool tell_new = true;
        bool is_service = false;  ///< its step is the id of a service
        Written written;          ///< of an element of an array: nothing, unless it is a reference
    };
    /// What stands in an array or an object.
    struct Group {
        uint32_t first = 0;
        uint32_t count = 0;
        uint32_t kept = 0;          ///< values of an object without a name in PHP
        bool is_list = false;       ///< of an array: its number of elements says enough
        bool is_expanded = false;   ///< false: there were too many values
        bool has_services = false;  ///< an array of a container's services, by id
        std::string service = {};   ///< of an object: its name as a service; empty: it is none
    };
    struct Moment {
        std::vector<Value> values;
        std::vector<Group> groups;
    };
    struct Pair {
        uint32_t was;
        uint32_t is;
        std::string place;
        Written written;  ///< when an element changes
        bool is_service = false;
    };

    void add(std::string step, zval value, uint64_t thing, bool tell_new = true);
    void expand(uint32_t group, zval container);
    void expand_array(HashTable* array, const char* before, const char* after, uint64_t thing);
    /// Returns how many values the object keeps that have no name in PHP.
    uint32_t expand_object(zend_object* object);
    uint64_t serial_of(zend_object* object);
    /// The values from `first` on are services.
    void name_services(uint32_t first);
    /// The name of a value as a service; empty: it is none.
    std::string service_of(const Value& value) const;
    std::string place_of(const Value& value, const Pair& holder) const;
    void compare_groups(const Pair& pair);
    void compare_values(const Value& was, const Value& is, const Pair& holder);
    static std::string describe(const Moment& moment, const Value& value);

    Moment before_;
    Moment now_;
    std::vector<std::pair<zval, uint32_t>> ahead_;  ///< containers still to be expanded, with their groups
    std::unordered_map<const void*, uint32_t> met_;
    std::unordered_map<const zend_object*, uint64_t> serials_;
    HashTable alive_;  ///< objects that have a serial: PHP takes them out when they are freed
    uint64_t last_serial_ = 0;
    std::vector<Pair> pairs_;
    std::unordered_set<uint64_t> compared_;
    std::vector<Change> changes_;
};

}  // namespace sluice::php
