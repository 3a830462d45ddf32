/** Alerts by Amazon SNS and SQS. */
@NullMarked
package io.lapwing.drain.intake.aws;

import org.jspecify.annotations.NullMarked;
