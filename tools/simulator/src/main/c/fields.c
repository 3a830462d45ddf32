#include "fields.h"

#include "counters.h"
#include "ecc_counts.h"
#include "nvlink.h"

/* The first id unknown to this driver. */
#if NVML_VINTAGE >= 595
enum { FIELD_IDS_END = 303 };
#elif NVML_VINTAGE >= 550
enum { FIELD_IDS_END = 223 };
#else
enum { FIELD_IDS_END = 168 };
#endif

enum { ALL_LINKS = 0xffffffff };

static nvmlReturn_t plain(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)scope;
  nvmlReturn_t answer = answer_double(call, field->quantity, value);
  *value *= field->scale;
  return answer;
}

/* Power and energy of the GPU; scopes module (1) and memory (2) exist only on other boards. */
static nvmlReturn_t power(const struct call *call, const struct field *field, unsigned scope, double *value) {
  if (scope > 2) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return scope > 0 ? NVML_ERROR_NOT_SUPPORTED : plain(call, field, scope, value);
}

static nvmlReturn_t energy(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)field;
  if (scope > 0) {
    return scope > 2 ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_SUPPORTED;
  }
  unsigned long long millijoules = 0;
  nvmlReturn_t answer = energy_millijoules(call, &millijoules);
  *value = (double)millijoules;
  return answer;
}

/* scale is 0 for corrected and 1 for uncorrected errors, link is the counter: see ECC_TOTAL. */
static nvmlReturn_t ecc_sum(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)scope;
  unsigned long long count = 0;
  nvmlReturn_t answer = ecc_total(call, (unsigned)field->scale, field->link, &count);
  *value = (double)count;
  return answer;
}

static nvmlReturn_t pcie_total(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)scope;
  unsigned long long bytes = 0;
  nvmlReturn_t answer = pcie_bytes(call, field->quantity, &bytes);
  *value = (double)bytes;
  return answer;
}

/* KiB sent or received by one link, or by all; scale is 1, or more for the raw counters, which see headers too. */
static nvmlReturn_t link_kibibytes(const struct call *call, const struct field *field, unsigned scope, double *value) {
  unsigned links = nvlink_count(call);
  double bytes = 0;
  if (scope != (unsigned)ALL_LINKS && scope >= links) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = nvlink_bytes(call, field->quantity, &bytes);
  double share = scope == (unsigned)ALL_LINKS ? 1 : 1.0 / links;
  *value = bytes * share * field->scale / 1024;
  return answer;
}

