/** Shared code of the clients of AWS and of the agents. */
@NullMarked
package io.lapwing.drain.http;

import org.jspecify.annotations.NullMarked;
