//! The program against the list that it is made of, run as the kernel runs it.

use super::{Instruction, Test, Verdict, program};

const HERE: u32 = 0xc000_003e;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

/// A call as the kernel shows it to a filter.
struct Call {
    number: u32,
    architecture: u32,
    arguments: [u64; 6],
}

impl Call {
    fn word(&self, offset: u32) -> u32 {
        match offset {
            0 => self.number,
            4 => self.architecture,
            _ => {
                let argument = self.arguments[((offset - 16) / 8) as usize];
                if offset.is_multiple_of(8) { argument as u32 } else { (argument >> 32) as u32 }
            }
        }
    }
}

/// Runs the instructions, and tells how many it took.
fn run(program: &[Instruction], call: &Call) -> (u32, usize) {
    let (mut at, mut held, mut took) = (0, 0, 0);
    loop {
        let Instruction { code, jt, jf, k } = program[at];
        at += 1;
        took += 1;
        match u32::from(code) {
            0x20 => held = call.word(k),
            0x54 => held &= k,
            0x05 => at += k as usize,
            0x15 => at += usize::from(if held == k { jt } else { jf }),
            0x25 => at += usize::from(if held > k { jt } else { jf }),
            0x35 => at += usize::from(if held >= k { jt } else { jf }),
            0x06 => return (k, took),
            other => panic!("{other:#x} is no instruction of ours"),
        }
    }
}

fn equals(argument: u8, bits: u32) -> Test {
    Test { argument, upper: false, mask: u32::MAX, bits, or_less: false }
}

fn given(program: &[Instruction], number: u32, arguments: [u64; 6]) -> u32 {
    run(program, &Call { number, architecture: HERE, arguments }).0
}

#[test]
fn a_call_gets_its_verdict() {
    let null = vec![equals(0, 0), equals(2, 0), Test { upper: true, ..equals(2, 0) }];
    let flags = vec![Test { mask: 0xff00, ..equals(1, 0x1200) }];
    let few = vec![Test { or_less: true, ..equals(0, 11) }];
    let list = [
        (7, Verdict::Allow),
        (3, Verdict::Fail(38)),
        (9, Verdict::Where(vec![null])),
        (12, Verdict::Where(vec![vec![equals(0, 5)], flags])),
        (300, Verdict::Where(vec![few])),
    ];
    let program = program(HERE, &list, 1);
    let refused = 0x0005_0001;
    for number in [0, 1, 2, 4, 6, 8, 10, 11, 13, 299, 301, 0x4000_0007, u32::MAX] {
        assert_eq!(given(&program, number, [0; 6]), refused, "{number}");
    }
    assert_eq!(given(&program, 7, [1; 6]), ALLOW);
    assert_eq!(given(&program, 3, [1; 6]), 0x0005_0026);
    // All of one alternative, with both halves of an argument.
    assert_eq!(given(&program, 9, [0, 9, 0, 9, 9, 9]), ALLOW);
    assert_eq!(given(&program, 9, [1, 0, 0, 0, 0, 0]), refused);
    assert_eq!(given(&program, 9, [0, 0, 1 << 32, 0, 0, 0]), refused);
    assert_eq!(given(&program, 9, [1 << 32, 0, 0, 0, 0, 0]), ALLOW);
    // One alternative or the other.
    assert_eq!(given(&program, 12, [5, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(given(&program, 12, [4, 0x1234, 0, 0, 0, 0]), ALLOW);
    assert_eq!(given(&program, 12, [4, 0x1334, 0, 0, 0, 0]), refused);
    // At most so much.
    assert_eq!(given(&program, 300, [11, 0, 0, 0, 0, 0]), ALLOW);
    assert_eq!(given(&program, 300, [12, 0, 0, 0, 0, 0]), refused);
    assert_eq!(given(&program, 300, [0xffff_fffa, 0, 0, 0, 0, 0]), refused);
}

#[test]
fn a_call_of_another_architecture_kills() {
    let program = program(HERE, &[(7, Verdict::Allow)], 1);
    let call = Call { number: 7, architecture: 0x4000_0003, arguments: [0; 6] };
    assert_eq!(run(&program, &call), (libc::SECCOMP_RET_KILL_PROCESS, 3));
}

#[test]
fn an_empty_list_allows_nothing() {
    assert_eq!(given(&program(HERE, &[], 1), 7, [0; 6]), 0x0005_0001);
}

/// A long list needs jumps that are farther than a comparison reaches, and is still looked up in a few steps.
#[test]
fn a_long_list_is_a_tree() {
    let all = vec![vec![equals(0, 1), equals(1, 2)], vec![equals(2, 3)]];
    let list: Vec<_> = (0..400).filter(|number| number % 3 != 0).map(|number| (number, Verdict::Where(all.clone()))).collect();
    let program = program(HERE, &list, 1);
    assert!((2_000..=4_096).contains(&program.len()), "{}", program.len());
    for number in 0..400 {
        let call = |arguments| Call { number, architecture: HERE, arguments };
        let listed = number % 3 != 0;
        let wanted = if listed { ALLOW } else { 0x0005_0001 };
        assert_eq!(run(&program, &call([1, 2, 0, 0, 0, 0])).0, wanted, "{number}");
        assert_eq!(run(&program, &call([0, 0, 3, 0, 0, 0])).0, wanted, "{number}");
        let (verdict, took) = run(&program, &call([1, 3, 4, 0, 0, 0]));
        assert_eq!(verdict, 0x0005_0001, "{number}");
        // Nine levels, each with one jump or two, and the call's own tests.
        assert!(took <= 4 + 2 * 9 + 12, "{number} took {took}");
    }
}
