"""python-chess as the chess program that our engine is loaded into: plays, ponders, analyses."""

import os
import sys
import tempfile
import time
import traceback

import chess
import chess.engine

PROGRAM = sys.argv[1]
AGENTS = ["Predator", "Player", "Emulator", "Coach", "Infallible", "Search"]
ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
OPENING = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def open_engine(folder, **options):
    engine = chess.engine.SimpleEngine.popen_uci(PROGRAM, timeout=30)
    options = {name.replace("_", " "): value for name, value in options.items()}
    engine.configure({"Seed": 5, "Hash": 1, "TablebasePath": folder, **options})
    return engine


def play(players, board, limit, plies, ponder=False):
    """A game of at most so many plies; python-chess raises an error at an illegal move."""
    clocks = [2.0, 2.0]
    while not board.is_game_over() and len(board.move_stack) < plies:
        side = int(board.turn == chess.BLACK)
        now = limit or chess.engine.Limit(
            white_clock=clocks[0], black_clock=clocks[1], white_inc=0.05, black_inc=0.05
        )
        begun = time.monotonic()
        result = players[side].play(board, now, game=id(board), ponder=ponder, info=chess.engine.INFO_ALL)
        clocks[side] += 0.05 - (time.monotonic() - begun)
        assert result.move in board.legal_moves, (board.fen(), result)
        assert limit or clocks[side] > 0, f"lost on time at {board.fen()}"
        # After a ponder hit the move may come without another line.
        assert ponder or "score" in result.info, board.fen()
        board.push(result.move)
    return board


def main():
    games = 0
    with tempfile.TemporaryDirectory() as folder:
        opponent = open_engine(folder, Agent="Search")
        for agent in AGENTS:
            engine = open_engine(folder, Agent=agent, Competence="8", Game_Competence="1")
            few = chess.engine.Limit(nodes=3000)
            play([engine, opponent], chess.Board(OPENING), few, 60)
            # The table is made while the first of these is played.
            play([engine, opponent], chess.Board(ROOK), chess.engine.Limit(time=0.02), 40)
            play([opponent, engine], chess.Board.from_chess960_pos(77 + games), few, 30)
            play([engine, opponent], chess.Board(OPENING), None, 80, ponder=agent == "Predator")
            games += 4
            engine.quit()

        board = chess.Board(OPENING)
        lines = opponent.analyse(board, chess.engine.Limit(depth=6), multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3, lines
        scores = [line["score"].relative.score(mate_score=100_000) for line in lines]
        assert scores == sorted(scores, reverse=True), lines
        with opponent.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 5:
                    break
        assert analysis.wait().move in board.legal_moves
        only = [chess.Move.from_uci("a2a3")]
        assert opponent.play(board, chess.engine.Limit(nodes=50), root_moves=only).move == only[0]
        mate = opponent.play(chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), chess.engine.Limit(mate=1))
        assert mate.move == chess.Move.from_uci("a1a8")
        opponent.quit()
    print(f"{games} games with python-chess and its analysis: no illegal move, no loss on time")


try:
    main()
except BaseException:
    # The engines' threads would keep the program from ending.
    traceback.print_exc()
    os._exit(1)
