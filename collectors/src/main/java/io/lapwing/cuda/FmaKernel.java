package io.lapwing.cuda;

/**
 * The arithmetic test: chains of {@code x = x * x + c} with one rounding each ({@code fma.rn.f32}).
 * For c = -1.9 the sequence is chaotic, so that one wrong bit changes all later values; it stays
 * within [-2, 2]. IEEE 754 defines every result, so host and GPU agree bit by bit.
 *
 * <p>A thread computes {@link #CHAINS} chains whose starts depend on its number modulo {@link
 * #LANES}, and writes the exclusive or of their last values.
 */
final class FmaKernel {

  static final String NAME = "lapwing_fma";
  static final int LANES = 256;
  static final int CHAINS = 8;
  static final float C = -1.9f;

  /** Operations of one step of one chain: a multiplication and an addition. */
  static final int OPERATIONS = 2;

  private static final int UNROLLED = 4;

  private FmaKernel() {}

  /** What each lane computes; {@code steps} is a multiple of 4. */
  static int[] expected(int steps) {
    int[] lanes = new int[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      for (int chain = 0; chain < CHAINS; chain++) {
        lanes[lane] ^= Float.floatToRawIntBits(chain(lane * CHAINS + chain, steps));
      }
    }
    return lanes;
  }

  private static float chain(int start, int steps) {
    float x = start * 0x1p-12f;
    for (int i = 0; i < steps; i++) {
      x = Math.fma(x, x, C);
    }
    return x;
  }

  /** The kernel in PTX for compute capability 7.0 and newer; the driver translates it. */
  static String ptx() {
    StringBuilder text =
        new StringBuilder(
            """
            .version 6.3
            .target sm_70
            .address_size 64
            .visible .entry lapwing_fma(.param .u64 out, .param .u32 steps, .param .f32 c)
            {
              .reg .pred %more;
              .reg .b32 %r<9>;
              .reg .f32 %x<8>;
              .reg .f32 %c;
              .reg .b64 %at<3>;
              ld.param.u64 %at0, [out];
              ld.param.u32 %r0, [steps];
              ld.param.f32 %c, [c];
              cvta.to.global.u64 %at1, %at0;
              mov.u32 %r1, %ctaid.x;
              mov.u32 %r2, %ntid.x;
              mov.u32 %r3, %tid.x;
              mad.lo.u32 %r4, %r1, %r2, %r3;
              and.b32 %r5, %r4, 255;
              shl.b32 %r5, %r5, 3;
            """);
    for (int chain = 0; chain < CHAINS; chain++) {
      // 0f39800000 is 2^-12
      text.append("  add.u32 %r6, %r5, ").append(chain).append(";\n");
      text.append("  cvt.rn.f32.u32 %x").append(chain).append(", %r6;\n");
      text.append("  mul.rn.f32 %xN, %xN, 0f39800000;\n".replace("N", String.valueOf(chain)));
    }
    text.append("loop:\n");
    for (int i = 0; i < UNROLLED * CHAINS; i++) {
      text.append("  fma.rn.f32 %xN, %xN, %xN, %c;\n".replace("N", String.valueOf(i % CHAINS)));
    }
    text.append("  sub.u32 %r0, %r0, ").append(UNROLLED).append(";\n");
    text.append("  setp.ne.u32 %more, %r0, 0;\n  @%more bra loop;\n");
    text.append("  mov.b32 %r7, %x0;\n");
    for (int chain = 1; chain < CHAINS; chain++) {
      text.append("  mov.b32 %r8, %x").append(chain).append(";\n  xor.b32 %r7, %r7, %r8;\n");
    }
    return text.append(
            """
              mul.wide.u32 %at2, %r4, 4;
              add.s64 %at2, %at1, %at2;
              st.global.u32 [%at2], %r7;
              ret;
            }
            """)
        .toString();
  }
}
