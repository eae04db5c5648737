"""A tuple network learns 3x3 for a second, then plays without being written to a file."""

from twofold import Variant, play_game
from twofold.learn import Training, TrainingSettings, TupleStart

training = Training(TupleStart(variant=Variant.parse("3x3")).network(), TrainingSettings(games=5000))
for point in training.run():
    print(point)
print(play_game(training, "3x3", seed=1))
