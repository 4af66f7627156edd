#include "io/thread_pool.h"

#include <cerrno>
#include <pthread.h>
#include <sys/eventfd.h>

#include "core/helper_thread.h"
#include "io/stay_loaded.h"

namespace sluice {

namespace {

constexpr size_t kStackBytes = 512 * 1024;  // the resolver puts answers of 64 KiB on it

ThreadPool* of_this_process = nullptr;

}  // namespace

struct ThreadPool::Shared {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t more = PTHREAD_COND_INITIALIZER;
    ThreadJob* first = nullptr;
    ThreadJob** end = &first;
    size_t threads = 0;
    size_t idle = 0;
    size_t queued = 0;
};

ThreadPool& ThreadPool::of_process() {
    if (!of_this_process) {
        static bool first = true;
        if (first) {
            first = false;
            stay_loaded();
            // The parent's pool is leaked in the child: its threads are missing, its locks perhaps held.
            pthread_atfork(nullptr, nullptr, [] { of_this_process = nullptr; });
        }
        of_this_process = new ThreadPool;
        of_this_process->shared_ = new Shared;
    }
    return *of_this_process;
}

bool ThreadPool::give(ThreadJob& job) {
    job.done_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!job.done_) return false;
    Shared& shared = *shared_;
    pthread_mutex_lock(&shared.lock);
    const bool wants_thread = shared.idle <= shared.queued && shared.threads < kMostThreads;
    if (wants_thread && !begin_thread() && shared.threads == 0) {
        pthread_mutex_unlock(&shared.lock);
        errno = EAGAIN;
        return false;
    }
    job.add_ref();
    job.next_ = nullptr;
    *shared.end = &job;
    shared.end = &job.next_;
    ++shared.queued;
    pthread_cond_signal(&shared.more);
    pthread_mutex_unlock(&shared.lock);
    return true;
}

/// Called with the lock held.
bool ThreadPool::begin_thread() {
    pthread_t thread;
    if (begin_helper_thread<&ThreadPool::work>(thread, kStackBytes, *this) != 0) return false;
    pthread_detach(thread);
    ++shared_->threads;
    return true;
}

void ThreadPool::work() {
    Shared& shared = *shared_;
    pthread_mutex_lock(&shared.lock);
    for (;;) {
        while (!shared.first) {
            ++shared.idle;
            pthread_cond_wait(&shared.more, &shared.lock);
            --shared.idle;
        }
        ThreadJob* job = shared.first;
        shared.first = job->next_;
        if (!shared.first) shared.end = &shared.first;
        --shared.queued;
        pthread_mutex_unlock(&shared.lock);
        job->run();
        eventfd_write(job->done_.get(), 1);
        job->drop_ref();
        pthread_mutex_lock(&shared.lock);
    }
}

}  // namespace sluice
