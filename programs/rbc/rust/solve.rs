//! The RBC model by value function iteration: the loops of the serial C++, in Rust.
//! The conversation, macrobench-program/1, is at the end: see docs/programs.md.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead, Write};

type Fallible<T> = Result<T, Box<dyn Error>>;

struct Problem {
    numbers: HashMap<String, f64>,
    howard: bool,
    walks: bool,
    k: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    v0: Vec<f64>,
}

struct Solution {
    v: Vec<f64>,
    policy: Vec<i32>,
    iterations: u32,
    difference: f64,
    converged: bool,
}

fn utility(consumption: f64, gamma: f64) -> f64 {
    if gamma == 1.0 {
        consumption.ln()
    } else {
        consumption.powf(1.0 - gamma) / (1.0 - gamma)
    }
}

/// Heer and Maussner (2005, p. 26): bisects until three choices are left.
fn bisected(mut low: usize, mut high: usize, value: impl Fn(usize) -> f64) -> (usize, usize) {
    while high - low > 2 {
        let middle = (low + high) / 2;
        if value(middle + 1) > value(middle) {
            low = middle;
        } else {
            high = middle + 1;
        }
    }
    (low, high)
}

/// Upwards from the choice at the capital below, until a choice is no better than the one before it;
/// at the states of one productivity.
fn walk(available: &[f64], k: &[f64], expected: &[f64], gamma: f64, v: &mut [f64], policy: &mut [i32]) {
    let mut best = 0;
    for ((&resources, v), policy) in available.iter().zip(v).zip(policy) {
        let value = |choice: usize| utility(resources - k[choice], gamma) + expected[choice];
        let mut most = value(best);
        for choice in best + 1..k.len() {
            if k[choice] > resources {
                break;
            }
            let its = value(choice);
            if its <= most {
                break;
            }
            (best, most) = (choice, its);
        }
        (*v, *policy) = (most, best as i32);
    }
}

