//! Returns free memory to the system. The allocator of glibc does so by itself only for the end of its heap.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    // Returns free heap memory to the system. Any thread may call it at any time.
    safe fn malloc_trim(pad: usize) -> i32;
}

/// Call this after freeing much memory: it takes some milliseconds.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    malloc_trim(0);
}
