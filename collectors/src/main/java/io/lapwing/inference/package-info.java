/**
 * The inference engines that serve on this node: what their own pages say of first tokens, pace,
 * queues and caches, under one set of names.
 */
@NullMarked
package io.lapwing.inference;

import org.jspecify.annotations.NullMarked;
