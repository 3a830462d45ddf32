package io.lapwing.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources that read files of the host, on folders in place of /, /sys and /proc. */
class HostFilesTest {

  private static final Instant CRASH = Instant.parse("2026-03-01T12:00:00Z");

  private Path root;

  @BeforeEach
  void folder(@TempDir Path folder) {
    root = folder;
  }

  private Path write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static RecordedSink round(Source source) {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    RecordedSink sink = new RecordedSink();
    source.collectors().forEach(collector -> collector.collect(sink));
    return sink;
  }

  private void dimm(String controller, String dimm, String label, int corrected)
      throws IOException {
    String folder = "sys/devices/system/edac/mc/" + controller + "/" + dimm + "/";
    write(folder + "dimm_label", label + "\n");
    write(folder + "dimm_ce_count", corrected + "\n");
    write(folder + "dimm_ue_count", "0\n");
  }

  @Test
  void edacCountsPerDimmAndWhatHasNone() throws IOException {
    dimm("mc0", "dimm0", "CPU_SrcID#0_MC#0_Chan#0_DIMM#0", 3);
    dimm("mc0", "dimm3", "", 0);
    write("sys/devices/system/edac/mc/mc0/ce_noinfo_count", "1\n");
    write("sys/devices/system/edac/mc/mc0/ue_noinfo_count", "2\n");
    write("sys/devices/system/edac/mc/power/control", "auto\n");
    String family = "lapwing_host_memory_errors_total{controller=\"mc0\",dimm=";
    assertThat(round(new EdacSource(new SysFs(root.resolve("sys")))).lines())
        .containsExactly(
            family + "\"CPU_SrcID#0_MC#0_Chan#0_DIMM#0\",type=\"corrected\"} 3",
            family + "\"CPU_SrcID#0_MC#0_Chan#0_DIMM#0\",type=\"uncorrected\"} 0",
            family + "\"dimm3\",type=\"corrected\"} 0",
            family + "\"dimm3\",type=\"uncorrected\"} 0",
            family + "\"\",type=\"corrected\"} 1",
            family + "\"\",type=\"uncorrected\"} 2");
  }

  @Test
  void aControllerWithoutDimmsHasItsTotals() throws IOException {
    write("sys/devices/system/edac/mc/mc1/ce_count", "7\n");
    write("sys/devices/system/edac/mc/mc1/ue_count", "many\n");
    RecordedSink page = round(new EdacSource(new SysFs(root.resolve("sys"))));
    assertThat(page.lines())
        .containsExactly(
            "lapwing_host_memory_errors_total{controller=\"mc1\",dimm=\"\",type=\"corrected\"} 7");
    assertThat(page.failures()).hasSize(1).allMatch(failed -> failed.endsWith(": malformed"));
  }

  @Test
  void aVirtualMachineHasNoMemoryController() {
    EdacSource source = new EdacSource(new SysFs(root));
    assertThat(source.begin(List.of())).isInstanceOf(Access.NothingHere.class);
  }

  /** Mounts on the device of the test's folder, from lines such as {@code /dev/sda1 / ro}. */
  private void mounts(String... mounts) throws IOException {
    String device = FilesystemSource.number((long) Files.getAttribute(root, "unix:dev"));
    StringBuilder lines = new StringBuilder();
    for (String mount : mounts) {
      String[] words = mount.split(" ", -1);
      lines.append("9 1 " + device + " / " + words[1] + " rw - ext4 " + words[0] + " " + words[2]);
      lines.append('\n');
    }
    write("proc/1/mountinfo", lines.toString());
  }

  private FilesystemSource filesystems() {
    return new FilesystemSource(new ProcFs(root.resolve("proc")), root);
  }

  @Test
  void onlyFileSystemsOnLocalDisksAreRead() {
    MountTable table =
        MountTable.parse(
            KernelText.of(
                "mounts",
                """
                21 29 0:19 / /proc rw,nosuid shared:12 - proc proc rw
                29 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw,discard
                50 29 0:50 / /fsx rw,relatime - lustre 10.0.1.7@tcp:/abcdef rw,flock
                51 29 0:51 / /home rw - nfs4 fs-1.efs.eu-west-1.amazonaws.com:/ rw
                41 29 259:5 / /opt/dlami/nvme rw,relatime shared:7 master:1 - xfs /dev/nvme1n1 ro,inode64
                60 29 259:2 /x /var/lib/kubelet/pods/1/volumes/x rw - ext4 /dev/nvme0n1p1 rw
                61 29 259:2 /x /again rw,relatime - ext4 /dev/nvme0n1p1 rw
                62 29 7:3 / /snap/core ro - ext4 /dev/loop3 ro
                63 29 0:63 / /run/user/1000/doc rw - xfs /dev/fuse rw
                64 29 8:17 / /a\\040b rw - ext4 /dev/sdb1 rw,errors=remount-ro
                65 29 8:18 / /short rw
                """));
    assertThat(table.mounts())
        .containsExactly(
            new MountTable.Mount("/dev/nvme0n1p1", "259:2", "/", "ext4", false),
            new MountTable.Mount("/dev/nvme1n1", "259:5", "/opt/dlami/nvme", "xfs", true),
            new MountTable.Mount("/dev/sdb1", "8:17", "/a b", "ext4", false));
  }

