// The practice board: choose a partner and a position, play, see what each move was worth.

import { $, announce, attempt, complain, day, el, get, listen, percent, post, remove } from './api.js';
import { Board, men, placement } from './board.js';
import { chart } from './chart.js';
import { name, piece } from './pieces.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const hear = {};
const board = new Board($('#board'), hear);
let game = null;
let shown = null;
let stop = null;
let choices = null;
let heard = { at: 0 };
let picked = 'P';

const other = (side) => (side === 'white' ? 'black' : 'white');
const verdictOf = (ply) => game.verdicts.find((verdict) => verdict.ply === ply);

// ---- The game ----

function open(id) {
  stop?.();
  [game, shown, board.premove] = [null, null, null];
  if (location.hash !== `#${id}`) history.pushState(null, '', `#${id}`);
  stop = listen(`practice/${id}`.concat('/events'), take);
  get(`practice/${id}`).then(take, (error) => {
    complain(error);
    stop?.();
    settle();
  });
}

// Takes over the game as the server has it.
function take(next) {
  if (game && next.id === game.id && next.revision < game.revision) return;
  const before = game;
  game = next;
  heard = { at: performance.now() };
  if (!before || before.id !== game.id) {
    board.flip(game.side === 'black');
    shown = null;
    delete hear.square;
    $('#setup').hidden = true;
    $('#game').hidden = false;
    $('#type').hidden = false;
  }
  if (before && before.plies.length !== game.plies.length) shown = null;
  tell(before);
  draw();
  premove();
}

function tell(before) {
  if (!before || before.id !== game.id) return;
  const said = game.plies.slice(before.plies.length).map((ply) => `${ply.side === game.side ? 'You' : 'Partner'}: ${ply.san}`);
  const last = game.verdicts.at(-1);
  if (last && !before.verdicts.some((verdict) => verdict.ply === last.ply && verdict.text === last.text)) said.push(last.text);
  if (game.ending && !before.ending) said.push(ending());
  if (said.length) announce(said.join('. '));
}

function ending() {
  const { result, reason } = game.ending;
  if (result === '1/2-1/2') return `A draw: ${reason}.`;
  return `${(result === '1-0') === (game.side === 'white') ? 'You have won' : 'You have lost'}: ${reason}.`;
}

function draw() {
  const ply = shown ?? game.plies.length;
  const now = ply === game.plies.length;
  const at = ply > 0 ? game.plies[ply - 1] : null;
  const live = now && !game.ending;
  board.show({
    fen: at ? at.fen : game.start,
    legal: live && game.turn === game.side ? game.legal.map((move) => move.uci) : [],
    side: live ? game.side : null,
    turn: now ? game.turn : null,
    last: at?.uci ?? null,
    check: now && game.check,
    hint: now ? game.hint : null,
  });
  $('#their-name').textContent = game.partner.name;
  $('#my-name').textContent = `You (${game.side})`;
  $('#game-title').textContent = game.title;
  $('#status').textContent = status(now);
  const mine = live && game.turn === game.side;
  $('#takeback').disabled = game.plies.length <= game.given;
  $('#hint').disabled = $('#draw').disabled = !mine;
  $('#resign').disabled = Boolean(game.ending);
  $('#san').disabled = !live;
  $('#pgn-out').href = `/api/practice/${game.id}/pgn`;
  $('#to-review').hidden = game.plies.length === 0;
  // What is believed of the visitor is shown below, as a curve.
  const remarks = game.remarks.filter((text) => !text.startsWith('opponent: '));
  $('#remarks').textContent = remarks.map((text) => `“${text}”`).join('\n');
  $('#remarks').hidden = remarks.length === 0;
  verdict(now ? null : ply);
  moves(ply);
  curve();
  review();
  clocks();
}

function status(now) {
  if (!now) return 'An earlier position. Play goes on after the last move.';
  if (game.ending) return ending();
  if (game.waits.draw) return 'Draw offered …';
  if (game.waits.hint) return 'Looking for a good move …';
  if (game.turn !== game.side) return board.premove ? 'Your move is ready for the answer.' : 'Your partner thinks …';
  const hint = game.hint && game.legal.find((move) => move.uci === game.hint);
  return hint ? `Try ${hint.san}.` : game.check ? 'Your move: you are in check.' : 'Your move.';
}

