package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.DcgmFields.DcgmField;
import io.lapwing.gpu.DcgmFields.DcgmField.Answer;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of DCGM's fields against the code that answers them. */
class DcgmFieldsTest {

  private final DcgmFields fields = DcgmFields.load();
  private final Collection<DcgmField> all = fields.all();

  private List<String> named(Answer answer) {
    return all.stream().filter(field -> field.answer() == answer).map(DcgmField::name).toList();
  }

  @Test
  void idsAndNamesAreUnique() {
    assertThat(all).hasSizeGreaterThan(150);
    assertThat(all.stream().map(DcgmField::id)).doesNotHaveDuplicates();
    assertThat(all.stream().map(DcgmField::name)).doesNotHaveDuplicates();
    assertThat(all.stream().map(DcgmField::newName)).doesNotHaveDuplicates();
  }

  @Test
  void eitherNameMeansTheSameField() {
    assertThat(all)
        .allSatisfy(
            field -> {
              assertThat(fields.named(field.name())).contains(field);
              assertThat(fields.named(field.newName())).contains(field);
            });
  }

  @Test
  void everyMetricRowHasItsFamilyAndEveryFamilyItsRow() {
    assertThat(named(Answer.METRIC))
        .containsExactlyInAnyOrderElementsOf(
            MetricCatalogue.of(DcgmMetrics.class).metrics().stream().map(Metric::name).toList());
  }

  @Test
  void everyLabelRowHasItsLabelAndEveryLabelItsRow() {
    assertThat(named(Answer.LABEL))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(LabelField.values()).map(LabelField::metricName).toList());
  }

  @Test
  void onlyUnavailableFieldsHaveAReason() {
    assertThat(all)
        .allSatisfy(
            field -> assertThat(field.whyNot().isBlank()).isEqualTo(field.answer() != Answer.NONE));
  }

  @Test
  void noNameOfOneFieldIsTheOtherNameOfAnother() {
    assertThat(all)
        .allSatisfy(
            field ->
                assertThat(all)
                    .filteredOn(other -> other.newName().equals(field.name()))
                    .allMatch(other -> other.id() == field.id()));
  }

  @Test
  void theNearestNameIsFoundAcrossOneOrTwoSlips() {
    assertThat(fields.nearest("DCGM_FI_DEV_GPU_TEM")).contains("DCGM_FI_DEV_GPU_TEMP");
    assertThat(fields.nearest("DCGM_FI_PROF_SM_ACTVIE")).contains("DCGM_FI_PROF_SM_ACTIVE");
    assertThat(fields.nearest("")).isEmpty();
    assertThat(fields.nearest("something_else_altogether")).isEmpty();
  }
}
