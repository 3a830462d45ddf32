/** The node itself: what it is called and what it is. */
@NullMarked
package io.lapwing.node;

import org.jspecify.annotations.NullMarked;
