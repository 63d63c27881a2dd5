// Counts allocations by standing before the C library's own functions. Only glibc lends those out under other names.
#include "AllocationCounter.h"

#include <stdatomic.h>

static atomic_bool is_counting;
static atomic_long blocks;
static atomic_long bytes;

#ifdef __GLIBC__
#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static void *took(void *block) {
    if (block && atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, (long)malloc_usable_size(block), memory_order_relaxed);
    }
    return block;
}

static void gives_back(void *block) {
    if (block && atomic_load_explicit(&is_counting, memory_order_relaxed))
        atomic_fetch_sub_explicit(&bytes, (long)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return took(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return took(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
    gives_back(block);
    return took(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return took(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *new = took(__libc_memalign(alignment, size));
    if (!new) return ENOMEM;
    *block = new;
    return 0;
}

void free(void *block) {
    gives_back(block);
    __libc_free(block);
}

static const bool is_able = true;
#else
static const bool is_able = false;
#endif

bool allocation_counter_start(void) {
    atomic_store(&blocks, 0);
    atomic_store(&bytes, 0);
    atomic_store(&is_counting, is_able);
    return is_able;
}

void allocation_counter_stop(void) { atomic_store(&is_counting, false); }

long allocation_counter_blocks(void) { return atomic_load(&blocks); }

long allocation_counter_bytes(void) { return atomic_load(&bytes); }
