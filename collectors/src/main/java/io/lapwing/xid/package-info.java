/** NVIDIA's kernel log lines and the table of XIDs: pure functions without health evaluation. */
@NullMarked
package io.lapwing.xid;

import org.jspecify.annotations.NullMarked;
