package io.lapwing.drain.intake.aws;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a topic: {@code arn:aws:sns:us-east-1:111122223333:lapwing-automation}. */
public record TopicArn(String text, String partition, String region) {

  private static final Pattern FORM =
      Pattern.compile("arn:(aws[a-z-]*):sns:([a-z0-9-]{1,30}):[0-9]{12}:[A-Za-z0-9_.-]{1,256}");

  /** Empty if the text is no ARN of a topic. */
  public static Optional<TopicArn> parse(String text) {
    Matcher arn = FORM.matcher(text);
    return arn.matches()
        ? Optional.of(new TopicArn(text, arn.group(1), arn.group(2)))
        : Optional.empty();
  }

  /** The host of SNS in its region. */
  String host() {
    return "sns." + region + ".amazonaws.com" + (partition.equals("aws-cn") ? ".cn" : "");
  }

  @Override
  public String toString() {
    return text;
  }
}