function verdict(ply) {
  const found = ply ? verdictOf(ply) : game.verdicts.at(-1);
  const place = $('#verdict');
  place.hidden = !found;
  if (!found) return;
  place.className = `verdict ${found.optimal ? 'good' : bad(found) ? 'bad' : ''}`;
  $('#verdict-text').textContent = `${number(found.ply)} ${found.text}`;
  $('#verdict-chance').textContent =
    `A player of your level plays this ${percent(found.likelihood)} of the time, and finds a best move ${percent(found.found)} of the time.` +
    (game.hinted.includes(found.ply - 1) ? ' With a hint: it does not count for your Elo.' : '');
}

const bad = (found) => found.loss >= 0.5 || found.conceded >= 2 || (found.before && found.before[0] !== found.after[0]);

function number(ply) {
  const move = game.plies[ply - 1];
  return move ? `${move.number}${move.side === 'white' ? '.' : '…'} ${move.san}:` : '';
}

function moves(ply) {
  const list = $('#moves');
  const rows = [];
  game.plies.forEach((move, index) => {
    if (move.side === 'white' || index === 0) rows.push(el('li', { class: 'number' }, `${move.number}.`));
    if (index === 0 && move.side === 'black') rows.push(el('li', {}, '…'));
    const found = verdictOf(index + 1);
    const mark = found ? (found.optimal ? 'good' : bad(found) ? 'bad' : '') : '';
    const button = el('button', { class: mark, 'aria-current': index + 1 === ply ? 'true' : null, onclick: () => look(index + 1) }, move.san);
    if (found) button.setAttribute('aria-label', `${move.san}, ${found.text}`);
    rows.push(el('li', {}, button));
  });
  list.replaceChildren(...rows);
  const current = list.querySelector('[aria-current]');
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function look(ply) {
  const at = Math.max(0, Math.min(game.plies.length, ply));
  shown = at === game.plies.length ? null : at;
  draw();
}

function curve() {
  const known = game.verdicts.filter((found) => found.elo);
  const byTables = game.verdicts.filter((found) => found.scale === 'table' && found.c);
  const useElo = known.length > 0 && (known.length >= byTables.length);
  const list = useElo ? known : byTables;
  $('#curve').hidden = list.length === 0;
  if (list.length === 0) return;
  const of = (found) => (useElo ? found.elo : found.c);
  const points = list.map((found) => {
    const [mean, [low, high]] = of(found);
    return { x: game.plies[found.ply - 1]?.number ?? found.ply, y: mean, low, high };
  });
  const [mean, [low, high]] = of(list.at(-1));
  const digits = useElo ? 0 : 1;
  $('#curve-title').textContent = useElo
    ? `You choose like Elo ${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)}, by ${list.length} moves)`
    : `Your competence in this endgame: c = ${mean.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  chart($('#elo-chart'), { title: $('#curve-title').textContent, series: [{ css: 'you', points, dots: true }], range: useElo ? [800, 2600] : [0, 20], height: 170 });
}

function review() {
  $('#ended').hidden = !game.review;
  if (!game.review) return;
  const { erred, hardest, best } = game.review;
  const item = (ply, words) => {
    const found = verdictOf(ply);
    return el('li', {},
      el('span', {}, `${number(ply)} ${words(found)}`),
      el('span', { class: 'buttons' },
        el('button', { onclick: () => look(ply - 1) }, 'See'),
        el('button', { onclick: () => attempt(async () => open((await post(`practice/${game.id}/again`, { ply: ply - 1 })).id)) }, 'Try again')));
  };
  const list = (title, plies, words) => plies.length ? [el('h3', { class: 'small' }, title), el('ul', { class: 'list' }, ...plies.map((ply) => item(ply, words)))] : [];
  $('#review').replaceChildren(
    el('p', {}, `${best} of your ${game.review.moves} moves were best.`),
    ...list('Where you erred most', erred, (found) => found.text),
    ...list('What was hardest', hardest, (found) => `a player of your level finds a best move here ${percent(found.found)} of the time; you ${found.optimal ? 'did' : `played ${game.plies[found.ply - 1].san}, best was ${found.best[0]}`}.`),
  );
}

function clocks() {
  for (const [place, side] of [['#my-clock', game.side], ['#their-clock', other(game.side)]]) {
    const shownClock = $(place);
    shownClock.hidden = !game.clock;
    if (!game.clock) continue;
    const running = game.clock.running === side;
    const left = Math.max(0, game.clock[side] - (running ? performance.now() - heard.at : 0)) / 1000;
    const minutes = Math.floor(left / 60);
    shownClock.textContent = left < 20 ? left.toFixed(1) : `${minutes}:${String(Math.floor(left % 60)).padStart(2, '0')}`;
    shownClock.classList.toggle('running', running);
    shownClock.setAttribute('role', 'timer');
    shownClock.setAttribute('aria-label', `${side === game.side ? 'Your' : 'Partner’s'} clock`);
  }
}
setInterval(() => game?.clock && clocks(), 200);
addEventListener('resize', () => game && !$('#game').hidden && curve());

async function play(move) {
  if (!game) return;
  const ply = game.plies.length;
  const sent = await attempt(() => post(`practice/${game.id}/move`, { move, ply }));
  if (sent) take(sent);
  else draw();
}

// Plays the move that waited, if it can be played now.
function premove() {
  const waiting = board.premove;
  if (!waiting || game.turn !== game.side || game.ending) return;
  board.wait(null);
  const legal = game.legal.map((move) => move.uci).filter((uci) => uci.startsWith(waiting));
  if (legal.length) play(legal.find((uci) => uci.endsWith('q')) ?? legal[0]);
}

const act = (what) => attempt(async () => take(await post(`practice/${game.id}/${what}`)));

hear.move = play;
hear.premove = () => game && ($('#status').textContent = status(shown === null));
$('#takeback').onclick = () => act('takeback');
$('#hint').onclick = () => act('hint');
$('#draw').onclick = () => act('draw');
$('#resign').onclick = () => confirm('Give this game up?') && act('resign');
$('#flip').onclick = () => board.flip();
$('#new').onclick = () => settle(true);
$('#to-review').onclick = () => attempt(async () => {
  const { id } = await post(`practice/${game.id}/review`);
  location.href = `/games#${id}`;
});
$('#to-live').onclick = () => attempt(async () => {
  const { id } = await post(`practice/${game.id}/live`);
  location.href = `/live#${id}`;
});
$('#type').onsubmit = (event) => {
  event.preventDefault();
  const text = $('#san').value.trim();
  if (!text) return;
  $('#san').value = '';
  play(text);
};
document.addEventListener('keydown', (event) => {
  if (!game || $('#game').hidden || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest('input, textarea, select, .board, dialog')) return;
  const ply = shown ?? game.plies.length;
  if (event.key === 'ArrowLeft') look(ply - 1);
  else if (event.key === 'ArrowRight') look(ply + 1);
  else if (event.key === 'f') board.flip();
  else return;
  event.preventDefault();
});