  @Test
  void mountsAreBounded() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      lines.append("9 1 8:1 / /m").append(i).append(" rw - ext4 /dev/sd").append(i).append(" rw\n");
    }
    assertThat(MountTable.parse(KernelText.of("mounts", lines.toString())).mounts())
        .hasSize(MountTable.MAX_MOUNTS);
  }

  @Test
  void aFileSystemThatWasWritableIsMissedWhenItIsNot() throws IOException {
    mounts("/dev/sda1 / rw", "/dev/sdb1 /media ro");
    FilesystemSource source = filesystems();
    assertThat(readOnly(source))
        .containsExactly(
            "lapwing_host_filesystem_read_only{mountpoint=\"/\",device=\"/dev/sda1\",fstype=\"ext4\"} 0",
            "lapwing_host_filesystem_read_only{mountpoint=\"/media\",device=\"/dev/sdb1\",fstype=\"ext4\"} 0");
    mounts("/dev/sda1 / ro", "/dev/sdb1 /media ro");
    assertThat(readOnly(source)).first().asString().endsWith(" 1");
    assertThat(readOnly(source)).last().asString().endsWith(" 0");
  }

  @Test
  void fstabNamesWhatHasToBeWritable() throws IOException {
    mounts("/dev/sda1 / ro", "/dev/sdb1 /media ro");
    write(
        "etc/fstab",
        "# devices\nUUID=1 / ext4 defaults 0 1\n/dev/sdb1 /media ext4 ro,noauto 0 2\n");
    assertThat(readOnly(filesystems())).first().asString().endsWith(" 1");
    assertThat(readOnly(filesystems())).last().asString().endsWith(" 0");
  }

  private static List<String> readOnly(Source source) {
    return round(source).lines().stream().filter(line -> line.contains("_read_only")).toList();
  }

  @Test
  void theSizesAreThoseOfTheMountedFileSystem() throws IOException {
    mounts("/dev/sda1 / rw", "/dev/sdb1 /gone rw");
    List<String> lines = round(filesystems()).lines();
    assertThat(lines)
        .filteredOn(line -> line.contains("mountpoint=\"/\""))
        .extracting(line -> line.substring(0, line.indexOf('{')))
        .containsExactly(
            "lapwing_host_filesystem_read_only",
            "lapwing_host_filesystem_size_bytes",
            "lapwing_host_filesystem_free_bytes",
            "lapwing_host_filesystem_available_bytes");
    assertThat(lines).filteredOn(line -> line.contains("/gone")).hasSize(1);
  }

  @Test
  void withoutTheMountTableTheSourceIsDownOrAbsent() throws IOException {
    assertThat(filesystems().begin(List.of())).isInstanceOf(Access.NothingHere.class);
    Files.createDirectories(root.resolve("proc/1/mountinfo"));
    assertThat(filesystems().begin(List.of())).isInstanceOf(Access.Down.class);
  }

  @Test
  void anotherFileSystemAtThatPathIsNotMeasured() throws IOException {
    write("proc/1/mountinfo", "9 1 1:77 / / rw - ext4 /dev/sda1 rw\n");
    assertThat(round(filesystems()).lines()).hasSize(1);
    assertThat(FilesystemSource.number(0x10302L)).isEqualTo("259:2");
    assertThat(FilesystemSource.number(0xfd00L)).isEqualTo("253:0");
    assertThat(FilesystemSource.number(0x100801L)).isEqualTo("8:257");
  }

  private void record(String path, Instant at, String text) throws IOException {
    Files.setLastModifiedTime(write(path, text), FileTime.from(at));
  }

  @Test
  void aCrashIsCountedOnceWithItsReason() throws IOException {
    String panic =
        "Panic#2 Part1\n<0>[  12.5] Kernel panic - not syncing: Fatal machine check\u0007\n";
    record("sys/fs/pstore/dmesg-efi_pstore-176714880002001", CRASH, "Panic#2 Part2\nother\n");
    record("sys/fs/pstore/dmesg-efi_pstore-176714880001001", CRASH, panic);
    record("var/lib/systemd/pstore/1767148800/dmesg-erst-7", CRASH.plusSeconds(20), panic);
    record("var/lib/systemd/pstore/dmesg-ramoops-0", CRASH.minusSeconds(86_400), "Oops#1 Part1\n");
    record("sys/fs/pstore/console-ramoops-0", CRASH, "not a dump\n");
    PanicSource source = new PanicSource(new SysFs(root.resolve("sys")), root);
    assertThat(round(source).lines())
        .containsExactly(
            "lapwing_host_panics 2",
            "lapwing_host_panic_timestamp_seconds{record=\"dmesg-efi_pstore-176714880001001\",reason=\"Kernel panic - not syncing: Fatal machine check?\"} "
                + CRASH.getEpochSecond(),
            "lapwing_host_panic_timestamp_seconds{record=\"dmesg-ramoops-0\",reason=\"Oops#1 Part1\"} "
                + CRASH.minusSeconds(86_400).getEpochSecond());
  }

  @Test
  void aNodeThatNeverCrashedHasNoRecords() {
    assertThat(round(new PanicSource(new SysFs(root), root)).lines())
        .containsExactly("lapwing_host_panics 0");
  }

  @Test
  void theRecordsAreReadOnceAnHour() throws IOException {
    PanicSource source = new PanicSource(new SysFs(root.resolve("sys")), root);
    round(source);
    record("sys/fs/pstore/dmesg-erst-1", CRASH, "Panic#1 Part1\n");
    assertThat(round(source).lines()).containsExactly("lapwing_host_panics 0");
    for (int i = 2; i < 60; i++) {
      round(source);
    }
    assertThat(round(source).lines()).first().isEqualTo("lapwing_host_panics 1");
  }

  private void unit(String name, String invocation) throws IOException {
    Path link = root.resolve("run/systemd/units/invocation:" + name);
    Files.createDirectories(link.getParent());
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of(invocation));
  }

  @Test
  void aUnitRunsWhileItHasAnInvocation() throws IOException {
    unit("slurmd.service", "9f4f6b51d61b4e5c8d5b7f3f0a1c2d3e");
    UnitSource source = new UnitSource(root, List.of("slurmd.service", "kubelet.service"));
    assertThat(round(source).lines())
        .containsExactly(
            "lapwing_host_unit_running{unit=\"slurmd.service\"} 1",
            "lapwing_host_unit_restarts_total{unit=\"slurmd.service\"} 0",
            "lapwing_host_unit_running{unit=\"kubelet.service\"} 0",
            "lapwing_host_unit_restarts_total{unit=\"kubelet.service\"} 0");
    unit("slurmd.service", "1f4f6b51d61b4e5c8d5b7f3f0a1c2d3e");
    assertThat(round(source).lines()).element(1).asString().endsWith(" 1");
  }

  @Test
  void servicesOfNvidiaAreShownWhereTheyAreInstalled() throws IOException {
    assertThat(UnitSource.installed(root)).isEmpty();
    write("usr/lib/systemd/system/nvidia-imex.service", "[Unit]\n");
    unit("nvidia-fabricmanager.service", "9f4f6b51d61b4e5c8d5b7f3f0a1c2d3e");
    unit("slurmd.service", "9f4f6b51d61b4e5c8d5b7f3f0a1c2d3e");
    UnitSource source = UnitSource.ofServices(root);
    assertThat(round(source).lines())
        .containsExactly(
            "lapwing_gpu_service_running{unit=\"nvidia-fabricmanager.service\"} 1",
            "lapwing_gpu_service_restarts_total{unit=\"nvidia-fabricmanager.service\"} 0",
            "lapwing_gpu_service_running{unit=\"nvidia-imex.service\"} 0",
            "lapwing_gpu_service_restarts_total{unit=\"nvidia-imex.service\"} 0");
    Files.delete(root.resolve("run/systemd/units/invocation:nvidia-fabricmanager.service"));
    assertThat(round(source).lines()).first().asString().endsWith(" 0");
  }

  @Test
  void aMaskedServiceIsNotInstalled() throws IOException {
    unit("slurmd.service", "9f4f6b51d61b4e5c8d5b7f3f0a1c2d3e");
    write("usr/lib/systemd/system/nvidia-imex.service", "[Unit]\n");
    assertThat(UnitSource.installed(root)).containsExactly("nvidia-imex.service");

    Path masked = root.resolve("etc/systemd/system/nvidia-imex.service");
    Files.createDirectories(masked.getParent());
    Files.createSymbolicLink(masked, Path.of("/dev/null"));
    assertThat(UnitSource.installed(root)).isEmpty();
  }

  @Test
  void aFileInPlaceOfTheLinkIsNotBelieved() throws IOException {
    write("run/systemd/units/invocation:a.service", "");
    RecordedSink page = round(new UnitSource(root, List.of("a.service")));
    assertThat(page.lines()).isEmpty();
    assertThat(page.failures()).hasSize(1).allMatch(failed -> failed.endsWith(": malformed"));
  }

  @Test
  void withoutSystemdNoUnitIsKnown() {
    UnitSource source = new UnitSource(root, List.of("slurmd.service"));
    assertThat(source.begin(List.of())).isInstanceOf(Access.Down.class);
  }
}
