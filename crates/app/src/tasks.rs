//! What goes on in the background.

use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// Runs tasks in the background, and knows whether any is at work. A copy runs them in the same place.
#[derive(Clone)]
pub struct Tasks {
    runtime: Handle,
    /// Empty while nothing in the background is at work: what only waits is not in it.
    pub tracker: TaskTracker,
}

impl Tasks {
    /// On this runtime.
    pub(crate) fn new(runtime: Handle) -> Self {
        Self { runtime, tracker: TaskTracker::new() }
    }

    /// Goes on in the background, at work until it has ended.
    pub(crate) fn spawn<Done: Send + 'static>(
        &self,
        work: impl Future<Output = Done> + Send + 'static,
    ) -> JoinHandle<Done> {
        self.tracker.spawn_on(work, &self.runtime)
    }

    /// Goes on in the background and waits most of the time. It is at work while it holds something that is
    /// tracked ([`Tasks::track`]).
    pub(crate) fn spawn_waiting(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// The same service, by a reference that counts as work until it is dropped.
    pub(crate) fn track<Service>(&self, service: Arc<Service>) -> TrackedArc<Service> {
        TrackedArc { service, _token: self.tracker.token() }
    }
}

/// A reference to a service that something in the background works with.
pub(crate) struct TrackedArc<Service> {
    // Dropped before the token: what is not at work keeps nothing open.
    service: Arc<Service>,
    _token: TaskTrackerToken,
}

impl<Service> Deref for TrackedArc<Service> {
    type Target = Arc<Service>;

    fn deref(&self) -> &Arc<Service> {
        &self.service
    }
}
