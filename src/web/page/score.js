// A game that is looked at: board, evaluation, both players' competence with bands, moves with their surprise.

import { $, el, percent } from './api.js';
import { Board } from './board.js';
import { chart } from './chart.js';

// What a position is worth for White, in pawns, as far as a chart shows it.
function pawns(move) {
  if (move.scale === 'table') {
    const sign = move.side === 'white' ? 1 : -1;
    return { win: 10, draw: 0, loss: -10 }[move.value_after] * sign;
  }
  const text = move.evaluation ?? '0';
  return text.startsWith('#') ? (text.startsWith('#-') ? -10 : 10) : Number(text);
}

function worth(move) {
  if (move.scale === 'table') {
    const depth = move.depth_after === null ? '' : ` in ${move.depth_after}`;
    return `${move.value_after}${depth} for ${move.side === 'white' ? 'White' : 'Black'}`;
  }
  const text = move.evaluation ?? '';
  if (move.san.endsWith('#')) return 'checkmate';
  if (text.startsWith('#')) return `mate in ${text.replace(/[^0-9]/g, '')} for ${text.startsWith('#-') ? 'Black' : 'White'}`;
  return text.replace('-', '−');
}

const bad = (move) => move.loss >= 0.8 || (move.scale === 'table' && move.value !== move.value_after);
const surprise = (move) => -Math.log(Math.max(1e-4, move.probability));

export class Score {
  constructor() {
    this.board = new Board($('#board'));
    this.game = null;
    this.at = null;
    this.asElo = true;
    $('#flip')?.addEventListener('click', () => this.board.flip());
    document.addEventListener('keydown', (event) => {
      if (!this.game || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.closest('input, textarea, select, dialog')) return;
      const last = this.game.plies.length;
      const ply = this.at ?? last;
      const next = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.look(next);
    });
    for (const [id, to] of [['first', () => 0], ['previous', (ply) => ply - 1], ['next', (ply) => ply + 1], ['last', () => Infinity]]) {
      $(`#${id}`)?.addEventListener('click', () => this.game && this.look(to(this.at ?? this.game.plies.length)));
    }
    addEventListener('resize', () => this.game && this.draw());
  }

  // Shows a game as it is now. Who looks at the last move goes on doing so.
  take(game, keep = true) {
    if (!keep) this.at = null;
    this.game = game;
    if (this.at !== null && this.at > game.plies.length) this.at = null;
    this.draw();
  }

  look(ply) {
    const last = this.game.plies.length;
    const at = Math.max(0, Math.min(last, ply));
    this.at = at === last ? null : at;
    this.draw();
  }

  draw() {
    const { game } = this;
    const ply = this.at ?? game.plies.length;
    const shown = ply > 0 ? game.plies[ply - 1] : null;
    const judged = game.moves.find((move) => move.ply === ply);
    this.board.show({ fen: shown?.fen ?? game.start, last: shown?.uci ?? null });
    const { tags } = game;
    for (const side of ['White', 'Black']) {
      const elo = tags[`${side}Elo`];
      $(`#${side.toLowerCase()}-name`).textContent = `${tags[side] ?? side}${elo && elo !== '?' ? ` (${elo})` : ''}`;
    }
    $('#headline').textContent = `${tags.White ?? '?'} – ${tags.Black ?? '?'}`;
    $('#about').textContent = [tags.Event, tags.Site, tags.Round && `round ${tags.Round}`, tags.Date, game.result === '*' ? 'running' : game.result].filter((text) => text && text !== '?' && text !== 'round ?' && text !== 'round -').join(' · ');
    $('#judged').textContent = game.done < game.plies.length ? `${game.done} of ${game.plies.length} half-moves judged` : '';
    this.word(shown, judged);
    this.figures(ply);
    this.charts(ply);
    this.moves(ply);
  }

  word(shown, judged) {
    const place = $('#word');
    if (!shown) return void (place.textContent = 'The start.');
    const number = `${shown.number}${shown.side === 'white' ? '.' : '…'} ${shown.san}`;
    if (!judged) return void (place.textContent = number);
    const cost = judged.loss ? `, gave up ${judged.loss.toFixed(2)}` : judged.conceded > 0 ? `, gave up ${judged.conceded} moves` : '';
    const best = judged.optimal ? (judged.optimal_moves.length === 1 ? ', best' : ', as good as any') : `; best was ${judged.optimal_moves.slice(0, 3).join(', ')}`;
    place.textContent = `${number}: ${worth(judged)}${cost}${best}. Expected with ${percent(judged.probability)}.`;
  }

