"""Players as policies and policies as players.

`PlayerPolicy` answers observations with actions, so that a twofold player can act in an environment, be a teacher or
a baseline. `PolicyPlayer` makes a function, or a model of Stable-Baselines3, a twofold player: it plays in
`twofold play`, in the arena, in `check_player`. `ModelPlayer` is one made from a saved model's file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.envs.options import OBSERVATIONS, EnvOptions, decode, encode
from twofold.errors import InvalidFile, InvalidParameter, PlayerError, check_choice, quote
from twofold.players.base import Decision, Limit, PlayerLike, Values, best_of
from twofold.players.registry import as_player
from twofold.rules.board import Board
from twofold.rules.direction import DIRECTIONS
from twofold.rules.random import Stream, stream_key, word
from twofold.rules.state import State


class PlayerPolicy:
    """A twofold player as a policy for an environment: `policy(observation, info)` gives actions.

    player: whatever `as_player` takes. options: keywords as for the environment it gets observations of (`variant` and
    `observation` matter), or the environment itself as `env`. seed: of the player's own randomness.

    One observation is answered by a number, a batch by int64 (n,). A game that is over gets 0, which is stepped as
    what it is. An observation holds no score: players that read it get it from `info["score"]` if that is given.
    `act(env)` knows all of a single environment's game, so that it plays the game that `play_game` plays.
    """

    def __init__(self, player: PlayerLike, env: Any = None, *, seed: int = 0, **options: Any) -> None:
        self.player = as_player(player)
        if env is not None and options:
            raise InvalidParameter("give an environment or its options, not both")
        self.options: EnvOptions = EnvOptions.of(options) if env is None else env.unwrapped.options
        self._key = stream_key(seed, 0, Stream.PLAYER)
        self._asked = 0

    def __call__(self, observation: Any, info: dict[str, Any] | None = None) -> Any:
        """The action for one observation (int), or for a batch (int64 (n,))."""
        ranks = decode(observation, self.options)
        scores = None if info is None else info.get("score")
        if ranks.ndim == 2:
            return self._choose(ranks, scores)
        if scores is None:
            return np.array([self._choose(board, None) for board in ranks], np.int64)
        return np.array(
            [self._choose(board, score) for board, score in zip(ranks, scores, strict=True)], np.int64
        )

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = True,
        **more: Any,
    ) -> tuple[Any, Any]:
        """The same with the interface of Stable-Baselines3: (actions, state)."""
        answer = self(observation)
        return np.asarray(answer, np.int64), state

    def act(self, env: Any) -> int:
        """The action for a `Twofold2048Env`, from its whole state and with its game's random numbers."""
        inner = env.unwrapped
        move = self.player.decide(inner.state, inner.player_key).move
        return 0 if move is None else int(move)

    def _choose(self, ranks: NDArray[np.uint8], score: Any) -> int:
        rows, columns = ranks.shape
        board = Board(rows, columns, ranks.tobytes())
        state = State.of(board, self.options.rules, None if score is None else int(score))
        key = word(self._key, self._asked)
        self._asked += 1
        move = self.player.decide(state, key).move
        return 0 if move is None else int(move)


class PolicyPlayer:
    """A policy as a twofold player.

    policy: a function of an observation, or of an observation and the mask of legal actions (bool (4,)); or an object
        with the method `predict` of Stable-Baselines3, which is given `action_masks` if it takes them. The result is
        an action, or four preferences, of which the largest legal one is played.
    observation: what it is shown: `ranks`, `planes` or `log`, as in the environment; by default what the model's
        `observation_space` says, else `ranks`.
    text: the player's name in tables.

    If the result is illegal, the first legal move is played and the decision's `note` says so. Models are called
    for with `deterministic=True`: the same state gives the same move.
    """

    limit = Limit()

    def __init__(self, policy: Any, observation: str | None = None, text: str = "policy") -> None:
        self.text = text
        self._ask: Callable[[NDArray[Any], NDArray[np.bool_]], Any] = _asker(policy)
        self._space = getattr(policy, "observation_space", None)
        if observation is not None:
            check_choice("observation", observation, OBSERVATIONS)
        self._observation = observation or _kind_of(self._space)
        self._options: dict[Any, EnvOptions] = {}

    def decide(self, state: State, key: int = 0) -> Decision:
        """The policy's move; values are its preferences if it has any, else 1 for the move and 0 for the others."""
        legal = state.legal_moves()
        if not legal:
            return Decision(None)
        board = state.board
        ranks = np.frombuffer(board.cells, np.uint8).reshape(board.size)
        mask = np.array([direction in legal for direction in DIRECTIONS])
        answer = np.asarray(self._ask(self._shown(ranks, state), mask.copy()))
        if answer.size == len(DIRECTIONS):
            return best_of(_legal_only(answer.ravel(), mask))
        number = _number(answer)
        if number is None:
            raise PlayerError(
                f"{quote(self.text)} answered {quote(answer)}: it must be 0 to 3, or four preferences"
            )
        move, note = DIRECTIONS[number], ""
        if move not in legal:
            move, note = legal[0], f"wanted {move.name}, which is illegal"
        values = [float(direction == move) for direction in DIRECTIONS]
        return Decision(move, 1.0, _legal_only(np.array(values), mask), note=note)

    def _shown(self, ranks: NDArray[np.uint8], state: State) -> NDArray[Any]:
        variant = state.variant
        options = self._options.get(variant)
        if options is None:
            options = self._options[variant] = EnvOptions(variant=variant, observation=self._observation)
        shown = encode(ranks, options)
        shape = getattr(self._space, "shape", None)
        if shape is not None and shape != shown.shape:
            raise PlayerError(
                f"{quote(self.text)} was trained on observations {shape}; this board's are {shown.shape}"
            )
        return shown


