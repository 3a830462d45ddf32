/** What the clients of AWS and of the agents share. */
@NullMarked
package io.lapwing.drain.http;

import org.jspecify.annotations.NullMarked;
