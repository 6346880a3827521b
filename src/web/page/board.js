// A board for mouse, finger and keyboard. It knows no rules: which moves are legal it is told.

import { el } from './api.js';
import { name, piece } from './pieces.js';

const FILES = 'abcdefgh';

// Letters by square, from the first field of a FEN.
export function men(fen) {
  const found = {};
  fen.split(' ')[0].split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else found[`${FILES[file++]}${8 - index}`] = letter;
    }
  });
  return found;
}

// The first field of a FEN.
export function placement(found) {
  const rows = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = '';
    let empty = 0;
    for (const file of FILES) {
      const letter = found[`${file}${rank}`];
      if (!letter) {
        empty += 1;
        continue;
      }
      row += (empty || '') + letter;
      empty = 0;
    }
    rows.push(row + (empty || ''));
  }
  return rows.join('/');
}

export class Board {
  // `hear.move(uci)` is told of a move, `hear.premove(uci)` of one that waits, `hear.square(square)` of squares where men
  // are put up.
  constructor(place, hear = {}) {
    this.place = place;
    this.hear = hear;
    this.flipped = false;
    this.men = {};
    this.legal = [];
    this.side = null;
    this.chosen = null;
    this.premove = null;
    this.focus = 'e2';
    this.cells = {};
    place.classList.add('board');
    place.setAttribute('role', 'grid');
    place.addEventListener('pointerdown', (event) => this.press(event));
    place.addEventListener('keydown', (event) => this.key(event));
    this.build();
  }

  build() {
    this.place.replaceChildren();
    const ranks = this.flipped ? [1, 2, 3, 4, 5, 6, 7, 8] : [8, 7, 6, 5, 4, 3, 2, 1];
    const files = this.flipped ? [...FILES].reverse() : [...FILES];
    ranks.forEach((rank, row) => {
      const line = el('div', { role: 'row', class: 'row' });
      files.forEach((file, column) => {
        const square = `${file}${rank}`;
        const dark = (FILES.indexOf(file) + rank) % 2 === 1;
        const cell = el('div', { role: 'gridcell', class: `square ${dark ? 'dark' : 'light'}`, 'data-square': square, tabindex: '-1' });
        if (row === 7) cell.dataset.file = file;
        if (column === 0) cell.dataset.rank = rank;
        this.cells[square] = cell;
        line.append(cell);
      });
      this.place.append(line);
    });
    this.draw();
  }

  flip(flipped = !this.flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.build();
  }

  // Shows a position. `legal` are moves in UCI notation, `side` whose men may be moved, `last` the last move.
  show({ fen, legal = [], side = null, turn = null, last = null, check = false, hint = null }) {
    const before = this.men;
    this.men = men(fen);
    Object.assign(this, { legal, side, turn, last, check, hint });
    if (this.chosen && !this.isMine(this.chosen)) this.chosen = null;
    this.draw();
    this.slide(before);
  }

  draw() {
    const targets = this.chosen ? this.legal.filter((uci) => uci.startsWith(this.chosen)).map((uci) => uci.slice(2, 4)) : [];
    const king = this.check && this.turn ? Object.keys(this.men).find((square) => this.men[square] === (this.turn === 'white' ? 'K' : 'k')) : null;
    for (const [square, cell] of Object.entries(this.cells)) {
      const letter = this.men[square];
      if (cell.dataset.man !== (letter ?? '')) {
        cell.replaceChildren(...(letter ? [piece(letter)] : []));
        cell.dataset.man = letter ?? '';
      }
      const is = (mark, on) => cell.classList.toggle(mark, Boolean(on));
      const within = (uci) => uci && (uci.slice(0, 2) === square || uci.slice(2, 4) === square);
      is('last', within(this.last));
      is('premove', within(this.premove));
      is('hint', within(this.hint));
      is('chosen', this.chosen === square);
      is('target', targets.includes(square));
      is('taking', targets.includes(square) && letter);
      is('check', king === square);
      is('mine', this.isMine(square));
      const said = [square, letter ? name(letter) : 'empty'];
      if (this.chosen === square) said.push('chosen');
      if (targets.includes(square)) said.push('can be moved to');
      if (king === square) said.push('in check');
      cell.setAttribute('aria-label', said.join(', '));
      cell.setAttribute('aria-selected', String(this.chosen === square));
      cell.tabIndex = square === this.focus ? 0 : -1;
    }
  }

