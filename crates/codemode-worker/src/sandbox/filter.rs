//! The program that the kernel runs at each system call: made of a list of calls, and nothing of it depends on the machine.
//!
//! The kernel tries it for every number there is when it is put on, so that it looks a call up in a tree: one after the other took
//! three times as long, and was most of what starting a worker cost.

use libc::sock_filter as Instruction;

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is made.
    Allow,
    /// It fails with this error number.
    Fail(u16),
    /// It is made where all tests of one of these hold, and else fails as one that is on no list.
    Where(Vec<Vec<Test>>),
}

/// What one half of an argument is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Test {
    /// Which argument, from 0 to 5.
    pub(super) argument: u8,
    /// Whether its upper half is looked at; the kernel reads but the lower one of most.
    pub(super) upper: bool,
    /// Which of the bits matter.
    pub(super) mask: u32,
    /// What they are to be.
    pub(super) bits: u32,
    /// Whether less will do.
    pub(super) or_less: bool,
}

// The layout of the kernel's `seccomp_data` on machines that store the lower half of a number first.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The farthest that a conditional jump reaches.
const FARTHEST: usize = u8::MAX as usize;

/// The program: calls of another architecture kill, those on the list get their verdict, others fail with this error number.
pub(super) fn program(architecture: u32, list: &[(u32, Verdict)], others: u16) -> Vec<Instruction> {
    let mut sorted: Vec<_> = list.iter().collect();
    sorted.sort_by_key(|(number, _)| *number);
    let mut program = vec![load(ARCHITECTURE), jump(libc::BPF_JEQ, architecture, 1, 0), give(libc::SECCOMP_RET_KILL_PROCESS), load(NUMBER)];
    program.extend(tree(&sorted, others));
    program
}

/// Looks the loaded number up in a part of the list.
fn tree(sorted: &[&(u32, Verdict)], others: u16) -> Vec<Instruction> {
    let [] = sorted else {
        let [(number, verdict)] = sorted else {
            let (below, from) = sorted.split_at(sorted.len() / 2);
            return branch(from[0].0, &tree(below, others), &tree(from, others));
        };
        let verdict = body(verdict, others);
        let mut leaf = vec![jump(libc::BPF_JEQ, *number, 0, verdict.len())];
        leaf.extend(verdict);
        leaf.push(give(fail(others)));
        return leaf;
    };
    vec![give(fail(others))]
}

/// One of the two, by whether the number is below this one.
fn branch(first: u32, below: &[Instruction], from: &[Instruction]) -> Vec<Instruction> {
    let mut branch = if below.len() <= FARTHEST {
        vec![jump(libc::BPF_JGE, first, below.len(), 0)]
    } else {
        vec![jump(libc::BPF_JGE, first, 0, 1), far_jump(below.len())]
    };
    branch.extend_from_slice(below);
    branch.extend_from_slice(from);
    branch
}

fn body(verdict: &Verdict, others: u16) -> Vec<Instruction> {
    match verdict {
        Verdict::Allow => vec![give(libc::SECCOMP_RET_ALLOW)],
        Verdict::Fail(number) => vec![give(fail(*number))],
        Verdict::Where(any) => {
            let mut body: Vec<_> = any.iter().flat_map(|all| alternative(all)).collect();
            body.push(give(fail(others)));
            body
        }
    }
}

/// Allows the call where all tests hold, and otherwise goes on behind.
fn alternative(all: &[Test]) -> Vec<Instruction> {
    let mut backwards = vec![give(libc::SECCOMP_RET_ALLOW)];
    for test in all.iter().rev() {
        // From behind: what is there already is what is left out where this test does not hold.
        let behind = backwards.len();
        backwards.push(if test.or_less { jump(libc::BPF_JGT, test.bits, behind, 0) } else { jump(libc::BPF_JEQ, test.bits, 0, behind) });
        backwards.push(operation(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, test.mask));
        backwards.push(load(ARGUMENTS + 8 * u32::from(test.argument) + 4 * u32::from(test.upper)));
    }
    backwards.reverse();
    backwards
}

fn fail(number: u16) -> u32 {
    libc::SECCOMP_RET_ERRNO | u32::from(number)
}

fn load(offset: u32) -> Instruction {
    operation(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn give(verdict: u32) -> Instruction {
    operation(libc::BPF_RET | libc::BPF_K, verdict)
}

fn far_jump(over: usize) -> Instruction {
    operation(libc::BPF_JMP | libc::BPF_JA, u32::try_from(over).expect("a program has at most 4,096 instructions"))
}

/// Compares what is loaded with a number, and leaves out so many instructions where it holds, and so many where not.
fn jump(comparison: u32, number: u32, where_it_holds: usize, else_over: usize) -> Instruction {
    let short = |over: usize| u8::try_from(over).expect("what a test leaves out is short, and a branch that is long takes a far jump");
    Instruction { jt: short(where_it_holds), jf: short(else_over), ..operation(libc::BPF_JMP | comparison | libc::BPF_K, number) }
}

fn operation(code: u32, operand: u32) -> Instruction {
    Instruction { code: u16::try_from(code).expect("codes are 16 bits"), jt: 0, jf: 0, k: operand }
}

#[cfg(test)]
mod tests;