// ---- A new game ----

function agentCards() {
  const shownFirst = ['Player', 'Emulator', 'Coach', 'Predator', 'Infallible', 'Search'];
  const words = {
    Player: 'errs by chance, as people of a level do',
    Emulator: 'errs as people do, but more steadily',
    Coach: 'as strong as you are, and comments your moves',
    Predator: 'as hard for you as can be',
    Infallible: 'never errs where tables know the truth',
    Search: 'the strongest move it finds',
  };
  const sorted = [...choices.agents].sort((a, b) => shownFirst.indexOf(a.name) - shownFirst.indexOf(b.name));
  $('#agents').replaceChildren(...sorted.map((agent, index) => el('label', {},
    el('input', { type: 'radio', name: 'agent', value: agent.name, checked: index === 0, onchange: fields }), agent.name,
    el('span', {}, words[agent.name] ?? agent.help))));
}

const chosenAgent = () => choices.agents.find((agent) => agent.name === document.querySelector('[name=agent]:checked').value);

function fields() {
  const agent = chosenAgent();
  const byC = $('#by-c').checked;
  $('#level-fields').hidden = !agent.elo;
  $('#level').hidden = byC;
  $('#c-fields').hidden = !agent.c || !byC || !agent.elo;
  const level = choices.levels[Number($('#level').value)];
  $('#level-words').textContent = byC ? 'by competence' : `${level.words}, ${level.elo}`;
  $('#level').setAttribute('aria-valuetext', `${level.words}, ${level.elo}`);
  const task = $('#task').value;
  document.querySelectorAll('[data-task]').forEach((part) => { part.hidden = part.dataset.task !== task; });
  const study = task === 'position';
  const chosen = chosenTable();
  $('#depth').max = chosen.deepest ?? 127;
  $('#depth').disabled = $('#value').value !== 'win';
  $('#table-fields').hidden = task !== 'endgame' && !study;
  $('#make-table').hidden = chosen.table !== 'missing';
  $('#table-note').textContent = {
    there: chosen.deepest ? `The longest win takes ${chosen.deepest} moves. The truth is exact here.` : 'The truth is exact here.',
    soon: 'Its table is made when it is first played, in a few seconds.',
    missing: study ? 'Moves are judged by search. With its table the truth is exact; making it takes minutes, once.' : 'Its table has to be made first: that takes minutes, once.',
    making: 'Its table is being made …',
  }[chosen.table] ?? '';
  preview();
}

