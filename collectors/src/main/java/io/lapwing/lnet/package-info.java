/** Lustre's network: what LNet counts, its interfaces and its peers. */
@NullMarked
package io.lapwing.lnet;

import org.jspecify.annotations.NullMarked;
