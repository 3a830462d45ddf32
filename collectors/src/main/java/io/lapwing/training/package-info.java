/** Training loops: files of steps that any user may write, so everything in them is validated. */
@NullMarked
package io.lapwing.training;

import org.jspecify.annotations.NullMarked;