  // What is believed of both players after a move.
  figures(ply) {
    const last = this.game.moves.filter((move) => move.ply <= ply).at(-1);
    for (const side of ['white', 'black']) {
      const elo = last?.[`${side}_elo`];
      const interval = last?.[`${side}_elo_interval`];
      const c = last?.[`${side}_c`];
      const [low, high] = last?.[`${side}_interval`] ?? [];
      $(`#${side}-figure`).textContent = elo ? elo.toFixed(0) : c !== undefined ? `c ${c.toFixed(2)}` : '–';
      $(`#${side}-detail`).textContent = elo ? `chooses like Elo ${interval[0].toFixed(0)} to ${interval[1].toFixed(0)}\nc = ${c.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})` : c !== undefined ? `${low.toFixed(2)} to ${high.toFixed(2)}, by ${last.scale === 'table' ? 'tables' : 'evaluations'}` : 'nothing known yet';
    }
  }

  charts(ply) {
    const { game } = this;
    const x = (move) => move.ply / 2 + 0.5;
    const here = ply / 2 + 0.5;
    const xRange = [0.6, Math.max(2.4, game.plies.length / 2 + 0.9)];
    const choose = (at) => this.look(Math.round((at - 0.5) * 2));
    const title = (text) => `${text}, by move number`;
    chart($('#evaluation'), {
      title: title('Evaluation in pawns, White up'), clip: [-6, 6], range: [-2, 2], zero: true, here, choose, xRange, height: 150,
      series: [{ kind: 'bars', css: 'w', points: game.moves.map((move) => ({ x: x(move), y: pawns(move) })).filter((point) => point.y >= 0) },
        { kind: 'bars', css: 'b', points: game.moves.map((move) => ({ x: x(move), y: pawns(move) })).filter((point) => point.y < 0) }],
    });
    const scale = game.moves.filter((move) => move.scale === 'evaluation').length * 2 >= game.moves.length ? 'evaluation' : 'table';
    const elos = this.asElo && game.moves.some((move) => move.white_elo || move.black_elo);
    const line = (side) => game.moves
      .filter((move) => (elos ? move[`${side}_elo`] : move.scale === scale) && (move.side === side))
      .map((move) => {
        const [low, high] = elos ? move[`${side}_elo_interval`] : move[`${side}_interval`];
        return { x: x(move), y: elos ? move[`${side}_elo`] : move[`${side}_c`], low, high };
      });
    $('#competence-title').textContent = elos ? 'Choices like those of Elo …, with 95 % band' : `Apparent competence c by ${scale === 'table' ? 'tables' : 'evaluations'}, with 95 % band`;
    chart($('#competence'), {
      title: title($('#competence-title').textContent), here, choose, xRange, height: 190, range: elos ? [1000, 2400] : [0, scale === 'table' ? 20 : 1],
      series: [{ css: 'w', points: line('white') }, { css: 'b', points: line('black') }],
    });
    chart($('#surprise'), {
      title: title('Surprise, minus the logarithm of the probability'), here, choose, xRange, height: 120, zero: true, range: [0, 3],
      series: ['white', 'black'].map((side) => ({ kind: 'bars', css: side[0], points: game.moves.filter((move) => move.side === side).map((move) => ({ x: x(move), y: surprise(move) })) })),
    });
  }

  moves(ply) {
    const rows = [];
    this.game.plies.forEach((move, index) => {
      if (move.side === 'white' || index === 0) rows.push(el('li', { class: 'number' }, `${move.number}.`));
      if (index === 0 && move.side === 'black') rows.push(el('li', {}, '…'));
      const judged = this.game.moves.find((one) => one.ply === index + 1);
      const button = el('button', { class: judged && bad(judged) ? 'bad' : '', 'aria-current': index + 1 === ply ? 'true' : null, onclick: () => this.look(index + 1) }, move.san);
      rows.push(el('li', {}, button, judged ? el('span', { class: 'small', title: 'surprise' }, ` ${surprise(judged).toFixed(1)}`) : null));
    });
    const list = $('#moves');
    list.replaceChildren(...rows);
    const current = list.querySelector('[aria-current]');
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}
