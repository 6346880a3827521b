// The review of games: sent, looked at in the background, listed; a game's page, and a player's.

import { $, announce, attempt, complain, el, get, listen, percent, remove, send } from './api.js';
import { chart } from './chart.js';
import { Score } from './score.js';

const score = new Score();
let current = null;
let rows = 50;
let last = { games: -1, done: -1 };
let due = null;

const elo = (shown) => (shown ? `${shown.mean.toFixed(0)} (${shown.interval[0].toFixed(0)}–${shown.interval[1].toFixed(0)})` : '–');
const within = (value, interval, digits) => (value === null ? '–' : `${value.toFixed(digits)} (${interval[0].toFixed(digits)}–${interval[1].toFixed(digits)})`);
const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;
const loss = (value) => (value === null || value === undefined ? '–' : value.toFixed(2));
const playerLink = (name) => el('a', { href: `#player=${encodeURIComponent(name)}` }, name);
const head = (...names) => el('tr', {}, ...names.map((name) => el('th', { scope: 'col', class: name.startsWith('*') ? 'optional' : null }, name.replace('*', ''))));

async function upload(text) {
  const sent = await attempt(() => send('games', text));
  if (!sent) return;
  $('#skipped').replaceChildren(...sent.skipped.map((what) => el('li', {}, what)));
  announce(`${sent.added} games were sent.`);
}

function progress(now) {
  const busy = now.done < now.games;
  $('#progress-line').hidden = !busy;
  $('#progress-text').textContent = `${now.done} of ${now.games} games reviewed`;
  $('#progress').max = Math.max(1, now.games);
  $('#progress').value = now.done;
  if (!busy && last.done >= 0 && last.done < last.games) announce('All games are reviewed.');
  const changed = now.done !== last.done || now.games !== last.games;
  last = now;
  if (changed && !due && current === null) {
    due = setTimeout(() => {
      due = null;
      if (current === null && !$('#list-panel').hidden) list();
    }, busy ? 700 : 0);
  }
}

async function list() {
  const listed = await attempt(() => get('games'));
  const known = await attempt(() => get('players'));
  if (!listed || !known) return;
  const { games } = listed;
  $('#games-part').hidden = games.length === 0;
  $('#more').hidden = games.length <= rows;
  $('#games').replaceChildren(
    el('thead', {}, head('White', 'Black', 'Result', '*Event', '*Date', '*Elo by choices', '')),
    el('tbody', {}, ...games.slice(0, rows).map((game) => el('tr', {},
      el('td', {}, playerLink(game.white.name)), el('td', {}, playerLink(game.black.name)), el('td', { class: 'whole' }, game.done ? game.result : 'waiting'),
      el('td', { class: 'optional' }, game.event), el('td', { class: 'optional' }, game.date),
      el('td', { class: 'optional' }, game.done ? `${elo(game.white.shown)}, ${elo(game.black.shown)}` : ''),
      el('td', { class: 'whole' }, el('a', { href: `#${game.id}`, 'aria-label': `Open ${game.white.name} – ${game.black.name}` }, 'Open'))))));
  const { players } = known;
  $('#players-part').hidden = players.length === 0;
  $('#players').replaceChildren(
    el('thead', {}, head('Player', 'Games', 'Elo by choices', '*Competence c', '*Pawns given up a move')),
    el('tbody', {}, ...players.slice(0, 30).map(({ name, games: count, rating }) => el('tr', {},
      el('td', {}, playerLink(name)), el('td', {}, String(count)), el('td', {}, within(rating.elo, rating.elo_interval, 0)),
      el('td', { class: 'optional' }, within(rating.c, rating.c_interval, 2)), el('td', { class: 'optional' }, loss(rating.mean_error))))));
}

// A figure of a player's rating: what it is, its value, and what there is to say about it.
const figure = (name, value, about) => el('div', { class: 'figure' }, el('span', { class: 'small' }, name), el('b', {}, value), el('span', { class: 'small' }, about));

