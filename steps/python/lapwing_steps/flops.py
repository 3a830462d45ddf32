"""Floating-point operations per token of a model, for MFU."""

from __future__ import annotations


def flops_per_token(
    parameters: float,
    *,
    layers: int = 0,
    heads: int = 0,
    head_dim: int = 0,
    value_head_dim: int = 0,
    sequence_length: int = 0,
) -> float:
    """Model FLOPs per token of a dense or mixture-of-experts transformer, forward and backward.

    ``6 N + 6 L H D T``: N parameters used in matrix products for a token (without the input embedding unless it is tied
    to the output; only active experts), L layers, H query heads, D dimensions of a head for query-key plus those for value, T
    sequence length. If both have d dimensions this is the usual ``6 N + 12 L H d T``. Recomputation is not added and causal
    masks are not subtracted. Megatron-LM subtracts half of the attention, so its value for the same run is lower.

    Args:
      parameters: N.
      layers, heads, head_dim, sequence_length: without them attention counts as 0.
      head_dim: dimensions of query and key of one head.
      value_head_dim: dimensions of value of one head; 0 if they are the same.
    """
    return 6.0 * parameters + 6.0 * layers * heads * (head_dim + (value_head_dim or head_dim)) * sequence_length
