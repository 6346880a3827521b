// Charts: lines with bands, bars, and points that can be clicked. Drawn with the colours of the page.

const SVG = 'http://www.w3.org/2000/svg';

function make(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Round numbers that cover a range.
function ticks(low, high, count) {
  if (!(low < high)) [low, high] = [low - 0.5, low + 0.5];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let n = Math.floor(low / step + 1e-9); n <= Math.ceil(high / step - 1e-9); n++) found.push(n * step);
  return { found, step };
}

const label = (value, step) => value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9))).replace('-', '−');

// Draws into `place`. `series`: {name, kind: 'line' | 'bars', css, points: [{x, y, low, high, title}]}. `range` is covered at
// least, `clip` at most. `here` is the x that is looked at, `choose(x)` is told which one is wanted.
export function chart(place, { title, series, range = null, clip = null, here = null, choose = null, zero = false, xRange = null, height = 190 }) {
  const width = Math.max(280, Math.round(place.clientWidth || 560));
  const [left, right, top, bottom] = [46, 10, 12, 26];
  const points = series.flatMap((one) => one.points);
  place.replaceChildren();
  if (points.length === 0 && !range) return;
  const cut = (value) => (clip ? Math.min(clip[1], Math.max(clip[0], value)) : value);
  const values = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]).map(cut);
  if (range) values.push(...range);
  if (zero) values.push(0);
  const xs = points.map((point) => point.x);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const [x0, x1] = xRange ?? (first < last ? [first, last] : [first - 0.5, first + 0.5]);
  const y = ticks(Math.min(...values), Math.max(...values), height < 150 ? 3 : 5);
  const [y0, y1] = [y.found[0], y.found.at(-1)];
  const px = (value) => left + ((value - x0) / Math.max(1e-9, x1 - x0)) * (width - left - right);
  const py = (value) => top + ((y1 - cut(value)) / (y1 - y0)) * (height - top - bottom);
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': title });
  for (const tick of y.found) {
    svg.append(make('path', { d: `M${left} ${py(tick)}H${width - right}`, class: tick === 0 && zero ? 'zero' : 'rule' }));
    const text = make('text', { x: left - 6, y: py(tick) + 4, class: 'tick', 'text-anchor': 'end' });
    text.textContent = label(tick, y.step);
    svg.append(text);
  }
  const wide = ticks(x0, x1, Math.max(3, Math.floor(width / 80)));
  for (const tick of wide.found) {
    if (tick < x0 || tick > x1 || tick !== Math.round(tick)) continue;
    const text = make('text', { x: px(tick), y: height - 8, class: 'tick', 'text-anchor': 'middle' });
    text.textContent = String(tick);
    svg.append(text);
  }
  for (const one of series) {
    if (one.points.length === 0) continue;
    if (one.kind === 'bars') {
      const bar = Math.max(1.5, Math.min(14, (0.38 * (width - left - right)) / Math.max(1, x1 - x0)));
      for (const point of one.points) {
        const [from, to] = [py(Math.max(0, point.y)), py(Math.min(0, point.y))];
        svg.append(make('rect', { x: px(point.x) - bar / 2, y: from, width: bar, height: Math.max(1, to - from), class: `bar ${one.css}` }));
      }
      continue;
    }
    const banded = one.points.filter((point) => point.low !== undefined);
    if (banded.length > 1) {
      const there = banded.map((point) => `${px(point.x)},${py(point.high)}`);
      const back = [...banded].reverse().map((point) => `${px(point.x)},${py(point.low)}`);
      svg.append(make('polygon', { points: [...there, ...back].join(' '), class: `band ${one.css}` }));
    }
    if (one.points.length === 1 && banded.length === 1) {
      const [only] = banded;
      svg.append(make('path', { d: `M${px(only.x)} ${py(only.low)}V${py(only.high)}`, class: `span ${one.css}` }));
    }
    const line = one.points.map((point, index) => `${index ? 'L' : 'M'}${px(point.x)} ${py(point.y)}`).join('');
    svg.append(make('path', { d: line, class: `line ${one.css}` }));
    if (one.points.length === 1 || one.dots) {
      for (const point of one.points) svg.append(make('circle', { cx: px(point.x), cy: py(point.y), r: 3, class: `dot ${one.css}` }));
    }
  }
  if (here !== null) svg.append(make('path', { d: `M${px(here)} ${top}V${height - bottom}`, class: 'here' }));
  if (choose) {
    svg.classList.add('choosable');
    svg.addEventListener('click', (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      const nearest = xs.reduce((best, x) => (Math.abs(px(x) - at) < Math.abs(px(best) - at) ? x : best), xs[0]);
      if (nearest !== undefined) choose(nearest);
    });
  }
  place.append(svg);
}
