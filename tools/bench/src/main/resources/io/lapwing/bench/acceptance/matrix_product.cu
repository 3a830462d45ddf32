// Keeps every GPU busy with a matrix product until it is killed.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kSize = 8192;
constexpr int kTile = 32;

__global__ void product(const float *a, const float *b, float *c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < kSize; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * kSize + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * kSize + column];
    __syncthreads();
    for (int i = 0; i < kTile; i++) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * kSize + column] = sum;
}

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

int main() {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus));
  const size_t bytes = sizeof(float) * kSize * kSize;
  float **memory = new float *[gpus];
  for (int gpu = 0; gpu < gpus; gpu++) {
    check(cudaSetDevice(gpu));
    check(cudaMalloc(&memory[gpu], 3 * bytes));
    check(cudaMemset(memory[gpu], 0, 3 * bytes));
  }
  const dim3 grid(kSize / kTile, kSize / kTile), block(kTile, kTile);
  while (true) {
    // Several at once in each queue, so that no GPU waits for this loop to come round.
    for (int gpu = 0; gpu < gpus; gpu++) {
      check(cudaSetDevice(gpu));
      float *m = memory[gpu];
      for (int i = 0; i < 8; i++) product<<<grid, block>>>(m, m + kSize * kSize, m + 2 * kSize * kSize);
      check(cudaGetLastError());
    }
    for (int gpu = 0; gpu < gpus; gpu++) {
      check(cudaSetDevice(gpu));
      check(cudaDeviceSynchronize());
    }
  }
}
