/**
 * What NVIDIA's driver says of faults, and what is known of it: the forms of its kernel log lines,
 * the table of XIDs. Pure: no file is followed here, and nothing is judged.
 */
@NullMarked
package io.lapwing.xid;

import org.jspecify.annotations.NullMarked;
