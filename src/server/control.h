#pragma once

#include <cstdint>

namespace sluice {

/// First byte of each message on a ControlChannel.
enum class Control : uint8_t {
    // master → worker
    kStop = 1,  ///< process mode: end now; base mode: drain, then end
    // worker → master
    kReady,  ///< i32 pid
    kWantReload,
    kWantStop,
    // master → generation
    kFork,    ///< u32 slot, u32 lane, u32 generation, endpoint ids, addresses; descriptors: see generation.cc
    kRetire,  ///< no more forks; end when the last worker has ended
    // generation → master
    kBooted,  ///< the manifest
    kForked,  ///< u32 slot, i32 pid
    kExited,  ///< u32 slot, i32 pid, i32 status as of waitpid
    // master → reactor
    kWorkerReady,     ///< u32 slot
    kWorkerDraining,  ///< u32 slot
    kWorkerGone,      ///< u32 slot
    kEndpoints,       ///< the table
    kAddListener,     ///< u16 endpoint; descriptors: one for each reactor
    kRemoveListener,  ///< u16 endpoint
    kShutDown,        ///< drain, then end
    // reactor → master
    kWorkerDrained,    ///< u32 slot
    kWorkerForgotten,  ///< u32 slot: its slot may be given to another one
    kWorkerCorrupt,    ///< u32 slot
    kEmpty,            ///< after kShutDown: no connection is left
};

}  // namespace sluice
