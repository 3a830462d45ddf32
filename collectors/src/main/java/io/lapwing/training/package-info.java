/**
 * Training loops on this node: records of their steps, which each rank writes to a file. Any user
 * may write these files, so everything in them is validated.
 */
@NullMarked
package io.lapwing.training;

import org.jspecify.annotations.NullMarked;
