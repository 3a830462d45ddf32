/**
 * Parsers for the kernel log lines of NVIDIA's driver, and the table of XIDs. Pure functions: no
 * I/O but the tables, no health evaluation.
 */
@NullMarked
package io.lapwing.xid;

import org.jspecify.annotations.NullMarked;
