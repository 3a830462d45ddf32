/** The policy of a site. */
@NullMarked
package io.lapwing.drain.policy;

import org.jspecify.annotations.NullMarked;
