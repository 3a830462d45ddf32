/** What a site permits. */
@NullMarked
package io.lapwing.drain.policy;

import org.jspecify.annotations.NullMarked;
