//! What went wrong in a run outside of what its program waits for: promises that were rejected and that nothing handles, and what
//! callbacks of timers threw.

/// What is kept of it: the first few, and how many more there are.
pub(crate) struct Rejections<V> {
    kept: Vec<Rejection<V>>,
    more: usize,
    thrown: Vec<V>,
}

/// One of them. The promise is held, so that its identity is not given to another.
pub(crate) struct Rejection<V> {
    pub(crate) identity: usize,
    pub(crate) reason: V,
    _promise: V,
}

/// The most that are kept: more of them say nothing new.
const MOST: usize = 16;

impl<V> Default for Rejections<V> {
    fn default() -> Self {
        Self { kept: Vec::new(), more: 0, thrown: Vec::new() }
    }
}

impl<V> Rejections<V> {
    pub(crate) fn rejected(&mut self, identity: usize, promise: V, reason: V) {
        if self.kept.len() < MOST {
            self.kept.push(Rejection { identity, reason, _promise: promise });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn handled(&mut self, identity: usize) -> Option<Rejection<V>> {
        match self.kept.iter().position(|rejection| rejection.identity == identity) {
            Some(place) => Some(self.kept.remove(place)),
            None => {
                self.more = self.more.saturating_sub(1);
                None
            }
        }
    }

    /// Something was thrown that no promise takes up.
    pub(crate) fn threw(&mut self, value: V) {
        if self.thrown.len() < MOST {
            self.thrown.push(value);
        }
    }

    /// The first few promises that nothing handles, how many more there are, and what was thrown.
    pub(crate) fn take(&mut self) -> (Vec<Rejection<V>>, usize, Vec<V>) {
        (std::mem::take(&mut self.kept), std::mem::take(&mut self.more), std::mem::take(&mut self.thrown))
    }
}
