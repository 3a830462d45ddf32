/**
 * Training loops on this node: the records of their steps, which they leave in a file per rank. The
 * files are anybody's, so nothing in them is believed before it was looked at.
 */
@NullMarked
package io.lapwing.training;

import org.jspecify.annotations.NullMarked;
