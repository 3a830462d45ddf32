/**
 * The CUDA driver API ({@code libcuda.so.1}) through JNA, for active tests in a process of their
 * own.
 */
@NullMarked
package io.lapwing.cuda;

import org.jspecify.annotations.NullMarked;
