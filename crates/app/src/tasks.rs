//! Background tasks.

use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Runs background tasks and counts the active ones. A clone shares the counter.
#[derive(Clone)]
pub struct Tasks {
    runtime: Handle,
    /// Tracks the active tasks; waiting ones are not in it.
    pub tracker: TaskTracker,
}

impl Tasks {
    /// Tasks on this runtime.
    pub(crate) fn new(runtime: Handle) -> Self {
        Self { runtime, tracker: TaskTracker::new() }
    }

    /// Runs a task that is active until it ends.
    pub(crate) fn spawn<Done: Send + 'static>(
        &self,
        work: impl Future<Output = Done> + Send + 'static,
    ) -> JoinHandle<Done> {
        self.tracker.spawn_on(work, &self.runtime)
    }

    /// Runs a task that mostly waits. It is active while it holds a tracked reference ([`Tasks::track`]).
    pub(crate) fn spawn_waiting(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// A reference to a service that counts as active work until it is dropped.
    pub(crate) fn track<Service>(&self, service: Arc<Service>) -> TrackedArc<Service> {
        TrackedArc { service, _token: self.tracker.token() }
    }
}

/// A reference to a service that an active task uses.
pub(crate) struct TrackedArc<Service> {
    // Field order matters: the service is dropped before the token, so that an idle task keeps nothing open.
    service: Arc<Service>,
    _token: TaskTrackerToken,
}

impl<Service> Deref for TrackedArc<Service> {
    type Target = Arc<Service>;

    fn deref(&self) -> &Arc<Service> {
        &self.service
    }
}
