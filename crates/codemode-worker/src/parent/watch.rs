//! The thread that sees pipes of workers end while nobody reads from them: one a process.

#[cfg(target_os = "linux")]
pub(super) use linux::{Watched, watch};

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{Watched, watch};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::fs::File;
    use std::os::fd::OwnedFd;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

    use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

    use super::super::life::Life;

    struct Watch {
        descriptor: OwnedFd,
        lives: Mutex<HashMap<u64, Weak<Life>>>,
        last: AtomicU64,
    }

    impl Watch {
        fn lives(&self) -> MutexGuard<'_, HashMap<u64, Weak<Life>>> {
            self.lives.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn listen(&self) {
            let mut events = Vec::with_capacity(64);
            loop {
                events.clear();
                match epoll::wait(&self.descriptor, rustix::buffer::spare_capacity(&mut events), None) {
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => {
                        tracing::error!(%error, "deaths of workers are seen late from now on");
                        return;
                    }
                }
                for event in &events {
                    let (token, flags) = (event.data.u64(), event.flags);
                    let life = self.lives().get(&token).and_then(Weak::upgrade);
                    if let Some(life) = life {
                        life.seen(flags.intersects(EventFlags::HUP | EventFlags::ERR));
                    }
                }
            }
        }
    }

    /// Nothing where the system gives none: deaths are seen when the next answer is to be handed on.
    fn all() -> Option<&'static Watch> {
        static ALL: OnceLock<Option<Watch>> = OnceLock::new();
        static THREAD: OnceLock<()> = OnceLock::new();
        let watch = ALL
            .get_or_init(|| {
                let descriptor = epoll::create(CreateFlags::CLOEXEC).ok()?;
                Some(Watch { descriptor, lives: Mutex::default(), last: AtomicU64::new(0) })
            })
            .as_ref()?;
        THREAD.get_or_init(|| {
            let thread = std::thread::Builder::new().name("codemode-deaths".to_owned()).stack_size(128 << 10);
            if let Err(error) = thread.spawn(move || watch.listen()) {
                tracing::error!(%error, "deaths of workers are seen late: no thread");
            }
        });
        Some(watch)
    }

    /// A pipe that is watched until this is dropped.
    #[derive(Debug)]
    pub(in super::super) struct Watched(Option<u64>);

    /// Watches a pipe's end.
    pub(in super::super) fn watch(pipe: &File, life: &Arc<Life>) -> Watched {
        let Some(all) = all() else { return Watched(None) };
        let token = all.last.fetch_add(1, Ordering::Relaxed);
        all.lives().insert(token, Arc::downgrade(life));
        // The end is told whatever is asked for; told once, it is not told again and again.
        let added = epoll::add(&all.descriptor, pipe, EventData::new_u64(token), EventFlags::ONESHOT);
        if let Err(error) = added {
            tracing::warn!(%error, "the death of a worker is seen late");
        }
        Watched(Some(token))
    }

    impl Watched {
        /// Looks for news as well, once.
        pub(in super::super) fn wake_at_news(&self, pipe: &File) {
            if let (Some(all), Some(token)) = (all(), self.0) {
                let _ = epoll::modify(&all.descriptor, pipe, EventData::new_u64(token), EventFlags::IN | EventFlags::ONESHOT);
            }
        }
    }

    impl Drop for Watched {
        fn drop(&mut self) {
            // The pipe itself is forgotten as it is closed.
            if let (Some(all), Some(token)) = (all(), self.0) {
                all.lives().remove(&token);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::fs::File;
    use std::sync::Arc;

    use super::super::life::Life;

    /// Nothing: deaths are seen when the next answer is to be handed on.
    #[derive(Debug)]
    pub(in super::super) struct Watched;

    pub(in super::super) fn watch(_pipe: &File, _life: &Arc<Life>) -> Watched {
        Watched
    }

    impl Watched {
        pub(in super::super) fn wake_at_news(&self, _pipe: &File) {}
    }
}
