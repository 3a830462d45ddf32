package io.lapwing.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTableTest {

  private static List<CsvTable.Row> read(String text) throws IOException {
    return CsvTable.read("t.csv", new StringReader(text));
  }

  @Test
  void rowsAreReadByTheNamesOfTheirColumns() throws IOException {
    List<CsvTable.Row> rows = read("# about\nnumber,text\n\n7,\"one, \"\"two\"\"\"\n8,\n");

    assertThat(rows).extracting(row -> row.number("number")).containsExactly(7, 8);
    assertThat(rows).extracting(row -> row.text("text")).containsExactly("one, \"two\"", "");
    assertThat(rows.get(1).optionalNumber("text")).isEmpty();
  }

  @Test
  void errorsNameTheLine() {
    assertThatThrownBy(() -> read("a,b\n# about\n1,2,3\n"))
        .hasMessage("t.csv:3: 3 values for 2 columns");
    assertThatThrownBy(() -> read("a\n\"1\n"))
        .hasMessage("t.csv:2: a quote is opened and not closed");
    assertThatThrownBy(() -> read("a\nx\n").get(0).number("a"))
        .hasMessage("t.csv:2: a: 'x' is not a whole number");
    assertThatThrownBy(() -> read("a,b\n1,\n").get(0).number("b"))
        .hasMessage("t.csv:2: b: is empty");
    assertThatThrownBy(() -> read("a\n1\n").get(0).text("b"))
        .hasMessage("t.csv:2: there is no column b");
  }
}
