/** Programs that are run: bounded in time and output, without a shell. */
@NullMarked
package io.lapwing.drain.exec;

import org.jspecify.annotations.NullMarked;
