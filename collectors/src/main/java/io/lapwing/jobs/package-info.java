/**
 * Whose a GPU is: the ids, users and pods that the scheduler, the processes on it and the kubelet
 * name.
 */
@NullMarked
package io.lapwing.jobs;

import org.jspecify.annotations.NullMarked;
