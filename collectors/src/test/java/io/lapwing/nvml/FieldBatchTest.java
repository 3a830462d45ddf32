package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.FieldValue;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldBatchTest {

  private static final FieldKey FIELD = NvmlField.TOTAL_ENERGY.whole();

  /** What a call writes into each entry. */
  private interface Entry {
    void answer(Pointer value, int id, int count);
  }

  /** A library whose calls answer each entry, and return a code by their number of entries. */
  private static ScriptedLibrary library(Entry entry, IntUnaryOperator code) {
    return new ScriptedLibrary()
        .with(
            "nvmlDeviceGetFieldValues",
            arguments -> {
              int count = (int) arguments[1];
              for (int i = 0; i < count; i++) {
                Pointer value = ((Pointer) arguments[2]).share((long) i * FieldValue.SIZE);
                entry.answer(value, value.getInt(FieldValue.FIELD_ID), count);
              }
              return code.applyAsInt(count);
            });
  }

  private static void put(Pointer value, int number) {
    value.setInt(FieldValue.VALUE_TYPE, 1);
    value.setInt(FieldValue.VALUE, number);
  }

  /** A library that answers one field with a type and what the test writes into the union. */
  private static Reading<Double> answer(int type, Consumer<Pointer> union) {
    ScriptedLibrary library =
        new ScriptedLibrary()
            .with(
                "nvmlDeviceGetFieldValues",
                arguments -> {
                  Pointer value = (Pointer) arguments[2];
                  value.setInt(FieldValue.VALUE_TYPE, type);
                  union.accept(value.share(FieldValue.VALUE));
                  return 0;
                });
    return new FieldBatch(library.library(), Pointer.createConstant(1), new Room())
        .read(List.of(FIELD))
        .get(FIELD);
  }

  @Test
  void theTypeSelectsTheMemberOfTheUnion() {
    assertThat(answer(0, union -> union.setDouble(0, 0.5))).isEqualTo(Reading.of(0.5));
    assertThat(answer(1, union -> union.setInt(0, -2))).isEqualTo(Reading.of(4294967294.0));
    assertThat(answer(2, union -> union.setLong(0, 7))).isEqualTo(Reading.of(7.0));
    assertThat(answer(3, union -> union.setLong(0, -2))).isEqualTo(Reading.of(0x1p64));
    assertThat(answer(4, union -> union.setLong(0, -8))).isEqualTo(Reading.of(-8.0));
    assertThat(answer(5, union -> union.setInt(0, -8))).isEqualTo(Reading.of(-8.0));
    assertThat(answer(6, union -> union.setShort(0, (short) -1))).isEqualTo(Reading.of(65535.0));
  }

  @Test
  void aNumberWithAllBitsSetIsAFailure() {
    Reading<Double> invalid = new Reading.Failed<>("field 83", "invalid_value");
    assertThat(answer(1, union -> union.setInt(0, -1))).isEqualTo(invalid);
    assertThat(answer(3, union -> union.setLong(0, -1))).isEqualTo(invalid);
    assertThat(answer(4, union -> union.setLong(0, -1))).as("signed").isEqualTo(Reading.of(-1.0));
  }

  @Test
  void aTypeThatIsNotKnownIsAFailureAndNoNumber() {
    assertThat(answer(7, union -> union.setLong(0, 1)))
        .isEqualTo(new Reading.Failed<>("field 83", "unknown_value_type"));
  }

  @Property
  void anUnsignedNumberIsNeverNegative(@ForAll long bits) {
    double exact = new BigInteger(Long.toUnsignedString(bits)).doubleValue();
    assertThat(FieldBatch.unsigned(bits)).isCloseTo(exact, withinPercentage(1e-12));
    assertThat(FieldBatch.unsigned(bits)).isGreaterThanOrEqualTo(0);
  }

  @Test
  void fieldsAndLinksKeepTheirOwnAnswers(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.0.power", "500");
    node.set("gpu.0.power.instant", "501");
    node.set("gpu.0.temperature.tlimit.shutdown", "-8");
    node.set("gpu.0.nvlink.inactive", "5");
    FieldKey down = NvmlField.NVLINK_STATE.link(5);
    FieldKey up = NvmlField.NVLINK_STATE.link(4);
    FieldKey noLink = NvmlField.NVLINK_STATE.link(18);
    FieldValues values =
        StillNode.gpu(node, 0)
            .fields(
                List.of(
                    NvmlField.POWER_AVERAGE.whole(),
                    NvmlField.POWER_INSTANT.whole(),
                    NvmlField.SHUTDOWN_MARGIN.whole(),
                    down,
                    up,
                    noLink));
    assertThat(values.get(NvmlField.POWER_AVERAGE.whole())).isEqualTo(Reading.of(500_000.0));
    assertThat(values.get(NvmlField.POWER_INSTANT.whole())).isEqualTo(Reading.of(501_000.0));
    assertThat(values.get(NvmlField.SHUTDOWN_MARGIN.whole())).isEqualTo(Reading.of(-8.0));
    assertThat(values.get(down)).isEqualTo(Reading.of(0.0));
    assertThat(values.get(up)).isEqualTo(Reading.of(1.0));
    assertThat(values.get(noLink)).isEqualTo(new Reading.Missing<>("field 165 scope 18"));
    assertThat(values.get(FIELD)).isEqualTo(new Reading.Unsupported<>("field 83"));
  }

  @Test
  void eachReadOfTheSameKeysHasItsOwnAnswers() {
    Queue<Long> numbers = new ArrayDeque<>(List.of(7L, 7L, 8L, -1L, 8L));
    ScriptedLibrary library =
        new ScriptedLibrary()
            .with(
                "nvmlDeviceGetFieldValues",
                arguments -> {
                  Pointer value = (Pointer) arguments[2];
                  value.setInt(FieldValue.VALUE_TYPE, 2);
                  value.setLong(FieldValue.VALUE, numbers.remove());
                  return numbers.isEmpty() ? 999 : 0;
                });
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = List.of(FIELD);
    Reading<Double> first = batch.read(keys).get(FIELD);

    assertThat(first).isEqualTo(Reading.of(7.0));
    assertThat(batch.read(keys).get(FIELD)).isSameAs(first);
    assertThat(batch.read(keys).get(FIELD)).isEqualTo(Reading.of(8.0));
    assertThat(batch.read(keys).get(FIELD).failure()).contains("invalid_value");
    assertThat(batch.read(keys).get(FIELD).failure()).contains("unknown");
  }

  @Test
  void aFieldThatTheDriverIsTooOldForIsMissing(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    FieldKey power = NvmlField.POWER_AVERAGE.whole();
    NvmlGpu old = StillNode.gpu(node, Variant.OLD, 0);
    assertThat(old.fields(List.of(power)).get(power)).isEqualTo(new Reading.Missing<>("field 185"));
    assertThat(old.absences()).containsExactly("field 185 (POWER_AVERAGE): not in this library");
  }

  @Test
  void whatIsAbsentIsNotReadAgain(@TempDir Path dir) {
    SimulatedNode node = StillNode.p5(dir);
    ScriptedLibrary library = ScriptedLibrary.over(StillNode.library(node, Variant.NEW));
    NvmlGpu gpu =
        StillNode.present(
            StillNode.initialised(new JnaNvml(library.library(), System::nanoTime)).gpu(0));
    List<FieldKey> retired = List.of(NvmlField.RETIRED_DBE.whole());
    assertThat(gpu.fields(retired).get(retired.get(0))).isInstanceOf(Reading.Unsupported.class);
    assertThat(gpu.fields(retired).get(retired.get(0))).isInstanceOf(Reading.Unsupported.class);
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(1);
  }

  /**
   * As an H100 with driver 580.159.04: among others one field is said not to be supported, one is
   * 0, and one entry is left as it was.
   */
  @Test
  void aDoubtfulAnswerAmongOthersIsAskedAgainAlone() {
    FieldKey unsupported = NvmlField.ECC_PENDING.whole();
    FieldKey zero = NvmlField.POWER_MIN_LIMIT.whole();
    FieldKey untouched = NvmlField.POWER_MAX_LIMIT.whole();
    FieldKey never = NvmlField.NVSWITCH_CONNECTED_LINK_COUNT.whole();
    FieldKey correct = NvmlField.PCIE_REPLAY.whole();
    List<List<Integer>> calls = new ArrayList<>();
    ScriptedLibrary library =
        new ScriptedLibrary()
            .with(
                "nvmlDeviceGetFieldValues",
                arguments -> {
                  Pointer values = (Pointer) arguments[2];
                  int count = (int) arguments[1];
                  List<Integer> ids = new ArrayList<>();
                  for (int i = 0; i < count; i++) {
                    Pointer value = values.share((long) i * FieldValue.SIZE);
                    int id = value.getInt(FieldValue.FIELD_ID);
                    ids.add(id);
                    boolean alone = count == 1;
                    if (id == never.field().id() || (id == untouched.field().id() && !alone)) {
                      continue;
                    }
                    value.setInt(FieldValue.VALUE_TYPE, 1);
                    if (id == unsupported.field().id() && !alone) {
                      value.setInt(FieldValue.NVML_RETURN, 3);
                    } else if (id != zero.field().id() || alone) {
                      value.setInt(FieldValue.VALUE, id);
                    }
                  }
                  calls.add(ids);
                  return 0;
                });
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = List.of(unsupported, correct, never, zero, untouched);
    for (int round = 0; round < 3; round++) {
      FieldValues values = batch.read(keys);
      assertThat(values.get(unsupported)).isEqualTo(Reading.of(2.0));
      assertThat(values.get(correct)).isEqualTo(Reading.of(94.0));
      assertThat(values.get(zero)).isEqualTo(Reading.of(187.0));
      assertThat(values.get(untouched)).isEqualTo(Reading.of(188.0));
      assertThat(values.get(never)).isEqualTo(new Reading.Unsupported<>("field 147"));
    }
    assertThat(calls.subList(0, 5))
        .containsExactly(
            List.of(2, 94, 147, 187, 188), List.of(2), List.of(147), List.of(187), List.of(188));
    assertThat(calls.subList(5, 9))
        .as("in later rounds")
        .containsExactly(List.of(94), List.of(2), List.of(187), List.of(188));
  }

  /** NVML documents success where any field has a value. */
  @Test
  void aCallWithoutAnyValueIsNoAnswerAboutOtherFields() {
    FieldKey unsupported = NvmlField.RETIRED_DBE.whole();
    FieldKey tooNew = NvmlField.POWER_AVERAGE.whole();
    FieldKey correct = NvmlField.PCIE_REPLAY.whole();
    ScriptedLibrary library =
        new ScriptedLibrary()
            .with(
                "nvmlDeviceGetFieldValues",
                arguments -> {
                  Pointer value = (Pointer) arguments[2];
                  int id = value.getInt(FieldValue.FIELD_ID);
                  if ((int) arguments[1] > 1 || id == unsupported.field().id()) {
                    return 3;
                  }
                  value.setInt(FieldValue.VALUE_TYPE, 1);
                  value.setInt(FieldValue.VALUE, id);
                  return id == tooNew.field().id() ? 2 : 0;
                });
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = List.of(unsupported, correct, tooNew);
    for (int round = 0; round < 2; round++) {
      FieldValues values = batch.read(keys);
      assertThat(values.failure()).isEmpty();
      assertThat(values.get(unsupported)).isInstanceOf(Reading.Unsupported.class);
      assertThat(values.get(tooNew)).isEqualTo(new Reading.Missing<>("field 185"));
      assertThat(values.get(correct)).isEqualTo(Reading.of(94.0));
    }
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(5);
  }

  @Test
  void afterAFailedCallNoValueOfAnEarlierRoundIsLeft() {
    AtomicInteger code = new AtomicInteger();
    ScriptedLibrary library = library((value, id, count) -> put(value, 7), count -> code.get());
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = IntStream.range(0, 60).mapToObj(NvmlField.NVLINK_STATE::link).toList();
    assertThat(batch.read(keys).get(keys.get(59))).isEqualTo(Reading.of(7.0));
    code.set(15);
    FieldValues lost = batch.read(keys);
    assertThat(lost.failure()).contains("gpu_is_lost");
    assertThat(keys).allMatch(key -> lost.get(key).failure().equals(Optional.of("gpu_is_lost")));
  }

  /**
   * A GPU that is lost after the list has been read is not asked for each of hundreds of fields.
   */
  @Test
  void afterTheFirstKeyThatFailsAloneNoOtherIsAskedInThatRound() {
    AtomicInteger alone = new AtomicInteger(15);
    ScriptedLibrary library =
        library((value, id, count) -> put(value, 0), count -> count > 1 ? 0 : alone.get());
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = IntStream.range(0, 40).mapToObj(NvmlField.NVLINK_STATE::link).toList();
    FieldValues lost = batch.read(keys);
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(2);
    assertThat(lost.failure()).isEmpty();
    assertThat(keys).allMatch(key -> lost.get(key).failure().equals(Optional.of("gpu_is_lost")));
    alone.set(0);
    FieldValues back = batch.read(keys);
    assertThat(keys).allMatch(key -> back.get(key).equals(Reading.of(0.0)));
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(2 + 1 + 40);
  }

  @Test
  void aZeroThatWasConfirmedIsNotAskedAloneAgain() {
    ScriptedLibrary library = library((value, id, count) -> put(value, 0), count -> 0);
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys =
        List.of(NvmlField.ECC_SBE_VOL_TOTAL.whole(), NvmlField.ECC_DBE_VOL_TOTAL.whole());
    batch.read(keys);
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(3);
    assertThat(batch.read(keys).get(keys.get(0))).isEqualTo(Reading.of(0.0));
    assertThat(library.count("nvmlDeviceGetFieldValues")).isEqualTo(4);
  }

  /** The driver leaves the entry at 0 among others, also when the field has a value. */
  @Test
  void aZeroThatIsNoLongerTrueIsFoundInTime() {
    AtomicInteger errors = new AtomicInteger();
    FieldKey zero = NvmlField.ECC_DBE_VOL_TOTAL.whole();
    ScriptedLibrary library =
        library(
            (value, id, count) ->
                put(value, id != zero.field().id() ? 7 : count > 1 ? 0 : errors.get()),
            count -> 0);
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> keys = List.of(NvmlField.ECC_SBE_VOL_TOTAL.whole(), zero);
    assertThat(batch.read(keys).get(zero)).isEqualTo(Reading.of(0.0));
    errors.set(3);
    int reads = 1;
    while (batch.read(keys).get(zero).equals(Reading.of(0.0)) && reads < 100) {
      reads++;
    }
    assertThat(reads).isLessThan(8);
    errors.set(4);
    assertThat(batch.read(keys).get(zero))
        .as("asked alone from then on")
        .isEqualTo(Reading.of(4.0));
  }

  /** As the values of the slow cadence, which are due in each twelfth round. */
  @Test
  void aZeroOfAListThatIsReadSeldomIsFoundToo() {
    AtomicInteger errors = new AtomicInteger();
    FieldKey zero = NvmlField.ECC_DBE_VOL_TOTAL.whole();
    ScriptedLibrary library =
        library(
            (value, id, count) ->
                put(value, id != zero.field().id() ? 7 : count > 1 ? 0 : errors.get()),
            count -> 0);
    FieldBatch batch = new FieldBatch(library.library(), Pointer.createConstant(1), new Room());
    List<FieldKey> often = List.of(FIELD, NvmlField.ECC_SBE_VOL_TOTAL.whole());
    List<FieldKey> seldom = List.of(FIELD, zero);
    batch.read(seldom);
    errors.set(3);
    for (int round = 0; round < 8; round++) {
      for (int i = 0; i < 11; i++) {
        batch.read(often);
      }
      batch.read(seldom);
    }
    assertThat(batch.read(seldom).get(zero)).isEqualTo(Reading.of(3.0));
  }

  @Test
  void aLongListIsSeveralCalls(@TempDir Path dir) {
    ScriptedLibrary library =
        ScriptedLibrary.over(StillNode.library(StillNode.p5(dir), Variant.NEW));
    NvmlGpu gpu =
        StillNode.present(
            StillNode.initialised(new JnaNvml(library.library(), System::nanoTime)).gpu(0));
    List<FieldKey> links =
        IntStream.range(0, 18)
            .boxed()
            .flatMap(
                link ->
                    Stream.of(
                        NvmlField.NVLINK_STATE.link(link),
                        NvmlField.NVLINK_SPEED.link(link),
                        NvmlField.NVLINK_DATA_TX.link(link)))
            .toList();
    FieldValues values = gpu.fields(links);
    assertThat(links).hasSize(54).allMatch(link -> values.get(link) instanceof Reading.Present);
    assertThat(library.count("nvmlDeviceGetFieldValues")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aLongerBatchAfterAShorterOneHasRoom(@TempDir Path dir) {
    NvmlGpu gpu = StillNode.gpu(StillNode.p5(dir), 0);
    assertThat(gpu.fields(List.of(FIELD)).get(FIELD)).isInstanceOf(Reading.Present.class);
    List<FieldKey> links = IntStream.range(0, 18).mapToObj(NvmlField.NVLINK_STATE::link).toList();
    FieldValues values = gpu.fields(links);
    assertThat(links).allMatch(link -> values.get(link).equals(Reading.of(1.0)));
  }
}
