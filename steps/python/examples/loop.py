"""A minimal loop: a step every 50 ms, with a tenth of it waiting for data."""
import sys
import time

import lapwing_steps


def loader(steps):
    for batch in range(steps):
        time.sleep(0.005)  # reading
        yield batch


flops = lapwing_steps.flops_per_token(1e9, layers=16, heads=16, head_dim=128, sequence_length=2048)
with lapwing_steps.Steps(job="example", model_flops_per_token=flops, precision="bf16") as steps:
    for batch in steps.batches(loader(int(sys.argv[1]) if len(sys.argv) > 1 else 200)):
        with steps.step(tokens=2048, samples=1) as step:
            with step.compute():
                time.sleep(0.045)  # forward, backward, optimizer
            step.loss = 8.0 / (batch + 1)
