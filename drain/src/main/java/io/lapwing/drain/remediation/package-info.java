/** A node's way out of service, through repairs, and back. */
@NullMarked
package io.lapwing.drain.remediation;

import org.jspecify.annotations.NullMarked;
