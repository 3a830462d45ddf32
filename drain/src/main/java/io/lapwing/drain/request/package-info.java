/** Requests for repairs of nodes. */
@NullMarked
package io.lapwing.drain.request;

import org.jspecify.annotations.NullMarked;
