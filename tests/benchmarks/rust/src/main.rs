//! Time the Rust reader as `readers.py` times the others: read a small file to warm up, then the file to measure.

use std::{env, error::Error, fs, time::Instant};

use bridge_encodings::{lin, pbn};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = env::args().skip(1).collect();
    timed(&names[1])?;
    let (seconds, boards) = timed(&names[0])?;
    println!(
        r#"{{"seconds": {seconds}, "boards": {boards}, "megabytes": {}}}"#,
        megabytes()
    );
    Ok(())
}

/// Read every call and card of a file; return the seconds and the number of boards. Freeing the boards does not count.
fn timed(name: &str) -> Result<(f64, usize), Box<dyn Error>> {
    let begun = Instant::now();
    let text = fs::read_to_string(name)?;
    if name.ends_with(".pbn") {
        let boards = pbn::read_pbn(&text)?;
        Ok((begun.elapsed().as_secs_f64(), boards.len()))
    } else {
        let boards = lin::parse_lin_file(&text)?;
        Ok((begun.elapsed().as_secs_f64(), boards.len()))
    }
}

/// Peak memory. `getrusage` starts from the peak of the parent process, so it comes second.
fn megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM:")) {
        let kilobytes = line.split_whitespace().nth(1);
        return kilobytes.and_then(|text| text.parse().ok()).unwrap_or(0.0) / 1024.0;
    }
    // The C structure on 64 bits: two times of 16 bytes, then the peak.
    let mut usage = [0i64; 18];
    unsafe { getrusage(0, &mut usage) };
    let unit = if cfg!(target_os = "macos") { 1024.0 * 1024.0 } else { 1024.0 };
    usage[4] as f64 / unit
}

extern "C" {
    fn getrusage(who: i32, usage: *mut [i64; 18]) -> i32;
}