fn largest_change(v: &[f64], v0: &[f64]) -> f64 {
    v.iter().zip(v0).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

fn solve(problem: &Problem) -> Solution {
    let number = |name: &str| problem.numbers[name];
    let (beta, gamma, alpha, delta) =
        (number("beta"), number("gamma"), number("alpha"), number("delta"));
    let (tolerance, cap) = (number("tolerance"), number("iteration_cap") as u32);
    let (k, nk, nz) = (&problem.k, problem.k.len(), problem.z.len());
    let mut v0: Vec<f64> = problem.v0.iter().flat_map(|&value| vec![value; nk]).collect();
    let mut v = vec![0.0; nk * nz];
    let mut policy = vec![0i32; nk * nz];
    let mut expected = vec![0.0; nk];
    // A walk takes few steps at a state: the power of its capital is computed once for all iterations.
    let mut available = Vec::new();
    if problem.walks {
        let at = |z: f64, k: f64| z * k.powf(alpha) + (1.0 - delta) * k;
        available.extend(problem.z.iter().flat_map(|&z| k.iter().map(move |&k| at(z, k))));
    }
    let (mut iterations, mut difference) = (0, f64::INFINITY);
    while difference >= tolerance && iterations < cap {
        let maximise = !problem.howard || iterations < 3 || iterations % 20 == 0;
        difference = 0.0;
        for j in 0..nz {
            expected.fill(0.0);
            for (&p, row) in problem.p[j * nz..(j + 1) * nz].iter().zip(v0.chunks(nk)) {
                for (sum, value) in expected.iter_mut().zip(row) {
                    *sum += beta * p * value;
                }
            }
            if problem.walks {
                let its = j * nk..(j + 1) * nk;
                let (v, v0) = (&mut v[its.clone()], &v0[its.clone()]);
                walk(&available[its.clone()], k, &expected, gamma, v, &mut policy[its]);
                difference = f64::max(difference, largest_change(v, v0));
                continue;
            }
            for i in 0..nk {
                let state = j * nk + i;
                let resources = problem.z[j] * k[i].powf(alpha) + (1.0 - delta) * k[i];
                let value = |choice: usize| utility(resources - k[choice], gamma) + expected[choice];
                if maximise {
                    let last = k.partition_point(|&choice| choice <= resources) - 1;
                    let (low, high) = if problem.howard { (0, last) } else { bisected(0, last, value) };
                    let (mut best, mut most) = (low, value(low));
                    for choice in low + 1..=high {
                        let its = value(choice);
                        if its > most {
                            (best, most) = (choice, its);
                        }
                    }
                    v[state] = most;
                    policy[state] = best as i32;
                } else {
                    v[state] = value(policy[state] as usize);
                }
                difference = f64::max(difference, (v[state] - v0[state]).abs());
            }
        }
        std::mem::swap(&mut v, &mut v0);
        iterations += 1;
    }
    Solution { v: v0, policy, iterations, difference, converged: difference < tolerance }
}

fn load(folder: &str) -> Fallible<Problem> {
    let text = fs::read_to_string(format!("{folder}/problem.txt"))?;
    let lines = || text.lines().filter_map(|line| line.split_once(' '));
    let numbers: HashMap<String, f64> =
        lines().filter_map(|(name, value)| Some((name.into(), value.parse().ok()?))).collect();
    let array = |name: &str, size: usize| -> Fallible<Vec<f64>> {
        let bytes = fs::read(format!("{folder}/{name}.bin"))?;
        if bytes.len() != 8 * size {
            return Err(format!("{name} has another size").into());
        }
        Ok(bytes.chunks_exact(8).map(|one| f64::from_le_bytes(one.try_into().unwrap())).collect())
    };
    let size = |name: &str| numbers.get(name).map(|&n| n as usize).ok_or(format!("no {name}"));
    let (nk, nz) = (size("nk")?, size("nz")?);
    Ok(Problem {
        howard: lines().any(|line| line == ("maximizer", "grid_howard")),
        walks: lines().any(|line| line == ("maximizer", "first_decline")),
        k: array("K", nk)?,
        z: array("Z", nz)?,
        p: array("P", nz * nz)?,
        v0: array("V0", nz)?,
        numbers,
    })
}

fn write(result: &Solution, folder: &str) -> Fallible<()> {
    let v: Vec<u8> = result.v.iter().flat_map(|value| value.to_le_bytes()).collect();
    let policy: Vec<u8> = result.policy.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(format!("{folder}/V.bin"), v)?;
    fs::write(format!("{folder}/policy.bin"), policy)?;
    let text = format!(
        "iterations {}\ndifference {:e}\nconverged {}\n",
        result.iterations, result.difference, result.converged as u8
    );
    Ok(fs::write(format!("{folder}/result.txt"), text)?)
}

#[derive(Default)]
struct Memory {
    problems: HashMap<String, Problem>,
    results: HashMap<String, Solution>,
}

fn answer(line: &str, memory: &mut Memory) -> Fallible<String> {
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    match words[..] {
        ["hello", ..] => Ok("hello Rust, rustc -O".into()),
        ["start", ..] => Ok("start CPU, 1 thread".into()),
        ["ping", _] | ["bye"] => Ok(line.into()),
        ["load", id, folder] => {
            if !memory.results.is_empty() {
                *memory = Memory::default();
            }
            memory.problems.insert(id.into(), load(folder)?);
            Ok(format!("load {id}"))
        }
        ["solve", ..] => {
            for id in line.split(' ').skip(1) {
                let problem = memory.problems.get(id).ok_or("that problem was not loaded")?;
                memory.results.insert(id.into(), solve(problem));
            }
            Ok(line.into())
        }
        ["write", id, folder] => {
            write(memory.results.get(id).ok_or("that problem was not solved")?, folder)?;
            Ok(format!("write {id}"))
        }
        _ => Err("unknown command".into()),
    }
}

fn main() -> Fallible<()> {
    let mut memory = Memory::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let said = answer(&line, &mut memory).unwrap_or_else(|why| format!("error {why}"));
        println!("mb1 {said}");
        io::stdout().flush()?;
        if line == "bye" {
            break;
        }
    }
    Ok(())
}
