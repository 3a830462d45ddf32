package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real formats are exposed under Lapwing's names. */
class EnginePagesTest {

  @Test
  void vllmWithTwoEngineIndexesIsOneModel() throws IOException {
    String who = "{engine=\"vllm\",model=\"Qwen/Qwen3-8B\"";

    assertThat(read("vllm-v1.txt"))
        .contains(
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"0.02\"} 1",
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"1.0\"} 8",
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"2.5\"} 10",
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"+Inf\"} 12",
            "lapwing_inference_time_to_first_token_seconds_count" + who + "} 12",
            "lapwing_inference_time_to_first_token_seconds_sum" + who + "} 15.193",
            "lapwing_inference_inter_token_latency_seconds_bucket" + who + ",le=\"0.025\"} 6",
            "lapwing_inference_inter_token_latency_seconds_count" + who + "} 8",
            "lapwing_inference_request_duration_seconds_bucket" + who + ",le=\"0.5\"} 8",
            "lapwing_inference_request_duration_seconds_sum" + who + "} 89",
            "lapwing_inference_requests_running" + who + "} 8",
            "lapwing_inference_requests_waiting" + who + "} 2",
            "lapwing_inference_kv_cache_usage_ratio" + who + "} 0.5",
            "lapwing_inference_prompt_tokens_total" + who + "} 8129902",
            "lapwing_inference_generation_tokens_total" + who + "} 1000",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"stop\"} 9",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"length\"} 1",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"abort\"} 2",
            "lapwing_inference_queue_time_seconds_count" + who + "} 12",
            "lapwing_inference_preemptions_total" + who + "} 7")
        .hasSize(23 + 20 + 2 * 22 + 4 * 2 + 7 + 2 + 2);
  }

  @Test
  void olderVllmHasOtherNamesForLatencyAndCache() throws IOException {
    String who = "{engine=\"vllm\",model=\"meta-llama/Llama-2-7b-hf\"";

    assertThat(read("vllm-v0.txt"))
        .contains(
            "lapwing_inference_inter_token_latency_seconds_count" + who + "} 4",
            "lapwing_inference_kv_cache_usage_ratio" + who + "} 0.125",
            "lapwing_inference_preemptions_total" + who + "} 1");
  }

  @Test
  void sglangsSchedulersAreCountedOnceForEachReplica() throws IOException {
    String who = "{engine=\"sglang\",model=\"deepseek-ai/DeepSeek-V3\"";

    assertThat(read("sglang-0.5.txt"))
        .contains(
            "lapwing_inference_requests_running" + who + "} 20",
            "lapwing_inference_requests_waiting" + who + "} 5",
            "lapwing_inference_preemptions_total" + who + "} 5",
            "lapwing_inference_kv_cache_usage_ratio" + who + "} 0.31",
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"0.2\"} 2",
            "lapwing_inference_time_to_first_token_seconds_count" + who + "} 4",
            "lapwing_inference_inter_token_latency_seconds_bucket" + who + ",le=\"0.015\"} 4",
            "lapwing_inference_request_duration_seconds_bucket" + who + ",le=\"1200.0\"} 3",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"\"} 11228",
            "lapwing_inference_generation_tokens_total" + who + "} 7557572");
  }

  @Test
  void olderSglangHasAnotherNameForLatency() throws IOException {
    String who = "{engine=\"sglang\",model=\"meta-llama/Llama-3.1-8B-Instruct\"";

    assertThat(read("sglang-0.4.txt"))
        .contains(
            "lapwing_inference_inter_token_latency_seconds_bucket" + who + ",le=\"0.015\"} 3",
            "lapwing_inference_requests_waiting" + who + "} 2826")
        .noneMatch(line -> line.contains("preemptions"));
  }