/* Bytes, or packets when scale is bytes to packets, of one fifth-generation link. */
static nvmlReturn_t link_units(const struct call *call, const struct field *field, unsigned scope, double *value) {
  double bytes = 0;
  if (scope >= nvlink_count(call)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = nvlink_bytes(call, field->quantity, &bytes);
  *value = bytes / nvlink_count(call) * field->scale;
  return answer;
}

static nvmlReturn_t link_errors_by_scope(const struct call *call, const struct field *field, unsigned scope,
                                         double *value) {
  if (scope >= nvlink_count(call)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *value = (double)nvlink_errors(call, field->quantity, scope);
  return NVML_SUCCESS;
}

static nvmlReturn_t link_errors_by_id(const struct call *call, const struct field *field, unsigned scope,
                                      double *value) {
  (void)scope;
  *value = (double)nvlink_errors(call, field->quantity, field->link);
  return field->link < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t link_speed_by_id(const struct call *call, const struct field *field, unsigned scope,
                                     double *value) {
  (void)scope;
  *value = nvlink_active(call, field->link) ? (double)count_of(call, Q_NVLINK_SPEED) : 0;
  return field->link < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t link_speed(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)field;
  *value = nvlink_active(call, scope) ? (double)count_of(call, Q_NVLINK_SPEED) : 0;
  return scope < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t link_state(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)field;
  *value = nvlink_active(call, scope);
  return scope < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t link_version(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)field;
  *value = nvlink_version(call);
  return scope < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t link_power_state(const struct call *call, const struct field *field, unsigned scope,
                                     double *value) {
  (void)field;
  *value = 0; /* high speed */
  return scope < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t links_to_switch(const struct call *call, const struct field *field, unsigned scope,
                                    double *value) {
  (void)field;
  (void)scope;
  *value = 0;
  for (unsigned link = 0; link < nvlink_count(call); link++) {
    *value += nvlink_active(call, link);
  }
  return NVML_SUCCESS;
}

static bool has_c2c_link(const struct call *call, unsigned link) { return link < count_of(call, Q_C2C_COUNT); }

static nvmlReturn_t c2c_state(const struct call *call, const struct field *field, unsigned scope, double *value) {
  (void)field;
  *value = scope + count_of(call, Q_C2C_DOWN) < count_of(call, Q_C2C_COUNT);
  return has_c2c_link(call, scope) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t c2c_speed(const struct call *call, const struct field *field, unsigned scope, double *value) {
  *value = (double)count_of(call, field->quantity);
  return has_c2c_link(call, scope) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t c2c_errors(const struct call *call, const struct field *field, unsigned scope, double *value) {
  *value = scope == count_of(call, Q_C2C_ERROR_LINK) ? (double)count_of(call, field->quantity) : 0;
  return has_c2c_link(call, scope) ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

#define U32 NVML_VALUE_TYPE_UNSIGNED_INT
#define U64 NVML_VALUE_TYPE_UNSIGNED_LONG_LONG
#define I32 NVML_VALUE_TYPE_SIGNED_INT

#define PLAIN(id, type, symbol) [id] = {plain, type, NEEDS_NOTHING, symbol, 1, 0}
#define MILLI(id, symbol) [id] = {power, U32, NEEDS_NOTHING, symbol, 1000, 0}
#define ECC_TOTAL(id, kind, counter) [id] = {ecc_sum, U64, NEEDS_NOTHING, Q_LOAD, kind, counter}
#define LINK_TOTAL(id, symbol) [id] = {plain, U64, NEEDS_NVLINK_4, symbol, 1, 0}
#define LINK_BY_SCOPE(id, needs, symbol) [id] = {link_errors_by_scope, U64, needs, symbol, 1, 0}
#define LINK(id, symbol, link) [id] = {link_errors_by_id, U64, NEEDS_NVLINK_4, symbol, 1, link}
#define SPEED(id, link) [id] = {link_speed_by_id, U32, NEEDS_NVLINK, Q_NVLINK_SPEED, 1, link}
#define OF_LINKS(id, reader) [id] = {reader, U32, NEEDS_NVLINK, Q_NVLINK_COUNT, 1, 0}
#define OF_C2C(id, reader, type, symbol) [id] = {reader, type, NEEDS_NOTHING, symbol, 1, 0}
#define SIX_LINKS(id, symbol, link)                                                              \
  LINK((id), symbol, (link)), LINK((id) + 1, symbol, (link) + 1), LINK((id) + 2, symbol, (link) + 2), \
      LINK((id) + 3, symbol, (link) + 3), LINK((id) + 4, symbol, (link) + 4), LINK((id) + 5, symbol, (link) + 5)
#define SIX_SPEEDS(id, link)                                                             \
  SPEED((id), (link)), SPEED((id) + 1, (link) + 1), SPEED((id) + 2, (link) + 2),         \
      SPEED((id) + 3, (link) + 3), SPEED((id) + 4, (link) + 4), SPEED((id) + 5, (link) + 5)

static const struct field fields[FIELDS_MAX] = {
    PLAIN(1, U32, Q_ECC_MODE),
    PLAIN(2, U32, Q_ECC_MODE_PENDING),
    ECC_TOTAL(3, ECC_CORRECTED, ECC_VOLATILE),
    ECC_TOTAL(4, ECC_UNCORRECTED, ECC_VOLATILE),
    ECC_TOTAL(5, ECC_CORRECTED, ECC_AGGREGATE),
    ECC_TOTAL(6, ECC_UNCORRECTED, ECC_AGGREGATE),
    PLAIN(7, U64, Q_ECC_COR_VOL_L1),
    PLAIN(8, U64, Q_ECC_UNC_VOL_L1),
    PLAIN(9, U64, Q_ECC_COR_VOL_L2),
    PLAIN(10, U64, Q_ECC_UNC_VOL_L2),
    PLAIN(11, U64, Q_ECC_COR_VOL_DRAM),
    PLAIN(12, U64, Q_ECC_UNC_VOL_DRAM),
    PLAIN(13, U64, Q_ECC_COR_VOL_REGISTER),
    PLAIN(14, U64, Q_ECC_UNC_VOL_REGISTER),
    PLAIN(15, U64, Q_ECC_COR_VOL_TEXTURE),
    PLAIN(16, U64, Q_ECC_UNC_VOL_TEXTURE),
    PLAIN(17, U64, Q_ECC_UNC_VOL_CBU),
    PLAIN(18, U64, Q_ECC_COR_AGG_L1),
    PLAIN(19, U64, Q_ECC_UNC_AGG_L1),
    PLAIN(20, U64, Q_ECC_COR_AGG_L2),
    PLAIN(21, U64, Q_ECC_UNC_AGG_L2),
    PLAIN(22, U64, Q_ECC_COR_AGG_DRAM),
    PLAIN(23, U64, Q_ECC_UNC_AGG_DRAM),
    PLAIN(24, U64, Q_ECC_COR_AGG_REGISTER),
    PLAIN(25, U64, Q_ECC_UNC_AGG_REGISTER),
    PLAIN(26, U64, Q_ECC_COR_AGG_TEXTURE),
    PLAIN(27, U64, Q_ECC_UNC_AGG_TEXTURE),
    PLAIN(28, U64, Q_ECC_UNC_AGG_CBU),
    PLAIN(29, U32, Q_RETIRED_SBE),
    PLAIN(30, U32, Q_RETIRED_DBE),
    PLAIN(31, U32, Q_RETIRED_PENDING),
    SIX_LINKS(32, Q_NVLINK_CRC_FLIT, 0),
    LINK_TOTAL(38, Q_NVLINK_CRC_FLIT),
    SIX_LINKS(39, Q_NVLINK_CRC_DATA, 0),
    LINK_TOTAL(45, Q_NVLINK_CRC_DATA),
    SIX_LINKS(46, Q_NVLINK_REPLAY, 0),
    LINK_TOTAL(52, Q_NVLINK_REPLAY),
    SIX_LINKS(53, Q_NVLINK_RECOVERY, 0),
    LINK_TOTAL(59, Q_NVLINK_RECOVERY),
    PLAIN(74, U64, Q_VIOLATION_POWER),
    PLAIN(75, U64, Q_VIOLATION_THERMAL),
    PLAIN(76, U64, Q_VIOLATION_SYNC_BOOST),
    PLAIN(77, U64, Q_VIOLATION_BOARD),
    PLAIN(78, U64, Q_VIOLATION_LOW_UTILIZATION),
    PLAIN(79, U64, Q_VIOLATION_RELIABILITY),
    PLAIN(80, U64, Q_VIOLATION_APP_CLOCKS),
    PLAIN(81, U64, Q_VIOLATION_BASE_CLOCKS),
    PLAIN(82, U32, Q_TEMPERATURE_MEMORY),
    [83] = {energy, U64, NEEDS_NOTHING, Q_POWER, 1, 0},
    SIX_SPEEDS(84, 0),
    [90] = {plain, U32, NEEDS_NVLINK, Q_NVLINK_SPEED, 1, 0},
    PLAIN(91, U32, Q_NVLINK_COUNT),
    PLAIN(92, U32, Q_RETIRED_PENDING),
    PLAIN(93, U32, Q_RETIRED_PENDING),
    PLAIN(94, U32, Q_PCIE_REPLAY),
    PLAIN(95, U32, Q_PCIE_REPLAY_ROLLOVER),
    SIX_LINKS(96, Q_NVLINK_CRC_FLIT, 6),
    SIX_LINKS(102, Q_NVLINK_CRC_DATA, 6),
    SIX_LINKS(108, Q_NVLINK_REPLAY, 6),
    SIX_LINKS(114, Q_NVLINK_RECOVERY, 6),
    SIX_SPEEDS(132, 6),
    [138] = {link_kibibytes, U64, NEEDS_NVLINK, Q_NVLINK_TX, 1, 0},
    [139] = {link_kibibytes, U64, NEEDS_NVLINK, Q_NVLINK_RX, 1, 0},
    [140] = {link_kibibytes, U64, NEEDS_NVLINK, Q_NVLINK_TX, 1.125, 0},
    [141] = {link_kibibytes, U64, NEEDS_NVLINK, Q_NVLINK_RX, 1.125, 0},
    PLAIN(142, U32, Q_ROWS_CORRECTABLE),
    PLAIN(143, U32, Q_ROWS_UNCORRECTABLE),
    PLAIN(144, U32, Q_ROWS_PENDING),
    PLAIN(145, U32, Q_ROWS_FAILURE),
    OF_LINKS(147, links_to_switch),
    SIX_LINKS(148, Q_NVLINK_ECC, 0),
    SIX_LINKS(154, Q_NVLINK_ECC, 6),
    LINK_TOTAL(160, Q_NVLINK_ECC),
    LINK_BY_SCOPE(161, NEEDS_NVLINK_4, Q_NVLINK_REPLAY),
    LINK_BY_SCOPE(162, NEEDS_NVLINK_4, Q_NVLINK_RECOVERY),
    LINK_BY_SCOPE(163, NEEDS_NVLINK_4, Q_NVLINK_CRC_FLIT),
    OF_LINKS(164, link_speed),
    OF_LINKS(165, link_state),
    OF_LINKS(166, link_version),
    OF_LINKS(167, link_power_state),
    PLAIN(169, U32, Q_PCIE_RECOVERY),
    PLAIN(170, U32, Q_C2C_COUNT),
    OF_C2C(171, c2c_state, U32, Q_C2C_COUNT),
    OF_C2C(172, c2c_speed, U32, Q_C2C_SPEED),
    PLAIN(173, U32, Q_PCIE_CORRECTABLE),
    PLAIN(174, U32, Q_PCIE_NAKS_RECEIVED),
    PLAIN(175, U32, Q_PCIE_RECEIVER_ERRORS),
    PLAIN(176, U32, Q_PCIE_BAD_TLP),
    PLAIN(177, U32, Q_PCIE_NAKS_SENT),
    PLAIN(178, U32, Q_PCIE_BAD_DLLP),
    PLAIN(179, U32, Q_PCIE_NON_FATAL),
    PLAIN(180, U32, Q_PCIE_FATAL),
    PLAIN(181, U32, Q_PCIE_UNSUPPORTED_REQUESTS),
    PLAIN(182, U32, Q_PCIE_LCRC),
    PLAIN(183, U32, Q_PCIE_LANE_ERRORS),
    MILLI(185, Q_POWER),
    MILLI(186, Q_POWER_INSTANT),
    MILLI(187, Q_POWER_LIMIT_MIN),
    MILLI(188, Q_POWER_LIMIT_MAX),
    MILLI(189, Q_POWER_LIMIT_DEFAULT),
    MILLI(190, Q_POWER_LIMIT),
    [191] = {energy, U64, NEEDS_NOTHING, Q_POWER, 1, 0},
    MILLI(192, Q_POWER_LIMIT_REQUESTED),
    PLAIN(193, I32, Q_TLIMIT_SHUTDOWN),
    PLAIN(194, I32, Q_TLIMIT_SLOWDOWN),
    PLAIN(195, I32, Q_TLIMIT_MEMORY_MAX),
    PLAIN(196, I32, Q_TLIMIT_GPU_MAX),
    [197] = {pcie_total, U64, NEEDS_NOTHING, Q_PCIE_TX, 1, 0},
    [198] = {pcie_total, U64, NEEDS_NOTHING, Q_PCIE_RX, 1, 0},
    [201] = {link_units, U64, NEEDS_NVLINK_5, Q_NVLINK_TX, 1.0 / 256, 0},
    [202] = {link_units, U64, NEEDS_NVLINK_5, Q_NVLINK_TX, 1, 0},
    [203] = {link_units, U64, NEEDS_NVLINK_5, Q_NVLINK_RX, 1.0 / 256, 0},
    [204] = {link_units, U64, NEEDS_NVLINK_5, Q_NVLINK_RX, 1, 0},
    LINK_BY_SCOPE(206, NEEDS_NVLINK_5, Q_NVLINK_MALFORMED),
    LINK_BY_SCOPE(207, NEEDS_NVLINK_5, Q_NVLINK_OVERRUN),
    LINK_BY_SCOPE(208, NEEDS_NVLINK_5, Q_NVLINK_RX_ERRORS),
    LINK_BY_SCOPE(209, NEEDS_NVLINK_5, Q_NVLINK_RX_REMOTE),
    LINK_BY_SCOPE(210, NEEDS_NVLINK_5, Q_NVLINK_RX_GENERAL),
    LINK_BY_SCOPE(211, NEEDS_NVLINK_5, Q_NVLINK_INTEGRITY),
    LINK_BY_SCOPE(212, NEEDS_NVLINK_5, Q_NVLINK_TX_DISCARDS),
    LINK_BY_SCOPE(213, NEEDS_NVLINK_5, Q_NVLINK_RECOVERY_OK),
    LINK_BY_SCOPE(214, NEEDS_NVLINK_5, Q_NVLINK_RECOVERY_FAILED),
    LINK_BY_SCOPE(215, NEEDS_NVLINK_5, Q_NVLINK_RECOVERY_TOTAL),
    LINK_BY_SCOPE(219, NEEDS_NVLINK_5, Q_NVLINK_EFFECTIVE_ERRORS),
    LINK_BY_SCOPE(220, NEEDS_NVLINK_5, Q_NVLINK_EFFECTIVE_BER),
    LINK_BY_SCOPE(221, NEEDS_NVLINK_5, Q_NVLINK_SYMBOL_ERRORS),
    LINK_BY_SCOPE(222, NEEDS_NVLINK_5, Q_NVLINK_SYMBOL_BER),
    PLAIN(226, U32, Q_RESET_REQUIRED),
    PLAIN(227, U32, Q_DRAIN_AND_RESET),
    PLAIN(230, U32, Q_RECOVERY_ACTION),
    OF_C2C(231, c2c_errors, U64, Q_C2C_CRC),
    OF_C2C(232, c2c_errors, U64, Q_C2C_REPLAY),
    OF_C2C(233, c2c_errors, U64, Q_C2C_REPLAY_B2B),
    LINK_BY_SCOPE(235, NEEDS_NVLINK_5, Q_NVLINK_FEC),
    PLAIN(269, U64, Q_VIOLATION_SW_THERMAL),
    PLAIN(270, U64, Q_VIOLATION_HW_THERMAL),
    PLAIN(271, U64, Q_VIOLATION_POWER_BRAKE),
    PLAIN(301, U32, Q_ROWS_CORRECTABLE_INACTIVE),
    PLAIN(302, U32, Q_ROWS_UNCORRECTABLE_INACTIVE),
};

const struct field *field_by_id(unsigned id) { return id > 0 && id < FIELD_IDS_END ? &fields[id] : NULL; }
