/** GPU ownership: job ids, users and pods, from the scheduler, processes and the kubelet. */
@NullMarked
package io.lapwing.jobs;

import org.jspecify.annotations.NullMarked;
