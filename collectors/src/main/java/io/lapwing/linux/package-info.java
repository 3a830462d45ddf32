/**
 * Files of the kernel, below mount points that are values: a test or a container mounts them
 * elsewhere.
 */
@NullMarked
package io.lapwing.linux;

import org.jspecify.annotations.NullMarked;
