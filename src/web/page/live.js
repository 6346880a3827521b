// The dashboard: a game as it is played.

import { $, announce, attempt, el, get, listen, remove, send } from './api.js';
import { Score } from './score.js';

const score = new Score();
let stop = null;
let current = null;

function show(id, number) {
  stop?.();
  current = id;
  $('#main').hidden = true;
  $('#show').hidden = false;
  let first = true;
  let known = 0;
  stop = listen(`live/${id}/events${number === null ? '' : `?game=${number}`}`, (game) => {
    $('#feed-trouble').hidden = !game.feed.trouble;
    $('#feed-trouble').textContent = game.feed.trouble ? `The newest game can't be read: ${game.feed.trouble}.` : '';
    if (!game.plies) {
      $('#headline').textContent = game.feed.trouble ? 'Nothing to show' : 'Nothing has been played yet.';
      return;
    }
    if (!first && game.plies.length > known) announce(`${game.plies.at(-1).side} played ${game.plies.at(-1).san}`);
    known = game.plies.length;
    score.take(game, !first);
    first = false;
  });
  get('live').then(({ feeds }) => {
    $('#again').hidden = feeds.find((feed) => feed.id === id)?.kind !== 'pasted';
  }, () => {});
}

async function list() {
  stop?.();
  current = null;
  $('#main').hidden = false;
  $('#show').hidden = true;
  const listed = await attempt(() => get('live'));
  if (!listed) return;
  const line = (feed) => {
    const newest = feed.games.at(-1);
    const words = newest ? `${newest.white} – ${newest.black}, ${newest.result}` : 'nothing played yet';
    const others = feed.games.slice(0, -1).slice(-20).reverse();
    return el('li', {},
      el('div', {},
        el('a', { href: `#${feed.id}` }, `${feed.name}: ${words}`),
        others.length ? el('details', {}, el('summary', { class: 'small' }, `${others.length} earlier`),
          ...others.map((game) => el('div', {}, el('a', { href: `#${feed.id}/${game.number}` }, `${game.white} – ${game.black}, ${game.result}`)))) : null),
      feed.kind === 'file' ? null : el('button', { onclick: () => attempt(async () => { await remove(`live/${feed.id}`); await list(); }) }, 'Delete'));
  };
  $('#feeds').replaceChildren(...listed.feeds.map(line));
}

function route() {
  const found = /^#([0-9a-f]{32})(?:\/(\d+))?$/.exec(location.hash);
  if (found) show(found[1], found[2] ?? null);
  else list();
}

$('#paste').onsubmit = (event) => {
  event.preventDefault();
  attempt(async () => {
    const feed = await send('live', $('#pgn').value);
    $('#pgn').value = '';
    location.hash = feed.id;
  });
};
$('#update').onsubmit = (event) => {
  event.preventDefault();
  attempt(async () => {
    await send(`live/${current}`, $('#more').value, 'PUT');
    $('#more').value = '';
  });
};
$('#other').onclick = () => { location.hash = ''; };
$('#full').onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
addEventListener('hashchange', route);
route();
