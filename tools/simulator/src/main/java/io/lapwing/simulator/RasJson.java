package io.lapwing.simulator;

import io.lapwing.simulator.RasRank.Contact;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** Writes the RAS status as JSON of NCCL 2.28.7 and later, with its line breaks. */
final class RasJson {

  private final Writer out;

  RasJson(Writer out) {
    this.out = out;
  }

  void write(String version, List<List<RasRank>> groups, long hash) throws IOException {
    out.write("{\n  \"nccl_version\": \"" + version + "\",\n");
    out.write("  \"cuda_runtime_version\": 13000,\n  \"cuda_driver_version\": 13000,\n");
    out.write("  \"timestamp\": \"2025-12-19 13:06:53\",\n");
    out.write("  \"communicators_count\": " + groups.size() + ",\n  \"communicators\": [\n");
    for (int i = 0; i < groups.size(); i++) {
      out.write(i == 0 ? "" : ",\n");
      group(groups.get(i), hash + i);
    }
    boolean silent = groups.get(0).stream().anyMatch(one -> one.contact == Contact.UNRESPONSIVE);
    out.write("\n  ],\n  \"ras\": {\n    \"collection_time_sec\": " + (silent ? "2.051" : "0.003"));
    out.write(",\n    \"timeouts_count\": " + (silent ? 2 : 0) + "\n  }\n}\n");
  }

  private void group(List<RasRank> all, long hash) throws IOException {
    long there = all.stream().filter(RasJson::answers).count();
    out.write("    {\n      \"hash\": \"0x" + Long.toHexString(hash) + "\",\n");
    out.write("      \"secondary_hash\": \"0xb7e7187447156001:0xb8242ed28a71381e\",\n");
    out.write("      \"size\": " + all.size() + ",\n");
    out.write("      \"ranks_count\": " + there + ",\n");
    out.write("      \"missing_ranks_count\": " + (all.size() - there) + ",\n      \"ranks\": [\n");
    each(all, true);
    out.write("\n      ],\n      \"missing_ranks\": [\n");
    each(all, false);
    out.write("\n      ]\n    }");
  }

  /** A rank's number is its index on the communicator, including missing ranks. */
  private void each(List<RasRank> all, boolean answering) throws IOException {
    String comma = "";
    for (int i = 0; i < all.size(); i++) {
      RasRank one = all.get(i);
      if (answers(one) == answering) {
        out.write(comma);
        comma = ",\n";
        if (answering) {
          rank(one, i);
        } else {
          missing(one, i);
        }
      }
    }
  }

  private static boolean answers(RasRank rank) {
    return rank.contact == Contact.ANSWERS;
  }

  private void rank(RasRank rank, int number) throws IOException {
    head(rank, number);
    out.write("            \"init_state\": 0,\n");
    out.write("            \"async_error\": " + rank.asyncError + ",\n");
    out.write("            \"finalize_called\": false,\n            \"destroy_flag\": false,\n");
    out.write("            \"abort_flag\": " + rank.aborted + "\n          },\n");
    out.write("          \"collective_counts\": {\n");
    String comma = "";
    for (Map.Entry<String, Long> count : rank.counts.entrySet()) {
      out.write(comma + "            \"" + count.getKey() + "\": " + count.getValue());
      comma = ",\n";
    }
    out.write("\n          }\n        }");
  }

  private void missing(RasRank rank, int number) throws IOException {
    head(rank, number);
    out.write("            \"unresponsive\": true,\n");
    out.write("            \"considered_dead\": " + (rank.contact == Contact.DEAD));
    out.write("\n          }\n        }");
  }

  private void head(RasRank rank, int number) throws IOException {
    out.write("        {\n          \"rank\": " + number + ",\n");
    out.write("          \"host\": \"" + rank.host + "\",\n");
    out.write("          \"pid\": " + rank.pid + ",\n");
    out.write("          \"cuda_dev\": " + rank.gpu + ",\n");
    out.write("          \"nvml_dev\": " + rank.gpu + ",\n          \"status\": {\n");
  }
}