class ModelPlayer(PolicyPlayer):
    """A model that Stable-Baselines3 or sb3-contrib saved, as a twofold player.

    model: the path of the .zip file. algorithm: the class that saved it, `MaskablePPO`, `PPO`, `DQN`, …, of
    `sb3_contrib` or `stable_baselines3`. For the command line put a subclass into a file of your own:

        from twofold.envs import ModelPlayer

        class Mine(ModelPlayer):
            def __init__(self, model: str = "mine.zip"):
                super().__init__(model)

    and play it as `--player mine.py:Mine`, with another file as `mine.py:Mine:model=other.zip`.
    """

    def __init__(self, model: str, algorithm: str = "MaskablePPO", observation: str | None = None) -> None:
        super().__init__(load_model(model, algorithm), observation, text=f"{algorithm}({model})")


def load_model(path: str, algorithm: str = "MaskablePPO") -> Any:
    """The saved model, on the CPU; raises InvalidFile or InvalidParameter."""
    try:
        import sb3_contrib
        import stable_baselines3
    except ImportError:
        raise InvalidParameter("models need Stable-Baselines3: pip install sb3-contrib") from None
    found: Any = getattr(sb3_contrib, algorithm, None) or getattr(stable_baselines3, algorithm, None)
    if not hasattr(found, "load"):
        raise InvalidParameter(f"{quote(algorithm)} is not an algorithm of sb3_contrib or stable_baselines3")
    try:
        return found.load(path, device="cpu")
    except (OSError, ValueError, KeyError, AssertionError) as error:
        raise InvalidFile(f"can't read {quote(path)} as a model of {algorithm}: {error}") from None


def _asker(policy: Any) -> Callable[[NDArray[Any], NDArray[np.bool_]], Any]:
    """How to ask a policy: by `predict`, or by a call, with or without the mask."""
    predict = getattr(policy, "predict", None)
    if predict is not None:
        if "action_masks" in inspect.signature(predict).parameters:
            return lambda shown, mask: predict(shown, action_masks=mask, deterministic=True)[0]
        return lambda shown, mask: predict(shown, deterministic=True)[0]
    if not callable(policy):
        raise InvalidParameter(f"{quote(policy)} is not a policy: give a function, or an object with predict")
    try:
        signature = inspect.signature(policy)
    except (TypeError, ValueError):  # some built-in functions don't tell
        return lambda shown, mask: policy(shown)
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = [p for p in signature.parameters.values() if p.default is p.empty and p.kind in kinds]
    return policy if len(places) == 2 else lambda shown, mask: policy(shown)


def _kind_of(space: Any) -> str:
    shape, dtype = getattr(space, "shape", None), getattr(space, "dtype", None)
    if shape is None:
        return "ranks"
    return "planes" if len(shape) == 3 else "log" if dtype == np.float32 else "ranks"


def _number(answer: NDArray[Any]) -> int | None:
    if answer.size != 1 or answer.dtype.kind not in "iu" or not 0 <= answer.item() <= 3:
        return None
    return int(answer.item())


def _legal_only(values: NDArray[Any], mask: NDArray[np.bool_]) -> Values:
    return tuple(float(value) if legal else None for value, legal in zip(values, mask, strict=True))
