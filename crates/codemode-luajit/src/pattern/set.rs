//! Sets of bytes: Lua's character classes, and the form in which a compiled pattern tests for them.

/// A set of bytes, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) const NONE: Self = Self([0; 4]);
    pub(super) const ALL: Self = Self([u64::MAX; 4]);

    pub(super) const fn of(byte: u8) -> Self {
        Self::NONE.with_range(byte, byte)
    }

    /// This set with the bytes `from..=to`; nothing is added when `from` is above `to`.
    pub(super) const fn with_range(mut self, from: u8, to: u8) -> Self {
        let mut byte = from as usize;
        while byte <= to as usize {
            self.0[byte >> 6] |= 1 << (byte & 63);
            byte += 1;
        }
        self
    }

    pub(super) const fn union(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    pub(super) const fn without(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & !b[0], a[1] & !b[1], a[2] & !b[2], a[3] & !b[3]])
    }

    pub(super) const fn complement(self) -> Self {
        let a = self.0;
        Self([!a[0], !a[1], !a[2], !a[3]])
    }

    pub(super) const fn contains(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 != 0
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn bytes(self) -> impl Iterator<Item = u8> {
        (0..4u8).flat_map(move |index| {
            let mut word = self.0[usize::from(index)];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then(|| index * 64 + bit as u8)
            })
        })
    }
}

/// What `%` and this byte stand for: a class of the C locale, its complement for a capital, or the byte itself.
pub(super) const fn class(letter: u8) -> ByteSet {
    let named = match letter.to_ascii_lowercase() {
        b'a' => const { ALPHA },
        b'c' => const { ByteSet::NONE.with_range(0, 31).with_range(127, 127) },
        b'd' => const { DIGIT },
        b'g' => const { ByteSet::NONE.with_range(b'!', b'~') },
        b'l' => const { ByteSet::NONE.with_range(b'a', b'z') },
        b'p' => const { ByteSet::NONE.with_range(b'!', b'~').without(ALPHA.union(DIGIT)) },
        b's' => const { ByteSet::NONE.with_range(9, 13).with_range(b' ', b' ') },
        b'u' => const { ByteSet::NONE.with_range(b'A', b'Z') },
        b'w' => const { ALPHA.union(DIGIT) },
        b'x' => const { DIGIT.with_range(b'A', b'F').with_range(b'a', b'f') },
        b'z' => const { ByteSet::of(0) },
        _ => return ByteSet::of(letter),
    };
    if letter.is_ascii_uppercase() { named.complement() } else { named }
}

const ALPHA: ByteSet = ByteSet::NONE.with_range(b'A', b'Z').with_range(b'a', b'z');
const DIGIT: ByteSet = ByteSet::NONE.with_range(b'0', b'9');

/// A set as a compiled pattern tests for it; it belongs to the [`Tables`] that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    Any,
    Byte(u8),
    Not(u8),
    /// A bit of one of the tables.
    Bit {
        table: u16,
        mask: u8,
    },
}

/// Eight sets to a table of 256 bytes, so that a test is one load and one `and`.
#[derive(Debug, Default)]
pub(super) struct Tables {
    tables: Vec<[u8; 256]>,
    known: Vec<ByteSet>,
}

impl Tables {
    /// How many sets are looked through for one that is there already; beyond that a set is stored again.
    const LOOKED_THROUGH: usize = 64;

    /// The test for a set. A pattern has fewer items than there is room for here.
    pub(super) fn test(&mut self, set: &ByteSet) -> Test {
        match set.len() {
            256 => return Test::Any,
            1 => return Test::Byte(set.bytes().next().unwrap_or_default()),
            255 => return Test::Not(set.complement().bytes().next().unwrap_or_default()),
            _ => {}
        }
        let index = match self.known.iter().take(Self::LOOKED_THROUGH).position(|known| known == set) {
            Some(index) => index,
            None => self.add(set),
        };
        Test::Bit { table: (index / 8) as u16, mask: 1 << (index % 8) }
    }

    fn add(&mut self, set: &ByteSet) -> usize {
        let index = self.known.len();
        if index.is_multiple_of(8) {
            self.tables.push([0; 256]);
        }
        self.known.push(*set);
        for byte in set.bytes() {
            self.tables[index / 8][usize::from(byte)] |= 1 << (index % 8);
        }
        index
    }

    #[inline]
    pub(super) fn table(&self, index: u16) -> &[u8; 256] {
        &self.tables[usize::from(index)]
    }

    #[inline]
    pub(super) fn holds(&self, test: Test, byte: u8) -> bool {
        match test {
            Test::Any => true,
            Test::Byte(only) => byte == only,
            Test::Not(but) => byte != but,
            Test::Bit { table, mask } => self.table(table)[usize::from(byte)] & mask != 0,
        }
    }
}
