#pragma once

#include <cstdint>

namespace sluice {

/// First byte of each message on a ControlChannel.
enum class Control : uint8_t {
    // master → worker
    kStop = 1,  ///< u32 ms left for what has begun: end, in base mode after draining
    kLeave,     ///< no new work comes: whatever could go on for ever is to end
    // worker → master
    kReady,
    kWantReload,
    kWantStop,
    kWantReplacement,  ///< the worker drains, and another one is to take its place
    kWantSuccessor,    ///< the worker drains once another one is ready
    // master → generation
    kFork,    ///< see Master::start_worker and Generation::become_worker
    kRetire,  ///< fork no more, and end when the last worker has ended
    // generation → master
    kBooted,  ///< the manifest
    kForked,  ///< u32 slot, i32 pid
    kExited,  ///< u32 slot, i32 pid, i32 status as of waitpid
    // master → reactor
    kWorkerReady,     ///< u32 slot, WorkerTakes, its name for the log; descriptors: for each reactor an
                      ///< FdChannel
                      ///< to it
    kWorkerDraining,  ///< u32 slot
    kWorkerGone,      ///< u32 slot
    kEndpoints,    ///< bool begins a switch: this and what follows take effect together at its end; the table
    kAddListener,  ///< u16 endpoint; descriptors: one for each reactor
    kRemoveListener,  ///< u16 endpoint
    kShutDown,        ///< drain, then end
    kEndSwitch,       ///< u32 generation
    kCanary,  ///< u32 generation that is tried out, double share of the requests; 0: it gets no more of them
    kEndCanary,   ///< its workers, except those that drain, take all messages
    kReopenLogs,  ///< to everybody: the log and access logs may have been renamed
    // reactor → master
    kWorkerDrained,    ///< u32 slot
    kWorkerForgotten,  ///< u32 slot: the slot may be given to another worker
    kWorkerCorrupt,    ///< u32 slot
    kEmpty,            ///< after kShutDown: no connection is left
    kSwitched,         ///< u32 generation: the switch to it has taken effect in all threads
    // observer → master: kWantReload, kWantStop; master → observer: kEndpoints, kReopenLogs
    kReloads,        ///< a ReloadReport
    kServices,       ///< a ServiceReport
    kNamedMemories,  ///< the names; descriptors: the memories
    // master → generation
    kMemory,  ///< a SharedLayout::Shape; descriptor: memory of this shape, for the workers from now on
};

}  // namespace sluice
