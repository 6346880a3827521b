#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| errare::fuzz::http(bytes));
