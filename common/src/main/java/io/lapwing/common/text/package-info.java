/** Text output for terminals. */
@NullMarked
package io.lapwing.common.text;

import org.jspecify.annotations.NullMarked;