  // A man that has moved slides from where it was.
  slide(before) {
    if (!this.last || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const [from, to] = [this.last.slice(0, 2), this.last.slice(2, 4)];
    if (!before[from] || before[from] === this.men[from] || this.dropped === this.last) {
      this.dropped = null;
      return;
    }
    const [a, b] = [this.cells[from], this.cells[to]].map((cell) => cell.getBoundingClientRect());
    this.cells[to].firstChild?.animate(
      [{ transform: `translate(${a.left - b.left}px, ${a.top - b.top}px)` }, { transform: 'none' }],
      { duration: 160, easing: 'ease-out' },
    );
  }

  isMine(square) {
    const letter = this.men[square];
    if (!letter) return false;
    if (this.hear.square) return true;
    return this.side !== null && (letter === letter.toUpperCase()) === (this.side === 'white');
  }

  // A square was clicked or entered.
  act(square) {
    if (this.hear.square) return this.hear.square(square, null);
    if (this.chosen && this.chosen !== square && !this.isMine(square)) return this.go(this.chosen, square);
    if (this.chosen && this.chosen !== square && this.legal.some((uci) => uci.startsWith(this.chosen + square))) {
      return this.go(this.chosen, square);
    }
    if (this.premove) this.wait(null);
    this.chosen = this.isMine(square) && this.chosen !== square ? square : null;
    this.draw();
    return undefined;
  }

  async go(from, to) {
    this.chosen = null;
    if (this.side !== this.turn) {
      if (from !== to && this.side) this.wait(from + to);
      this.draw();
      return;
    }
    const moves = this.legal.filter((uci) => uci.startsWith(from + to));
    this.draw();
    if (moves.length === 0) return;
    const uci = moves.length === 1 ? moves[0] : await this.promote(moves);
    if (!uci) return;
    this.dropped = this.dragged ? uci : null;
    this.hear.move?.(uci);
  }

  wait(uci) {
    this.premove = uci;
    this.hear.premove?.(uci);
    this.draw();
  }

  // Asks which man a pawn becomes.
  promote(moves) {
    return new Promise((resolve) => {
      const white = this.turn === 'white';
      const dialog = el('dialog', { class: 'promotion', 'aria-label': 'Promote to' });
      for (const uci of [...moves].sort((a, b) => 'qrbn'.indexOf(a[4]) - 'qrbn'.indexOf(b[4]))) {
        const letter = white ? uci[4].toUpperCase() : uci[4];
        const button = el('button', { type: 'button', 'aria-label': name(letter), 'data-promote': uci[4], onclick: () => dialog.close(uci) }, piece(letter));
        dialog.append(button);
      }
      dialog.addEventListener('close', () => {
        dialog.remove();
        resolve(dialog.returnValue || null);
      });
      dialog.addEventListener('click', (event) => {
        if (event.target === dialog) dialog.close('');
      });
      document.body.append(dialog);
      dialog.showModal();
    });
  }

  key(event) {
    const square = event.target.closest('.square')?.dataset.square;
    if (!square) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    if (step) {
      const turned = this.flipped ? -1 : 1;
      const file = FILES.indexOf(square[0]) + turned * step[0];
      const rank = Number(square[1]) + turned * step[1];
      const next = this.cells[`${FILES[file]}${rank}`];
      if (next) {
        this.focus = next.dataset.square;
        this.draw();
        next.focus();
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.act(square);
    } else if (event.key === 'Escape') {
      this.chosen = null;
      this.wait(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  press(event) {
    const cell = event.target.closest('.square');
    if (!cell || event.button !== 0) return;
    const square = cell.dataset.square;
    this.focus = square;
    const wasChosen = this.chosen === square;
    const takes = this.chosen && this.legal.some((uci) => uci.startsWith(this.chosen + square));
    if (!this.isMine(square) || takes) {
      this.dragged = false;
      this.act(square);
      return;
    }
    event.preventDefault();
    if (!this.hear.square) {
      if (this.premove) this.wait(null);
      this.chosen = square;
      this.draw();
    }
    const man = cell.firstChild;
    const begin = { x: event.clientX, y: event.clientY };
    let dragging = false;
    const move = (next) => {
      const [x, y] = [next.clientX - begin.x, next.clientY - begin.y];
      if (!dragging && Math.hypot(x, y) < 5) return;
      dragging = true;
      man.classList.add('dragged');
      man.style.transform = `translate(${x}px, ${y}px)`;
      const over = this.under(next);
      Object.values(this.cells).forEach((other) => other.classList.toggle('over', other.dataset.square === over));
    };
    const end = (last) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      man.classList.remove('dragged');
      man.style.transform = '';
      Object.values(this.cells).forEach((other) => other.classList.remove('over'));
      const to = last.type === 'pointerup' ? this.under(last) : square;
      this.dragged = dragging;
      if (this.hear.square) {
        this.hear.square(dragging ? to : square, dragging ? square : null);
      } else if (!dragging && wasChosen) {
        this.chosen = null;
        this.draw();
      } else if (dragging && to && to !== square) {
        this.go(square, to);
      } else if (dragging) {
        this.chosen = null;
        this.draw();
      }
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }

  // The square under a pointer.
  under(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.dataset?.square && this.place.contains(element));
    return found?.dataset.square ?? null;
  }
}
