"""A trained model as a player, for the command line and the arena.

twofold play --player examples/trained.py:Trained:model=ppo.zip
"""

from twofold.envs import ModelPlayer


class Trained(ModelPlayer):
    """A model of MaskablePPO that `train_maskable_ppo.py` has saved."""

    def __init__(self, model: str = "ppo.zip") -> None:
        super().__init__(model, "MaskablePPO")