// The endgame or the famous position that is chosen, with what there is of its table.
function chosenTable() {
  const { endgames, positions } = choices.tasks;
  if ($('#task').value !== 'position') return endgames.find((one) => one.name === $('#endgame').value) ?? {};
  const study = positions.find((one) => one.name === $('#study').value);
  return { name: study?.endgame, table: study?.table };
}

// Shows what will be played.
function preview() {
  if ($('#setup').hidden) return;
  const task = $('#task').value;
  hear.square = task === 'fen' ? edit : undefined;
  const study = choices.tasks.positions.find((one) => one.name === $('#study').value);
  const fen = task === 'fen' ? $('#fen').value || START : task === 'position' ? study.fen : START;
  const shownFen = /^[1-8pnbrqkPNBRQK/]+( |$)/.test(fen) ? fen : START;
  board.premove = board.chosen = null;
  board.show({ fen: task === 'endgame' ? lineUp($('#endgame').value) : shownFen });
}

// The men of an endgame, as in KQKR, side by side: where they will stand is drawn by lot.
function lineUp(endgame) {
  const [, white, black] = /^(K\w*)(K\w*)$/.exec(endgame) ?? ['', '', ''];
  const row = (side) => `${'1'.repeat(Math.floor((8 - side.length) / 2))}${side}`.padEnd(8, '1');
  return `${row(black.toLowerCase())}/8/8/8/8/8/8/${row(white)} w - - 0 1`;
}

// Men are put up: on a square, or moved from one to another, or off the board.
function edit(square, from) {
  const found = { ...board.men };
  if (from) {
    const man = found[from];
    delete found[from];
    if (square) found[square] = man;
  } else if (picked === '' || found[square] === picked) {
    delete found[square];
  } else {
    found[square] = picked;
  }
  setFen(placement(found));
}

function setFen(place) {
  const found = men(place);
  // Whose king and rook stand where they began may castle; who wants it otherwise changes the FEN.
  const rights = [['K', 'e1', 'h1'], ['Q', 'e1', 'a1'], ['k', 'e8', 'h8'], ['q', 'e8', 'a8']].filter(([side, king, rook]) => {
    const [k, r] = side < 'a' ? ['K', 'R'] : ['k', 'r'];
    return found[king] === k && found[rook] === r;
  });
  $('#fen').value = `${place} ${$('#turn').value} ${rights.map(([side]) => side).join('') || '-'} - 0 1`;
  preview();
}

function palette() {
  const buttons = [...'PNBRQK', '', ...'pnbrqk'].map((letter) => el('button', {
    type: 'button', 'aria-pressed': String(letter === picked), 'aria-label': letter ? name(letter) : 'take men off',
    onclick: () => { picked = letter; palette(); },
  }, letter ? piece(letter) : '✕'));
  $('#palette').replaceChildren(...buttons);
}

