package io.lapwing.jobs;

/** What is known of a job beside its id. What is not known is empty. */
record JobDetails(String user, String account, String partition) {

  static final JobDetails NONE = new JobDetails("", "", "");
}
