//! How many steps LuaJIT's own matcher can need at most, as a polynomial of the subject's length.

/// The highest power that is kept; a pattern that needs a higher one counts as unbounded.
const MAX_DEGREE: usize = 8;

/// LuaJIT's strings are shorter than this.
const LONGEST: usize = 1 << 31;

/// A bound on steps for `n` bytes of subject: the sum of `terms[d] * C(n + d, d)`.
///
/// In this form the sum over all positions `0..=n` only moves each term one place up, with no loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Steps([u64; MAX_DEGREE + 1]);

impl Steps {
    pub(super) const NONE: Self = Self([0; MAX_DEGREE + 1]);
    const UNBOUNDED: Self = Self([u64::MAX; MAX_DEGREE + 1]);

    pub(super) fn constant(steps: u64) -> Self {
        let mut this = Self::NONE;
        this.0[0] = steps;
        this
    }

    /// `steps` for each of the `n + 1` positions of a subject.
    pub(super) fn linear(steps: u64) -> Self {
        Self::constant(steps).at_each_position()
    }

    pub(super) fn plus(mut self, other: Self) -> Self {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = mine.saturating_add(theirs);
        }
        self
    }

    pub(super) fn plus_constant(self, steps: u64) -> Self {
        self.plus(Self::constant(steps))
    }

    /// These steps once at each position that is left.
    pub(super) fn at_each_position(self) -> Self {
        if self.0[MAX_DEGREE] > 0 {
            return Self::UNBOUNDED;
        }
        let mut this = Self::NONE;
        this.0[1..].copy_from_slice(&self.0[..MAX_DEGREE]);
        this
    }

    /// The sum over matches that follow each other, where one of `n` bytes needs these steps: they share the subject.
    ///
    /// Nothing when the steps are more than linear, as the matches do not add up to one of the whole subject then.
    pub(super) fn shared_by_matches(self) -> Option<Self> {
        let [constant, linear, higher @ ..] = self.0;
        // Of `n` bytes there are at most `n + 1` matches, whose lengths plus one add up to at most `2n + 1`.
        let each = constant.saturating_add(linear.saturating_mul(2));
        higher.iter().all(|term| *term == 0).then(|| Self::linear(each))
    }

    pub(super) fn is_constant(&self) -> bool {
        self.0[1..].iter().all(|term| *term == 0)
    }

    /// The bound for a subject of `n` bytes; `u64::MAX` stands for all that is too large.
    pub(super) fn at(&self, n: usize) -> u64 {
        let n = n as u64;
        let highest = self.0.iter().rposition(|term| *term > 0).unwrap_or(0);
        let mut binomial: u64 = 1;
        let mut sum: u64 = 0;
        for (degree, term) in (1u64..).zip(&self.0[..=highest]) {
            sum = sum.saturating_add(binomial.saturating_mul(*term));
            // C(n + d, d) from the one before: exact, since `d` divides the product.
            binomial = n.checked_add(degree).and_then(|next| binomial.checked_mul(next)).map_or(u64::MAX, |product| product / degree);
        }
        sum
    }

    /// The longest subject that needs at most `budget` steps, if any does; at most [`LONGEST`].
    pub(super) fn longest_within(&self, budget: u64) -> Option<usize> {
        if self.at(0) > budget {
            return None;
        }
        let (mut fits, mut above) = (0, LONGEST + 1);
        while above - fits > 1 {
            let middle = fits + (above - fits) / 2;
            if self.at(middle) <= budget { fits = middle } else { above = middle }
        }
        Some(fits)
    }
}
