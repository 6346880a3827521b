// The pieces, drawn for this board: an outline to be filled, and lines on it.

const SVG = 'http://www.w3.org/2000/svg';
const BASE = 'M26 81h48l4 10H22z';

const SHAPES = {
  p: ['M50 22a14 14 0 0 1 9 25h5v6h-7c1 12 5 20 12 27h5l3 11H23l3-11h5c7-7 11-15 12-27h-7v-6h5a14 14 0 0 1 9-25z', 'M33 80h34'],
  r: ['M27 17h12v8h6v-8h10v8h6v-8h12v20l-9 8v27l7 9h4l4 10H21l4-10h4l7-9V45l-9-8z', 'M36 45h28M36 72h28M29 81h42'],
  n: ['M39 13l8 9c21 2 34 19 34 46 0 9-1 16-3 23H28c-1-17 13-24 17-38-5 5-10 7-15 8l-4 9-8 1-7-9 9-19 7-13 1-11 7 5z', 'M30 81h48M17 62l5-3'],
  b: ['M50 9a6 6 0 0 1 4 11c11 8 18 18 18 28 0 8-4 14-10 18l4 6-2 4h8l4 15H24l4-15h8l-2-4 4-6c-6-4-10-10-10-18 0-10 7-20 18-28a6 6 0 0 1 4-11z', 'M58 31L50 44M38 66h24M34 76h32'],
  q: ['M29 70L15 37a5 5 0 1 1 3-1l14 17-1-26a5 5 0 1 1 4 0l10 23 3-29a5 5 0 1 1 4 0l3 29 10-23a5 5 0 1 1 4 0l-1 26 14-17a5 5 0 1 1 3 1L71 70l3 11 4 10H22l4-10z', 'M29 70c14-4 28-4 42 0M26 81c16-4 32-4 48 0'],
  k: ['M46 6h8v7h7v8h-7v7c8-6 19-6 25 1 8 9 3 22-7 34l2 18 4 10H22l4-10 2-18c-10-12-15-25-7-34 6-7 17-7 25-1v-7h-7v-8h7z', 'M28 63c14-4 30-4 44 0M26 81c16-4 32-4 48 0M50 32v27'],
};

// A piece by its letter in a FEN.
export function piece(letter) {
  const svg = document.createElementNS(SVG, 'svg');
  const kind = letter.toLowerCase();
  svg.setAttribute('viewBox', '0 0 100 100');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', `piece ${letter === kind ? 'black' : 'white'}`);
  const [outline, lines] = SHAPES[kind];
  for (const [d, name] of [[outline, 'outline'], [lines, 'lines']]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    path.setAttribute('class', name);
    svg.append(path);
  }
  if (kind === 'n') {
    const eye = document.createElementNS(SVG, 'circle');
    eye.setAttribute('cx', '35');
    eye.setAttribute('cy', '35');
    eye.setAttribute('r', '3');
    eye.setAttribute('class', 'eye');
    svg.append(eye);
  }
  return svg;
}

const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

export function name(letter) {
  return `${letter === letter.toLowerCase() ? 'black' : 'white'} ${NAMES[letter.toLowerCase()]}`;
}
