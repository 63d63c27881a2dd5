#pragma once
#include <stdbool.h>

/// Begins to count what this process allocates, from nothing. False where the system has no way to do it.
bool allocation_counter_start(void);

/// Ends the counting.
void allocation_counter_stop(void);

/// How many blocks were allocated since the counting began.
long allocation_counter_blocks(void);

/// How many bytes were allocated since the counting began and are still held, less those of older blocks that were given back.
long allocation_counter_bytes(void);
