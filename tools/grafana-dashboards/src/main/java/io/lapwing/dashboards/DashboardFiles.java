package io.lapwing.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The dashboards as files: {@code lapwing-fleet.json} and so on. */
public final class DashboardFiles {

  private DashboardFiles() {}

  /** All dashboards, from overview to detail. */
  public static List<Dashboard> all() {
    return List.of(
        FleetDashboard.dashboard(),
        NodeDashboard.dashboard(),
        JobDashboard.dashboard(),
        NetworkDashboard.dashboard(),
        InferenceDashboard.dashboard(),
        AgentDashboard.dashboard(),
        DrainDashboard.dashboard(),
        QueueDashboard.dashboard());
  }

  /** Content by file name. */
  static Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    all().forEach(one -> texts.put(one.uid() + ".json", DashboardJson.text(one)));
    return texts;
  }

  /**
   * Writes all files into a folder.
   *
   * @param arguments the folder
   * @throws IOException if it cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : ".");
    Files.createDirectories(folder);
    for (Map.Entry<String, String> file : texts().entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }
}
