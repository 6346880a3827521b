"""Compares `errare probe` with the Syzygy and Gaviota tables that python-chess reads.

usage: syzygy.py FOLDER ERRARE [POSITIONS [MATERIAL ...]]

Random legal positions, pawns to be taken in passing among them: values must be equal everywhere, DTM equal to
Gaviota's, DTC and DTZ equal to Syzygy's without pawns, DTZ with pawns equal but for the ply that Syzygy may round off.
"""

import json
import pathlib
import random
import subprocess
import sys

import chess
import chess.gaviota
import chess.syzygy


def random_position(material):
    """A random position of the material, colours at random. None if it is not legal."""
    split = material.index("K", 1)
    exchanged = random.random() < 0.5
    men = [(letter, True) for letter in material[:split]] + [(letter, False) for letter in material[split:]]
    board = chess.Board(None)
    for (letter, first), square in zip(men, random.sample(range(64), len(men))):
        if letter == "P" and chess.square_rank(square) in (0, 7):
            return None
        piece = chess.Piece.from_symbol(letter)
        piece.color = first != exchanged
        board.set_piece_at(square, piece)
    board.turn = random.random() < 0.5
    if chess.square_distance(board.king(True), board.king(False)) <= 1 or board.was_into_check():
        return None
    rank, behind, origin = (4, 5, 6) if board.turn else (3, 2, 1)
    for file in range(8):
        pawn = board.piece_at(chess.square(file, rank))
        empty = not any(board.piece_at(chess.square(file, r)) for r in (behind, origin))
        if pawn == chess.Piece(chess.PAWN, not board.turn) and empty:
            board.ep_square = chess.square(file, behind)
    return board


def positions(material, count):
    found = []
    while len(found) < count:
        board = random_position(material)
        if board is not None:
            found.append(board)
    return found


def ours(errare, boards, metric):
    lines = "".join(board.fen(en_passant="fen") + "\n" for board in boards)
    answer = subprocess.run([*errare, "probe", "--metric", metric], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def gaviota(tables, board):
    plies = tables.probe_dtm(board)
    if plies > 0:
        return "win", (plies + 1) // 2
    if plies < 0 or board.is_checkmate():
        return "loss", -plies // 2
    return "draw", None


def winner_moves(tables, board):
    """Winner's moves to the next capture or pawn move; Syzygy counts plies, and may be one off."""
    return (tables.probe_dtz(board) + 1) // 2


def syzygy(tables, board):
    value = tables.probe_wdl(board)
    if value > 0:
        return "win", winner_moves(tables, board)
    if value == 0:
        return "draw", None
    deepest = 0
    for move in list(board.legal_moves):
        if not board.is_zeroing(move):
            board.push(move)
            deepest = max(deepest, winner_moves(tables, board))
            board.pop()
    return "loss", deepest


def compare(material, boards, answers, reference, allowed):
    """Counts differences; a depth may be `allowed` moves off."""
    different = near = 0
    for board, answer in zip(boards, answers):
        value, depth = reference(board)
        found = answer.get("value"), answer.get("depth")
        if found == (value, depth):
            continue
        if value == found[0] and depth is not None and abs(depth - found[1]) <= allowed:
            near += 1
            continue
        different += 1
        print(f"DIFFERS {material} {board.fen(en_passant='fen')}: {answer}, reference {value} {depth}")
    return different, near


def main():
    folder = pathlib.Path(sys.argv[1])
    errare = sys.argv[2].split()
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    wanted = sys.argv[4:]
    random.seed(1978)
    total = 0
    wdl = chess.syzygy.Tablebase()
    dtm = chess.gaviota.PythonTablebase()
    for place in sorted({path.parent for path in folder.rglob("*.rtbz")}):
        if place.name != "suicide":
            wdl.add_directory(str(place))
    for place in sorted({path.parent for path in folder.rglob("*.gtb.cp4")}):
        dtm.add_directory(str(place))
    names = sorted({path.stem.replace("v", "") for path in folder.rglob("*.rtbz") if path.parent.name != "suicide"})
    for name in names:
        if wanted and name not in wanted:
            continue
        boards = positions(name, count)
        passing = sum(board.has_legal_en_passant() for board in boards)
        pawns = "P" in name
        reference = {id(board): syzygy(wdl, board) for board in boards}
        different, near = compare(name, boards, ours(errare, boards, "dtz"), lambda b: reference[id(b)], 1 if pawns else 0)
        if not pawns:
            different += compare(name, boards, ours(errare, boards, "dtc"), lambda b: reference[id(b)], 0)[0]
        print(f"Syzygy  {name:<6} {len(boards)} positions, {passing} in passing: {different} differ, {near} rounded", flush=True)
        total += different
    for name in sorted({path.name.split(".")[0].upper() for path in folder.rglob("*.gtb.cp4")}):
        if wanted and name not in wanted:
            continue
        boards = positions(name, count)
        passing = sum(board.has_legal_en_passant() for board in boards)
        different, _ = compare(name, boards, ours(errare, boards, "dtm"), lambda b: gaviota(dtm, b), 0)
        print(f"Gaviota {name:<6} {len(boards)} positions, {passing} in passing: {different} differ", flush=True)
        total += different
    print(f"{total} differences")
    return 1 if total else 0


sys.exit(main())
