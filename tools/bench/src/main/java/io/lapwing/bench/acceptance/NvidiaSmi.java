package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Runs {@code nvidia-smi}, and parses the output of {@code -q -x}. */
final class NvidiaSmi {

  private NvidiaSmi() {}

  static List<SmiGpu> query() throws IOException, InterruptedException {
    Process process = start("-q", "-x");
    byte[] xml = process.getInputStream().readAllBytes();
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException("nvidia-smi ended with " + code);
    }
    return parse(xml);
  }

  /** The output of another query; empty if nvidia-smi refuses it. */
  static String text(String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments);
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0 ? text : "";
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("nvidia-smi"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  static List<SmiGpu> parse(byte[] xml) throws IOException {
    Element root = document(xml).getDocumentElement();
    String driver = root.getElementsByTagName("driver_version").item(0).getTextContent().strip();
    NodeList gpus = root.getElementsByTagName("gpu");
    List<SmiGpu> result = new ArrayList<>();
    for (int i = 0; i < gpus.getLength(); i++) {
      result.add(new SmiGpu(i, driver, (Element) gpus.item(i)));
    }
    return result;
  }

  private static Document document(byte[] xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      // The output refers to a DTD that does not exist on this host.
      factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
      return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("nvidia-smi -q -x gave something that is no XML: " + e.getMessage(), e);
    }
  }
}
