package io.lapwing.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.host.HostMessage.Fault;
import io.lapwing.host.HostMessage.Frame;
import io.lapwing.host.HostMessage.PcieDriver;
import io.lapwing.host.HostMessage.Trace;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines of real logs, where public issues and test data have them (named beside each), and of the
 * kernel's source otherwise.
 */
class HostMessagesTest {

  private static Fault fault(String message) {
    assertThat(HostMessages.WORDS).as("a word of interest").anyMatch(message::contains);
    assertThat(HostMessages.read(message)).as(message).get().isInstanceOf(Fault.class);
    return (Fault) HostMessages.read(message).orElseThrow();
  }

  /**
   * EDAC: radiasoft/devops#134, grondo/edac-utils#10, openstreetmap/operations#300, lwa-issues#117.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EDAC MC1: 1 CE memory scrubbing error on CPU_SrcID#1_Ha#0_Chan#0_DIMM#0 (channel:0 slot:0 page:0xee30a0 offset:0x0 grain:32 syndrome:0x0 -  area:DRAM err_code:0008:00c2 socket:1 ha:0 channel_mask:1 rank:0) | MEMORY_CORRECTED | mc1 CPU_SrcID#1_Ha#0_Chan#0_DIMM#0 | 1",
        "EDAC MC0: 4 CE error on CPU#0Channel#2_DIMM#0 (channel:2 slot:0 page:0x0 offset:0x0 grain:8 syndrome:0x0) | MEMORY_CORRECTED | mc0 CPU#0Channel#2_DIMM#0 | 4",
        "EDAC MC0: 1 CE on mc#0csrow#2channel#1 (csrow:2 channel:1 page:0x1f41 offset:0x500 grain:64 syndrome:0x0) | MEMORY_CORRECTED | mc0 mc#0csrow#2channel#1 | 1",
        "EDAC MC3: 1 UE memory read error on CPU_SrcID#1_MC#1_Chan#2_DIMM#0 (channel:2 slot:0 page:0xb757589 offset:0xdc0 grain:32 -  OVERFLOW recoverable) | MEMORY_UNCORRECTED | mc3 CPU_SrcID#1_MC#1_Chan#2_DIMM#0 | 1",
        "EDAC MC0: 1 UE Multi-bit ECC on unknown label (node:0 card:0 module:3 rank:1 bank_group:2 page:0x12 offset:0x0 grain:1) | MEMORY_UNCORRECTED | mc0 unknown label | 1",
        "EDAC MC0: 1 UE multi-bit ECC on DIMM_A1 (node:0 card:0 module:3 page:0x12 offset:0x0 grain:1) | MEMORY_UNCORRECTED | mc0 DIMM_A1 | 1",
        "EDAC MC0: 1 CE Single-bit ECC on unknown label (node:0 card:0 module:3 rank:1 page:0x12 offset:0x0 grain:1 syndrome:0x0) | MEMORY_CORRECTED | mc0 unknown label | 1",
      })
  void edacNamesTheDimm(String line, HostFaultKind kind, String device, long times) {
    Fault fault = fault(line);
    assertThat(fault.kind()).isEqualTo(kind);
    assertThat(fault.device()).isEqualTo(device);
    assertThat(fault.times()).isEqualTo(times);
  }

  /**
   * The first is of home-assistant/operating-system#2989; AMD's texts of drivers/edac/mce_amd.c.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 6: cc59dec000041152 | MACHINE_CHECK_CORRECTED | cpu2 bank6",
        "mce: [Hardware Error]: CPU 10: Machine Check: 0 Bank 8: fc00010001010092 | MACHINE_CHECK_UNCORRECTED | cpu10 bank8",
        "mce: [Hardware Error]: CPU 0: Machine Check Exception: 5 Bank 4: be00000000800400 | MACHINE_CHECK_UNCORRECTED | cpu0 bank4",
        "mce: Uncorrected hardware memory error in user-access at 3f1a2b4c0 | MEMORY_UNCORRECTED | ''",
        "[Hardware Error]: Corrected error, no action required. | MACHINE_CHECK_CORRECTED | ''",
        "[Hardware Error]: Deferred error, no action required. | MACHINE_CHECK_CORRECTED | ''",
        "[Hardware Error]: Uncorrected, software restartable error. | MACHINE_CHECK_UNCORRECTED | ''",
        "[Hardware Error]: System Fatal error. | MACHINE_CHECK_UNCORRECTED | ''",
      })
  void theStatusOfAMachineCheckSaysWhetherDataIsLost(
      String line, HostFaultKind kind, String device) {
    assertThat(fault(line).kind()).isEqualTo(kind);
    assertThat(fault(line).device()).isEqualTo(device);
  }

  /**
   * The first NVMe line and those of EXT4 are of gpud's test data; others of the kernel's source.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nvme nvme4: I/O tag 22 (2016) opcode 0x2 (Admin Cmd) QID 0 timeout, reset controller | NVME_TIMEOUT | nvme4",
        "nvme nvme1: I/O 12 QID 3 timeout, aborting | NVME_TIMEOUT | nvme1",
        "nvme nvme1: I/O 1 QID 1 timeout, completion polled | NVME_TIMEOUT | nvme1",
        "nvme nvme1: I/O tag 22 (1016) opcode 0x2 (I/O Cmd) QID 5 timeout, aborting req_op:READ(0) size:4096 | NVME_TIMEOUT | nvme1",
        "nvme nvme1: I/O tag 22 (1016) opcode 0x1 (I/O Cmd) QID 5 timeout, completion polled | NVME_TIMEOUT | nvme1",
        "nvme nvme1: I/O tag 22 (1016) opcode 0x2 (I/O Cmd) QID 5 timeout, reset controller | NVME_TIMEOUT | nvme1",
        "nvme nvme1: I/O 22 (Read) QID 5 timeout, aborting | NVME_TIMEOUT | nvme1",
        "nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff | NVME_DOWN | nvme1",
        "nvme nvme1: Removing after probe failure status: -19 | NVME_GONE | nvme1",
        "nvme nvme2: Disabling device after reset failure: -19 | NVME_GONE | nvme2",
        "blk_update_request: I/O error, dev nvme1n1, sector 2048 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0 | DISK_ERROR | nvme1n1",
        "I/O error, dev nvme1n1, sector 1953525 op 0x1:(WRITE) flags 0x0 phys_seg 2 prio class 2 | DISK_ERROR | nvme1n1",
        "critical medium error, dev nvme0n1, sector 7814037 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0 | DISK_ERROR | nvme0n1",
        "EXT4-fs error (device nvme1n1p1): ext4_find_entry:1455: inode #2: comm python: reading directory lblock 0 | FILESYSTEM_ERROR | nvme1n1p1",
        "EXT4-fs error (device nvme1n1) in ext4_reserve_inode_write:5764: Journal has aborted | FILESYSTEM_ERROR | nvme1n1",
        "EXT4-fs (sda1): Remounting filesystem read-only | FILESYSTEM_READ_ONLY | sda1",
        "EXT4-fs (md_scratch): Remounting filesystem read-only | FILESYSTEM_READ_ONLY | md_scratch",
        "EXT4-fs (md127p1): Remounting filesystem read-only | FILESYSTEM_READ_ONLY | md127p1",
        "EXT4-fs (dm-0): I/O error while writing superblock | FILESYSTEM_ERROR | dm-0",
        "EXT4-fs (md0): Remounting filesystem read-only | FILESYSTEM_READ_ONLY | md0",
        "BTRFS info (device nvme1n1: state EA): forced readonly | FILESYSTEM_READ_ONLY | nvme1n1",
        "XFS (nvme1n1): Metadata corruption detected at xfs_dir3_block_verify+0x1e/0x40 [xfs], xfs_dir3_block block 0x80 | FILESYSTEM_ERROR | nvme1n1",
        "XFS (dm-1): Corruption detected. Unmount and run xfs_repair | FILESYSTEM_ERROR | dm-1",
        "XFS (nvme1n1): Filesystem has been shut down due to log error (0x2). | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): I/O Error Detected. Shutting down filesystem | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Log I/O Error Detected.  Shutting down filesystem. | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): User initiated shutdown received. Shutting down filesystem | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Corruption of in-memory data detected.  Shutting down filesystem | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Log I/O Error (0x2) detected at xlog_ioend_work+0x75/0x90 (fs/xfs/xfs_log.c:1378).  Shutting down filesystem. | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Log I/O Error (0x2) detected at xlog_ioend_work+0x75/0x90 [xfs] (fs/xfs/xfs_log.c:1378).  Shutting down filesystem. | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Metadata I/O Error (0x1) detected at xfs_trans_read_buf_map+0x1b4/0x2f0 [xfs] (fs/xfs/xfs_trans_buf.c:296).  Shutting down filesystem. | FILESYSTEM_SHUTDOWN | nvme1n1",
        "XFS (nvme1n1): Corruption of in-memory data (0x8) detected at xfs_trans_cancel+0x10b/0x160 [xfs] (fs/xfs/xfs_trans.c:1098).  Shutting down filesystem. | FILESYSTEM_SHUTDOWN | nvme1n1",
      })
  void disksAndFileSystemsAreNamed(String line, HostFaultKind kind, String device) {
    assertThat(fault(line).kind()).isEqualTo(kind);
    assertThat(fault(line).device()).isEqualTo(device);
  }

  /** Lockups, hung tasks and kills are of gpud's test data and huronOS-build-tools#59. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:2254956] | SOFT_LOCKUP | cpu18 | python3 | 2254956",
        "watchdog: BUG: soft lockup - CPU#0 stuck for 27s! [cuda-EvtHandlr:2255424] | SOFT_LOCKUP | cpu0 | cuda-EvtHandlr | 2255424",
        "INFO: task containerd-shim:931150 blocked for more than 122 seconds. | HUNG_TASK | '' | containerd-shim | 931150",
        "INFO: task kworker/u8:3:21879 blocked for more than 966 seconds. | HUNG_TASK | '' | kworker/u8:3 | 21879",
        "INFO: task python:77 blocked in I/O wait for more than 122 seconds. | HUNG_TASK | '' | python | 77",
        "Out of memory: Killed process 9876 (nginx). | OOM_KILL | node | nginx | 9876",
        "Out of memory: Killed process 1234 (Plex Media Serv) total-vm:1000000kB, anon-rss:900000kB, file-rss:100kB | OOM_KILL | node | Plex Media Serv | 1234",
        "Memory cgroup out of memory: Killed process 13536 (memorymonster) total-vm:33558652kB, anon-rss:920kB, file-rss:452kB, shmem-rss:0kB, UID:1000 pgtables:1kB oom_score_adj:0 | OOM_KILL | cgroup | memorymonster | 13536",
        "Killed process 1234 (python) total-vm:1641384kB, anon-rss:524092kB, file-rss:0kB, shmem-rss:0kB | OOM_KILL | '' | python | 1234",
        "Out of memory: Killed process 4 (a) b (c) total-vm:1kB | OOM_KILL | node | a) b (c | 4",
      })
  void tasksAreNamedWithTheirPid(
      String line, HostFaultKind kind, String device, String process, long pid) {
    Fault fault = fault(line);
    assertThat(fault.kind()).isEqualTo(kind);
    assertThat(fault.device()).isEqualTo(device);
    assertThat(fault.process()).isEqualTo(process);
    assertThat(fault.pid()).isEqualTo(OptionalLong.of(pid));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rcu: INFO: rcu_sched self-detected stall on CPU",
        "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
        "rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 3-... } 21 jiffies s: 97 root: 0x8/.",
        "INFO: rcu_sched detected stalls on CPUs/tasks: { 4} (detected by 0, t=60002 jiffies)",
      })
  void stallsOfRcuAreRecognised(String line) {
    assertThat(fault(line).kind()).isEqualTo(HostFaultKind.RCU_STALL);
  }

  /**
   * Of geerlingguy/raspberry-pi-pcie-devices#116, minisforum-docs/MS-02-Ultra#10, hid-asus-dkms#33.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pcieport 0000:00:00.0: AER: Uncorrected (Non-Fatal) error received: 0000:01:00.0 | PCIE_NON_FATAL | 0000:01:00.0",
        "pcieport 0000:80:1b.4: AER: Correctable error message received from 0000:80:1b.4 | PCIE_CORRECTED | 0000:80:1b.4",
        "pcieport 0000:80:1b.4: AER: Uncorrectable (Fatal) error message received from 0000:53:00.0 | PCIE_FATAL | 0000:53:00.0",
        "pcieport 0000:00:1c.5: AER: Multiple Corrected error received: id=00e5 | PCIE_CORRECTED | 0000:00:1c.5",
        "NETDEV WATCHDOG: eth0 (ena): transmit queue 3 timed out | NETDEV_TIMEOUT | eth0",
        "NETDEV WATCHDOG: eth0 (ftgmac100): transmit queue 0 timed out 5010 ms | NETDEV_TIMEOUT | eth0",
        "r8125 0000:22:04.0 eth4: NETDEV WATCHDOG: CPU: 3: transmit queue 0 timed out 5010 ms | NETDEV_TIMEOUT | eth4",
      })
  void devicesAreNamed(String line, HostFaultKind kind, String device) {
    assertThat(fault(line).kind()).isEqualTo(kind);
    assertThat(fault(line).device()).isEqualTo(device);
  }

  @Test
  void theDetailsOfAPcieErrorNameTheDriver() {
    String line =
        "nvme 0000:53:00.0: AER: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Requester ID)";
    assertThat(HostMessages.read(line))
        .contains(new PcieDriver(Fault.of(HostFaultKind.PCIE_FATAL, "0000:53:00.0", line), "nvme"));
  }

  @ParameterizedTest
  @CsvSource({
    "' nvidia_isr+0x1633/0x1a40 [nvidia]', nvidia",
    "' krcWatchdog_IMPL+0x4d0/0x530 [nvidia d77db9053aae9deb06d908cd2319f68dd09798a6]', nvidia",
    "' uvm_va_space_destroy+0x1/0x2 [nvidia_uvm]', nvidia_uvm",
    "' ptlrpc_set_wait+0x4d2/0x740 [ptlrpc]', ptlrpc",
  })
  void aFrameNamesItsModule(String line, String module) {
    assertThat(HostMessages.read(line)).contains(new Frame(module));
  }

  @ParameterizedTest
  @CsvSource({
    "Call Trace:, STARTS",
    "Call trace:, STARTS",
    "' <TASK>', TASK_STARTS",
    "' </TASK>', TASK_ENDS",
    "CPU: 17 PID: 20004 Comm: python3 Tainted: P           OE      6.8.0-1029-aws, HEADER",
    "CPU: 17 UID: 0 PID: 20004 Comm: python3 Not tainted 6.14.0, HEADER",
    "'Hardware name: Amazon EC2 p5.48xlarge/, BIOS 1.0 10/16/2017', HEADER",
    "'NVRM: Xid (PCI:0000:53:00): 13, pid=1, name=p', INTERRUPTED",
    "INFO: task a:1 is blocked on a mutex likely owned by task b:2., INTERRUPTED",
    "INFO: task xyz blocked for more than 60 seconds., INTERRUPTED",
  })
  void theLinesAroundACallTraceAreRecognised(String line, Trace mark) {
    assertThat(HostMessages.WORDS).anyMatch(word -> line.contains(word) || line.contains("NVRM: "));
    assertThat(HostMessages.read(line)).contains(mark);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // What the kernel logs at every boot, from gpud's recorded logs.
        "EDAC MC0: Giving out device to module amd64_edac controller F19h_M10h: DEV 0000:00:18.3 (INTERRUPT)",
        "EXT4-fs (nvme0n1p2): mounted filesystem with ordered data mode. Opts: (null). Quota mode: none.",
        "EXT4-fs (nvme0n1p2): re-mounted. Opts: (null). Quota mode: none.",
        "EXT4-fs: Remounting filesystem read-write",
        "XFS (nvme1n1): Mounting V5 Filesystem",
        "XFS (nvme1n1): Ending clean mount",
        "nvme nvme0: 8/0/0 default/read/poll queues",
        "pcieport 0000:00:01.0: AER: enabled with IRQ 24",
        "mce: [Hardware Error]: Machine check events logged",
        "I/O error, dev loop0, sector 0 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0",
        " ? nvidia_isr+0x1633/0x1a40 [nvidia]",
        "Out of memory: Killed process invalid (test)",
        // Before Linux 5.0 the line of the kill follows.
        "Out of memory: Kill process 1234 (python) score 900 or sacrifice child",
        // A container's image, which any user can attach.
        "EXT4-fs (loop0): Remounting filesystem read-only",
        "EXT4-fs error (device loop0): ext4_find_entry:1455: inode #2: comm python: reading directory lblock 0",
        "EXT4-fs (loop3): I/O error while writing superblock",
        "EXT4-fs (nbd0): Remounting filesystem read-only",
        "BTRFS info (device loop0: state EA): forced readonly",
        "XFS (loop1): Filesystem has been shut down due to log error (0x2).",
        "XFS (loop1): Corruption detected. Unmount and run xfs_repair",
      })
  void otherMessagesSayNothing(String line) {
    assertThat(HostMessages.read(line)).isEmpty();
  }

  /** Users choose 15 bytes at the start of these messages, and the name of the file at the end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "EDAC MC0: 1 UE [123]: segfault at 0 ip 0000 sp 0000 error 4 in on DIMM (channel:0[400000+1000]",
        "EDAC MC0: 1 UEo invoked oom-killer: gfp_mask=0x100cca(GFP), order=0 on DIMM (channel:0",
        "XFS (nvme1n1): [77]: segfault at 0 ip 0 sp 0 error 4 in Shutting down filesystem[40000+1000]",
        "XFS (nvme1n1): (77): drop_caches: 1 Shutting down filesystem",
        "INFO: task a:1 [42]: segfault at 0 ip 0 sp 0 error 4 in blocked for more than 122 seconds.",
        "a program\nEDAC MC3: 1 UE memory read error on DIMM (channel:2 slot:0 page:0xb757589 offset:0xdc0 grain:32)",
        "python: EXT4-fs (md0): Remounting filesystem read-only",
        "Out of memory: Killed process 7 (0123456789abcdef) total-vm:1kB",
        "x Out of memory: Killed process 9876 (nginx).",
        "Killed process [1234]: segfault at 0 ip 0 sp 0 error 4 in 1 (a) total-vm:1kB, anon-rss:1[40000+1000]",
        "Killed process  invoked oom-killer: gfp_mask=0x100cca(GFP), order=0",
        "XFS (nvme1n1): Log[77]: segfault at 0 ip 0 sp 0 error 4 in a (0x2).  Shutting down filesystem[40000+1000]",
        "XFS (sda): Log [77]: segfault at 0 ip 0 sp 0 error 4 in  (a:1).  Shutting down filesystem[40000+1000]",
        "nvme nvme1: I/O[77]: segfault at 0 ip 0 sp 0 error 4 in timeout, abort[40000+1000]",
        "Call Trace:[77]: segfault at 0 ip 0 sp 0",
      })
  void noUserForgesAFault(String line) {
    assertThat(HostMessages.read(line)).isEmpty();
  }

  @Test
  void onlyTheFirstLineIsKept() {
    Fault fault = fault("EXT4-fs (md0): Remounting filesystem read-only\nEDAC MC0: 1 UE");
    assertThat(fault.text()).isEqualTo("EXT4-fs (md0): Remounting filesystem read-only");
    String tail = "x".repeat(5_000);
    assertThat(fault("EXT4-fs error (device md0): " + tail).text()).hasSize(HostMessage.MAX_TEXT);
  }

  @Test
  void garbageNeverThrows() {
    Random random = new Random(4711);
    String[] starts = {
      "EDAC MC",
      "mce: [Hardware Error]: CPU ",
      "nvme nvme",
      "EXT4-fs (",
      "XFS (",
      "INFO: task ",
      "Out of memory: Killed process ",
      "pcieport 0000:",
      "watchdog: BUG: soft lockup - CPU#",
      " "
    };
    String alphabet = "0123456789abcdef:()[].,#/ -_\n\u0000\ud83dCEUE";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(starts[random.nextInt(starts.length)]);
      for (int j = random.nextInt(80); j > 0; j--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      HostMessages.read(text.toString())
          .filter(Fault.class::isInstance)
          .ifPresent(fault -> assertThat(((Fault) fault).times()).isPositive());
    }
  }
}
