"""Words of the workspace, the one array that a search shares with its driver (search/workspace.py)."""

from __future__ import annotations

from twofold.kernels.bits import U

SLIDE_TABLE = U(0)  # address of the line table, or of the geometry
VALUES = U(1)  # address of the evaluator's first table
EXTRA = U(2)  # address of its second table
SCRATCH = U(3)  # address of scratch boards
STRIDE = U(4)  # bytes of a scratch board
TABLE = U(5)  # address of the transposition table, 0 for none
MASK = U(6)  # its entries minus one
STAMP = U(7)  # a word that makes this search's keys its own
NODES = U(8)  # out: afterstates valued
HITS = U(9)  # out: table hits
PRUNED = U(10)  # out: spawns valued at once because of their probability
STOP = U(11)  # set by anyone to leave the search
LIMIT = U(12)  # leave when NODES reaches this
ABORTED = U(13)  # out: 1 if the search was left
CUT = U(14)  # float: least probability that is searched on
REWARD = U(15)  # float: w
DEAD = U(16)  # float: value of a dead board
DEAD_SCORE = U(17)  # float: what a dead board is worth per point of score (SCORED evaluators)
FOUR = U(18)  # float: probability of a 4, where only 2s and 4s spawn
STYLE = U(19)  # spawn style: 0 random, 1 a corner style, 2 evil, 3 script
ORDER = U(20)  # address of the cells in spawn order, uint32
CELLS = U(21)  # how many they are
SCRIPT = U(22)  # address of (cell, rank) pairs, uint32, from the next spawn on
SCRIPTED = U(23)  # how many pairs
DEEPER = U(24)  # 1: an entry searched deeper than asked serves too
LINE_BYTES = U(25)  # address of scratch bytes for evaluators
SHAPE = U(26)  # rows << 32 | columns
WORDS = U(27)  # 64-bit words of a board on `cells`
FOUR_CUT = U(28)  # float: least probability from which 4s are thought to spawn
MEMO = U(29)  # address of remembered line values (kernels/search/evaluators.py)
DRAWN = U(30)  # what spawns, as `drawn_rank` reads it
NAN = U(31)  # out: 0, or the last board whose value was no number
BOUND = U(32)  # float: the most that searching is thought to add to a move's value; 0: any amount
CHANCES = U(33)  # address of the probability of each rank to spawn, float64, from rank 0 on
RANKS = U(34)  # the largest rank that may spawn, at least 2
ALLOWED = U(35)  # bit r set if rank r may spawn
OWN = 36  # the words from here on belong to other searches than this one
WORKSPACE = 80

RANDOM, CORNER, EVIL, SCRIPT_STYLE = 0, 1, 2, 3
