package io.lapwing.kubelet;

import java.util.List;

/** The statuses of gRPC by their numbers, in small letters. */
final class GrpcStatus {

  static final String OK = "ok";

  private static final List<String> NAMES =
      List.of(
          OK,
          "cancelled",
          "unknown",
          "invalid_argument",
          "deadline_exceeded",
          "not_found",
          "already_exists",
          "permission_denied",
          "resource_exhausted",
          "failed_precondition",
          "aborted",
          "out_of_range",
          "unimplemented",
          "internal",
          "unavailable",
          "data_loss",
          "unauthenticated");

  private GrpcStatus() {}

  /** The name of what a header says; a number that nobody gave out is unknown. */
  static String name(String number) {
    for (int i = 0; i < NAMES.size(); i++) {
      if (String.valueOf(i).equals(number)) {
        return NAMES.get(i);
      }
    }
    return "unknown";
  }
}
