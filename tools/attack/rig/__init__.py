"""The node, the agent and its users, on which the attacks run."""
