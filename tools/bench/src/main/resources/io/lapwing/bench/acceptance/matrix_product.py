"""Keeps every GPU busy with a matrix product until it is killed."""

import torch

SIZE = 8192
gpus = range(torch.cuda.device_count())
left = [torch.randn(SIZE, SIZE, device=f"cuda:{gpu}", dtype=torch.bfloat16) for gpu in gpus]
right = [matrix.clone() for matrix in left]
product = [torch.empty_like(matrix) for matrix in left]

while True:
    # Several at once in each queue, so that no GPU waits for this loop to come round.
    for gpu in gpus:
        for _ in range(50):
            torch.matmul(left[gpu], right[gpu], out=product[gpu])
    for gpu in gpus:
        torch.cuda.synchronize(gpu)