  @Test
  void tgiHasNoModelAndNoTimeToFirstToken() throws IOException {
    String who = "{engine=\"tgi\",model=\"\"";

    assertThat(read("tgi-3.txt"))
        .contains(
            "lapwing_inference_requests_running" + who + "} 9",
            "lapwing_inference_requests_waiting" + who + "} 4",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"\"} 148",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"error\"} 3",
            "lapwing_inference_queue_time_seconds_count" + who + "} 4",
            "lapwing_inference_prompt_tokens_total" + who + "} 260",
            "lapwing_inference_generation_tokens_total" + who + "} 1500",
            "lapwing_inference_request_duration_seconds_count" + who + "} 4",
            "lapwing_inference_inter_token_latency_seconds_bucket"
                + who
                + ",le=\"0.0011390624999999999\"} 0")
        .noneMatch(line -> line.contains("first_token") || line.contains("kv_cache"));
  }

  @Test
  void dynamosFrontendHasSeveralModels() throws IOException {
    String kimi = "{engine=\"dynamo\",model=\"moonshotai/kimi-k2.5\"";
    String qwen = "{engine=\"dynamo\",model=\"qwen/qwen3-0.6b\"";

    assertThat(read("dynamo-1.txt"))
        .contains(
            "lapwing_inference_requests_running" + kimi + "} 12",
            "lapwing_inference_requests_waiting" + kimi + "} 7",
            "lapwing_inference_requests_finished_total" + kimi + ",reason=\"\"} 6000",
            "lapwing_inference_requests_finished_total" + kimi + ",reason=\"error\"} 100",
            "lapwing_inference_requests_finished_total" + qwen + ",reason=\"\"} 1",
            "lapwing_inference_generation_tokens_total" + qwen + "} 12",
            "lapwing_inference_prompt_tokens_total" + kimi + "} 2000",
            "lapwing_inference_time_to_first_token_seconds_bucket" + kimi + ",le=\"0\"} 0",
            "lapwing_inference_time_to_first_token_seconds_bucket" + kimi + ",le=\"2.2\"} 3",
            "lapwing_inference_inter_token_latency_seconds_count" + qwen + "} 2")
        .noneMatch(line -> line.contains("kv_cache"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vllm-v1.txt",
        "vllm-v0.txt",
        "sglang-0.5.txt",
        "sglang-0.4.txt",
        "tgi-3.txt",
        "trtllm-1.txt",
        "dynamo-1.txt"
      })
  void commentsDoNotMatter(String resource) throws IOException {
    String bare =
        ReadEngine.page(resource)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(Collectors.joining("\n", "", "\n"));

    assertThat(ReadEngine.linesOf(bare)).isEqualTo(read(resource));
  }

  @ParameterizedTest
  @CsvSource({
    "vllm-v1.txt,vllm:time_to_first_token_seconds,lapwing_inference_time_to_first_token_seconds",
    "sglang-0.5.txt,sglang:inter_token_latency_seconds,lapwing_inference_inter_token_latency_seconds",
    "tgi-3.txt,tgi_request_duration,lapwing_inference_request_duration_seconds",
    "dynamo-1.txt,dynamo_frontend_request_duration_seconds,lapwing_inference_request_duration_seconds"
  })
  void theBoundsAreTheEnginesLetterForLetter(String resource, String theirs, String ours)
      throws IOException {
    List<String> page = ReadEngine.page(resource).lines().toList();

    assertThat(bounds(read(resource), ours)).isEqualTo(bounds(page, theirs)).hasSizeGreaterThan(9);
  }

  private static List<String> bounds(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name + "_bucket{"))
        .map(line -> line.replaceAll(".*[{,]le=\"([^\"]*)\".*", "$1"))
        .distinct()
        .toList();
  }

  @Test
  void aModelNameIsStrippedOfControlCharacters() throws IOException {
    String odd = "vllm:num_requests_running{model_name=\"%s\"} 1\n";
    String page =
        Arrays.stream(
                new String[] {
                  "/models/a b/ü}\\\"q\\\"", "c:\\\\m", "line\\nbreak\u0007", "x".repeat(3000), ""
                })
            .map(odd::formatted)
            .collect(Collectors.joining());

    assertThat(ReadEngine.linesOf(page))
        .extracting(line -> line.replaceAll(".*model=\"(.*)\"} 1", "$1"))
        .containsExactlyInAnyOrder(
            "/models/a b/ü}\"q\"", "c:\\m", "linebreak", "x".repeat(256), "");
  }

  @Test
  void tensorrtLlmBehindADynamoWorkerIsItself() throws IOException {
    String who = "{engine=\"trtllm\",model=\"Qwen/Qwen3-8B\"";

    assertThat(read("trtllm-1.txt"))
        .contains(
            "lapwing_inference_time_to_first_token_seconds_bucket" + who + ",le=\"0.25\"} 9",
            "lapwing_inference_inter_token_latency_seconds_count" + who + "} 12",
            "lapwing_inference_request_duration_seconds_sum" + who + "} 31.5",
            "lapwing_inference_queue_time_seconds_bucket" + who + ",le=\"0.3\"} 11",
            "lapwing_inference_requests_running" + who + "} 4",
            "lapwing_inference_requests_waiting" + who + "} 2",
            "lapwing_inference_kv_cache_usage_ratio" + who + "} 0.62",
            "lapwing_inference_prompt_tokens_total" + who + "} 4800",
            "lapwing_inference_prefix_cache_hit_tokens_total" + who + "} 1200",
            "lapwing_inference_generation_tokens_total" + who + "} 2400",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"stop\"} 10",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"length\"} 1",
            "lapwing_inference_requests_finished_total" + who + ",reason=\"other\"} 1")
        .noneMatch(line -> line.contains("preemptions"));
  }

  @Test
  void theFormerPrefixOfTensorrtLlmIsRecognized() throws IOException {
    String page = ReadEngine.page("trtllm-1.txt").replace("trtllm_", "trtllm:");

    assertThat(ReadEngine.linesOf(page)).isEqualTo(read("trtllm-1.txt"));
  }

  @Test
  void theNamesOfSglangsRouterAreRecognized() throws IOException {
    String page = ReadEngine.page("sglang-0.5.txt").replace("sglang:", "sglang_");

    assertThat(ReadEngine.linesOf(page)).isEqualTo(read("sglang-0.5.txt"));
  }

  @Test
  void theWorkersOfARouterAreAdded() throws IOException {
    String page =
        """
        sglang_num_running_reqs{dp_rank="0",model_name="m",tp_rank="0",worker_addr="http://a:1"} 3.0
        sglang_num_running_reqs{dp_rank="0",model_name="m",tp_rank="1",worker_addr="http://a:1"} 3.0
        sglang_num_running_reqs{dp_rank="0",model_name="m",tp_rank="0",worker_addr="http://b:1"} 4.0
        """;

    assertThat(ReadEngine.linesOf(page))
        .contains("lapwing_inference_requests_running{engine=\"sglang\",model=\"m\"} 7");
  }

  @Test
  void theFormerDynamoPrefixIsRecognized() throws IOException {
    String page =
        ReadEngine.page("dynamo-1.txt").replace("dynamo_frontend_", "nv_llm_http_service_");

    assertThat(ReadEngine.linesOf(page)).isEqualTo(read("dynamo-1.txt"));
  }

  @Test
  void aDynamoWorkerIsTheEngineThatItRuns() throws IOException {
    String page =
        "dynamo_component_requests_total{model=\"m\"} 4\n" + ReadEngine.page("vllm-v1.txt");

    assertThat(ReadEngine.linesOf(page)).isEqualTo(read("vllm-v1.txt"));
  }

  private static List<String> read(String resource) throws IOException {
    return ReadEngine.linesOf(ReadEngine.page(resource));
  }
}
