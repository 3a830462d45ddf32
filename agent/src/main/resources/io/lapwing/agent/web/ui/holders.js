// Whom a GPU is allocated to; where a job is unknown, which sources were asked for it.

/** row: of `gpus` in /api/v1/live; sources: its `job_sources`. */
export function holder(row, sources = []) {
  if (row.job_id) return [`job ${row.job_id}`, row.job_name, row.user].filter(Boolean).join(" · ");
  if (row.pod) return `pod ${row.pod}`;
  // A mapping or the kubelet would have named a job or a pod: only a process is left.
  if (row.allocated === 1) return `a process${row.user ? ` of ${row.user}` : ""}, job unknown: ${missing(row, sources).join(", ")}`;
  return row.allocated === 0 ? "free" : "";
}

function missing(row, sources) {
  const up = Object.fromEntries(sources.map((one) => [one.source, one.up]));
  const kubelet = up.pod_resources === 1 || up.checkpoint === 1 ? "not in the kubelet's list" : "the kubelet does not answer";
  return [
    row.user ? "not in the cgroup of a job" : "cgroup not readable",
    up.mapping === undefined ? "no job mapping" : up.mapping === 1 ? "not in the job mapping" : "job mapping not readable",
    up.pod_resources === undefined && up.checkpoint === undefined ? "" : kubelet,
  ].filter(Boolean);
}
