/** Lustre's network: counters, interfaces and peers of LNet. */
@NullMarked
package io.lapwing.lnet;

import org.jspecify.annotations.NullMarked;