function figures({ moves, best, rating }) {
  const to = (interval, digits) => `95 %: ${interval[0].toFixed(digits)} to ${interval[1].toFixed(digits)}`;
  const of = rating.expected_for === 'tags' ? 'players of the Elo that the tags give' : 'players of this Elo by choices';
  const found = [];
  if (rating.elo !== null) {
    found.push(figure('Chooses like Elo', rating.elo.toFixed(0), to(rating.elo_interval, 0) + (rating.elo_by_tags ? `; by the tags ${rating.elo_by_tags.toFixed(0)}` : '')));
  }
  if (rating.c !== null) found.push(figure('Competence c', rating.c.toFixed(2), to(rating.c_interval, 2)));
  if (rating.match !== null) {
    found.push(figure('First choices played', percent(rating.match), rating.expected_match === null ? '' : `expected of ${of}: ${percent(rating.expected_match)}`));
    found.push(figure('Pawns given up a move', loss(rating.mean_error), rating.expected_error === null ? '' : `± ${rating.mean_error_error.toFixed(2)}; expected: ${loss(rating.expected_error)}`));
  }
  if (rating.table) found.push(figure('c in endgames of tables', rating.table.c.toFixed(1), `${to(rating.table.c_interval, 1)}, by ${rating.table.decisions} moves`));
  found.push(figure('Best of all moves', moves ? percent(best / moves) : '–', `of ${moves} that were judged`));
  return found;
}

/** Draws the curve of the player that is shown, as wide as there is room. */
let playerCurve = () => {};
addEventListener('resize', () => $('#player-panel').hidden || playerCurve());

async function player(name) {
  const found = await attempt(() => get(`players?name=${encodeURIComponent(name)}`));
  if (!found) return;
  const { rating } = found;
  $('#player-title').textContent = found.name || 'A player without a name';
  $('#player-line').textContent = rating.decisions + (rating.table?.decisions ?? 0)
    ? `Rated from ${rating.decisions} decisions in ${count(found.games, 'game')}: those from move 9 on in which neither side was more than three pawns up.`
    : `${count(found.games, 'game')}, but no decision to rate: those count from move 9 on in which neither side is more than three pawns up.`;
  $('#player-figures').replaceChildren(...figures(found));
  const points = found.list.map((one, index) => one.elo && { x: index + 1, y: one.elo, low: one.elo_interval[0], high: one.elo_interval[1] }).filter(Boolean);
  $('#player-chart-title').hidden = points.length === 0;
  playerCurve = () => chart($('#player-chart'), { title: 'Elo by choices, as games add up, by number of games', series: [{ css: 'you', points, dots: points.length < 40 }], range: points.length ? [1000, 2400] : null });
  playerCurve();
  $('#player-games').replaceChildren(
    el('thead', {}, head('White', 'Black', 'Result', '*Date', '*Elo by this game', '')),
    el('tbody', {}, ...found.list.map(({ game }) => {
      const own = game.white.name === found.name ? game.white : game.black;
      return el('tr', {}, el('td', {}, game.white.name), el('td', {}, game.black.name), el('td', { class: 'whole' }, game.result), el('td', { class: 'optional' }, game.date),
        el('td', { class: 'optional' }, elo(own.shown)), el('td', { class: 'whole' }, el('a', { href: `#${game.id}`, 'aria-label': `Open ${game.white.name} – ${game.black.name}` }, 'Open')));
    })));
}

async function game(id) {
  const found = await attempt(() => get(`games/${id}`));
  if (!found || current !== id) return;
  $('#pgn-out').href = `/api/games/${id}/pgn`;
  score.take(found, score.game?.id === id);
  score.game.id = id;
  if (!found.summary.done) setTimeout(() => current === id && game(id), 1500);
}

function route() {
  const hash = location.hash.slice(1);
  const isGame = /^[0-9a-f]{32}$/.test(hash);
  const isPlayer = hash.startsWith('player=');
  complain(null);
  current = isGame ? hash : null;
  $('#show').hidden = !isGame;
  $('#main').hidden = isGame;
  $('#player-panel').hidden = !isPlayer;
  $('#list-panel').hidden = isPlayer;
  if (isGame) game(hash);
  else if (isPlayer) player(decodeURIComponent(hash.slice('player='.length)));
  else list();
}

const drop = $('#drop');
const take = async (files) => { for (const file of files) await upload(await file.text()); };
addEventListener('dragover', (event) => { event.preventDefault(); drop.classList.add('over'); });
addEventListener('dragleave', () => drop.classList.remove('over'));
addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  take(event.dataTransfer.files);
});
$('#file').onchange = () => take($('#file').files);
$('#paste').onsubmit = (event) => {
  event.preventDefault();
  upload($('#pgn').value);
  $('#pgn').value = '';
};
$('#more').onclick = () => { rows += 200; list(); };
$('#back').onclick = () => { location.hash = ''; };
$('#delete').onclick = () => attempt(async () => { await remove(`games/${current}`); location.hash = ''; });
$('#delete-all').onclick = () => confirm('Delete all games?') && attempt(async () => { await remove('games'); await list(); });
addEventListener('hashchange', route);
route();
listen('games/events', progress);
