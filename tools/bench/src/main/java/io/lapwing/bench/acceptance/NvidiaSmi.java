package io.lapwing.bench.acceptance;

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

/** Runs {@code nvidia-smi -q -x} and parses its output. */
final class NvidiaSmi {

  private NvidiaSmi() {}

  static List<SmiGpu> query() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("nvidia-smi", "-q", "-x")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    byte[] xml = process.getInputStream().readAllBytes();
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException("nvidia-smi ended with " + code);
    }
    return parse(xml);
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
