/** Repairs by AWS: EC2 and HyperPod. */
@NullMarked
package io.lapwing.drain.aws;

import org.jspecify.annotations.NullMarked;