async function wish(event) {
  event.preventDefault();
  const agent = chosenAgent();
  const partner = { agent: agent.name };
  if (agent.elo && !$('#by-c').checked) partner.elo = choices.levels[Number($('#level').value)].elo;
  if (agent.elo && $('#by-c').checked) Object.assign(partner, { c: Number($('#c').value), game_c: Number($('#game-c').value) });
  const kind = $('#task').value;
  const value = $('#value').value || undefined;
  const task = {
    game: () => ({ kind }),
    endgame: () => ({ kind, name: $('#endgame').value, value, depth: value === 'win' && $('#depth').value ? Number($('#depth').value) : undefined }),
    position: () => ({ kind, name: $('#study').value }),
    fen: () => ({ kind, fen: $('#fen').value || START }),
    pgn: () => ({ kind, pgn: $('#pgn').value }),
  }[kind]();
  const [base, increment] = $('#clock').value.split('+').map(Number);
  const side = document.querySelector('[name=side]:checked').value;
  const button = $('#wish .main');
  button.disabled = true;
  const begun = await attempt(() => post('practice', { partner, task, side, clock: $('#clock').value ? { base, increment } : null }));
  button.disabled = false;
  if (!begun) return;
  localStorage.setItem('wish', JSON.stringify({ agent: agent.name, level: $('#level').value, side }));
  open(begun.id);
}

// Shows what can be chosen.
async function settle(keep = false) {
  if (!keep) {
    stop?.();
    game = null;
  }
  $('#setup').hidden = false;
  $('#game').hidden = $('#type').hidden = true;
  $('#back').hidden = !keep;
  $('#their-name').textContent = 'Partner';
  board.flip(false);
  preview();
  await own();
}

async function own() {
  const listed = await attempt(() => get('practice'));
  const games = listed?.games ?? [];
  $('#own-title').hidden = games.length === 0;
  $('#own').replaceChildren(...games.slice(0, 50).map((one) => el('li', {},
    el('a', { href: `#${one.id}` }, `${one.title}, ${one.partner}`, el('span', { class: 'small' }, ` · ${one.moves} moves, ${one.ending ? one.ending.result : 'running'}, ${day(one.changed)}`)),
    el('button', { 'aria-label': `Delete ${one.title}`, onclick: () => attempt(async () => { await remove(`practice/${one.id}`); await own(); }) }, 'Delete'))));
}

async function makeTable() {
  const { name: endgame } = chosenTable();
  await attempt(() => post(`tables/${endgame}`));
  const wait = async () => {
    choices.tasks = (await get('choices')).tasks;
    fields();
    const made = [...choices.tasks.endgames, ...choices.tasks.positions].find((one) => (one.endgame ?? one.name) === endgame);
    if (made?.table === 'making') setTimeout(wait, 2000);
    else if (made?.table === 'there') announce('The table is made.');
  };
  await attempt(wait);
}

async function begin() {
  choices = await attempt(() => get('choices'));
  if (!choices) return;
  agentCards();
  $('#level').max = choices.levels.length - 1;
  $('#level').value = choices.levels.findIndex((level) => level.elo === 1500);
  $('#endgame').append(...choices.tasks.endgames.map((one) => el('option', { value: one.name }, `${one.title} (${one.name})`)));
  $('#study').append(...choices.tasks.positions.map((one) => el('option', { value: one.name }, one.title)));
  $('#endgame').value = 'KQKR';
  $('#fen').value = START;
  const last = JSON.parse(localStorage.getItem('wish') ?? 'null');
  if (last) {
    document.querySelectorAll('[name=agent]').forEach((input) => { input.checked = input.value === last.agent; });
    document.querySelectorAll('[name=side]').forEach((input) => { input.checked = input.value === last.side; });
    if (choices.levels[last.level]) $('#level').value = last.level;
  }
  palette();
  $('#wish').addEventListener('input', fields);
  $('#turn').addEventListener('change', () => setFen(placement(men($('#fen').value || START))));
  $('#clear').onclick = () => setFen('8/8/8/8/8/8/8/8');
  $('#start').onclick = () => { $('#fen').value = START; preview(); };
  $('#make-table').onclick = makeTable;
  $('#pgn-file').onchange = async () => { $('#pgn').value = await $('#pgn-file').files[0].text(); };
  $('#wish').onsubmit = wish;
  $('#back').onclick = () => open(game.id);
  addEventListener('hashchange', route);
  addEventListener('popstate', route);
  fields();
  route();
}

function route() {
  const id = location.hash.slice(1);
  if (/^[0-9a-f]{32}$/.test(id)) {
    if (game?.id !== id || $('#game').hidden) open(id);
  } else {
    settle();
  }
}

begin();
