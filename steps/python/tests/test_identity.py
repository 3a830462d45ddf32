import math
import sys
import types
import unittest
from unittest import mock

from lapwing_steps import flops_per_token
from lapwing_steps.identity import identify


def of(**environment):
    return identify(environment)


class FromTheEnvironment(unittest.TestCase):
    def test_torchrun(self):
        got = of(RANK="9", LOCAL_RANK="1", WORLD_SIZE="16", TORCHELASTIC_RUN_ID="exp1")
        self.assertEqual((got.rank, got.local_rank, got.world_size, got.job, got.run), (9, 1, 16, "exp1", "exp1"))
        self.assertEqual(of(RANK="0", TORCHELASTIC_RUN_ID="none").job, "local")

    def test_slurm(self):
        got = of(SLURM_JOB_ID="77", SLURM_PROCID="5", SLURM_LOCALID="1", SLURM_NTASKS="8", SLURM_JOB_NAME="llm")
        self.assertEqual((got.rank, got.local_rank, got.world_size, got.job, got.run), (5, 1, 8, "77", "llm"))

    def test_inner_launchers_go_before_outer_ones(self):
        slurm = {"SLURM_JOB_ID": "77", "SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NTASKS": "2"}
        self.assertEqual(identify({**slurm, "RANK": "3", "LOCAL_RANK": "3"}).rank, 3)
        mpi = {"OMPI_COMM_WORLD_RANK": "6", "OMPI_COMM_WORLD_LOCAL_RANK": "2", "OMPI_COMM_WORLD_SIZE": "8"}
        got = identify({**slurm, **mpi})
        self.assertEqual((got.rank, got.local_rank, got.world_size, got.job), (6, 2, 8, "77"))

    def test_mpich_and_intel(self):
        got = of(PMI_RANK="4", MPI_LOCALRANKID="0", PMI_SIZE="8")
        self.assertEqual((got.rank, got.local_rank, got.world_size), (4, 0, 8))

    def test_kubernetes(self):
        pod = {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
        self.assertEqual(identify({**pod, "HOSTNAME": "llm-worker-12", "RANK": "12"}).job, "llm")
        self.assertEqual(identify({**pod, "POD_NAME": "llm-node-0-3-ab1cd", "HOSTNAME": "x"}).job, "llm")
        self.assertEqual(identify({**pod, "HOSTNAME": "llm-3-x7k2p", "JOB_COMPLETION_INDEX": "3"}).job, "llm")
        self.assertEqual(identify({**pod, "HOSTNAME": "x", "JOB_NAME": "named"}).job, "named")
        self.assertEqual(of(HOSTNAME="x", JOB_NAME="jenkins").job, "local")

    def test_own_names_and_arguments_beat_the_rest(self):
        own = {
            "LAPWING_JOB": "j",
            "LAPWING_RUN": "r",
            "LAPWING_RANK": "1",
            "LAPWING_LOCAL_RANK": "2",
            "LAPWING_GPU": "7",
        }
        own.update(LAPWING_WORLD_SIZE="4", LAPWING_PARALLEL="dp=1/2,tp=0/2,pp=x", LAPWING_PRECISION="fp8")
        own.update(LAPWING_MODEL_FLOPS_PER_TOKEN="1e9", LAPWING_HOST="h", RANK="5", SLURM_JOB_ID="6")
        got = identify(own)
        self.assertEqual((got.job, got.run, got.rank, got.local_rank, got.world_size), ("j", "r", 1, 2, 4))
        self.assertEqual((got.gpu_index, got.precision, got.model_flops_per_token, got.host), (7, "fp8", 1e9, "h"))
        self.assertEqual(got.parallel, {"dp": (1, 2), "tp": (0, 2)})
        got = identify(own, job="a", rank=0, gpu="GPU-1", parallel={"tp": (1, 4), "pp": (4, 4), "zz": (0, 1)})
        self.assertEqual((got.job, got.rank, got.gpu_uuid), ("a", 0, "GPU-1"))
        self.assertEqual(got.parallel, {"dp": (1, 2), "tp": (1, 4)})

    def test_nonsense_is_passed_over(self):
        got = of(
            LAPWING_RANK="-3", RANK="two", PMI_RANK="99999999999", SLURM_PROCID="4", LAPWING_MODEL_FLOPS_PER_TOKEN="inf"
        )
        self.assertEqual(got.rank, 4)
        self.assertTrue(math.isnan(got.model_flops_per_token))


class WhichGpu(unittest.TestCase):
    def gpu(self, **environment):
        got = of(**environment)
        return got.gpu_uuid or got.gpu_index

    def test_a_uuid_of_the_environment_goes_first(self):
        self.assertEqual(self.gpu(LOCAL_RANK="1", CUDA_VISIBLE_DEVICES="GPU-a, GPU-b"), "GPU-b")
        self.assertEqual(self.gpu(LOCAL_RANK="5", CUDA_VISIBLE_DEVICES="MIG-c"), "MIG-c")
        self.assertEqual(self.gpu(LOCAL_RANK="1", NVIDIA_VISIBLE_DEVICES="GPU-a,GPU-b"), "GPU-b")
        self.assertEqual(
            self.gpu(LOCAL_RANK="0", CUDA_VISIBLE_DEVICES="1,0", NVIDIA_VISIBLE_DEVICES="GPU-a,GPU-b"), "GPU-b"
        )
        slurm_25_11 = {"SLURM_STEP_GPUS": "4,6", "CUDA_VISIBLE_DEVICES": "GPU-a,GPU-b"}
        self.assertEqual(self.gpu(SLURM_LOCALID="1", **slurm_25_11), "GPU-b")

    def test_numbers_are_those_of_the_host(self):
        self.assertEqual(self.gpu(LOCAL_RANK="2"), 2)
        self.assertEqual(self.gpu(LOCAL_RANK="1", CUDA_VISIBLE_DEVICES="4,5"), 5)
        self.assertEqual(self.gpu(LOCAL_RANK="3", CUDA_VISIBLE_DEVICES="6"), 6)
        self.assertEqual(self.gpu(LOCAL_RANK="1", NVIDIA_VISIBLE_DEVICES="all"), 1)
        self.assertEqual(self.gpu(LOCAL_RANK="1", NVIDIA_VISIBLE_DEVICES="2,7"), 7)

    def test_slurm_renumbers_gpus_inside_a_cgroup(self):
        self.assertEqual(self.gpu(SLURM_LOCALID="1", SLURM_STEP_GPUS="4,6", CUDA_VISIBLE_DEVICES="0,1"), 6)
        self.assertEqual(self.gpu(SLURM_LOCALID="1", SLURM_STEP_GPUS="4,6", CUDA_VISIBLE_DEVICES="4,6"), 6)
        self.assertEqual(self.gpu(SLURM_LOCALID="1", SLURM_JOB_GPUS="4,6"), 6)
        self.assertEqual(self.gpu(SLURM_LOCALID="1", SLURM_STEP_GPUS="4,6", CUDA_VISIBLE_DEVICES="6"), 6)

    def test_an_undetermined_gpu_is_unknown(self):
        self.assertEqual(self.gpu(), -1)
        self.assertEqual(self.gpu(LOCAL_RANK="0", CUDA_VISIBLE_DEVICES=""), -1)
        self.assertEqual(self.gpu(LOCAL_RANK="0", NVIDIA_VISIBLE_DEVICES="void"), -1)
        self.assertEqual(self.gpu(LOCAL_RANK="9", CUDA_VISIBLE_DEVICES="0,1"), -1)
        self.assertEqual(self.gpu(SLURM_LOCALID="1", SLURM_STEP_GPUS="4,6", CUDA_VISIBLE_DEVICES="0"), -1)

    def test_torch_is_asked_only_when_it_has_cuda_open(self):
        cuda = types.SimpleNamespace(
            is_initialized=lambda: True,
            current_device=lambda: 0,
            device_count=lambda: 2,
            get_device_properties=lambda device: types.SimpleNamespace(uuid="0000000%d-11" % device),
        )
        torch = types.SimpleNamespace(cuda=cuda)
        with mock.patch.dict(sys.modules, {"torch": torch}):
            self.assertEqual(self.gpu(LOCAL_RANK="1", CUDA_VISIBLE_DEVICES="0,1"), "GPU-00000001-11")
            cuda.is_initialized = lambda: False
            self.assertEqual(self.gpu(LOCAL_RANK="1", CUDA_VISIBLE_DEVICES="0,1"), 1)
            del cuda.is_initialized
            self.assertEqual(self.gpu(LOCAL_RANK="1", CUDA_VISIBLE_DEVICES="0,1"), 1)


class Flops(unittest.TestCase):
    def test_parameters_and_attention(self):
        self.assertEqual(flops_per_token(8e9), 4.8e10)
        dense = flops_per_token(1e9, layers=32, heads=32, head_dim=128, sequence_length=4096)
        self.assertEqual(dense, 6e9 + 12 * 32 * 32 * 128 * 4096)
        unequal = flops_per_token(1e9, layers=2, heads=4, head_dim=192, value_head_dim=128, sequence_length=10)
        self.assertEqual(unequal, 6e9 + 6 * 2 * 4 * 320 * 10)
