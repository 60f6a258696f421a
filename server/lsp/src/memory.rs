//! Memory that is free goes back to the system, which the allocator of glibc does by itself for the end of its heap only.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    // Returns free heap memory to the system. Any thread may call it at any time.
    safe fn malloc_trim(pad: usize) -> i32;
}

/// To be called when much was freed: it takes some milliseconds.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    malloc_trim(0);
}
