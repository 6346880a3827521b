// Requests to our own server, and small helpers that all pages use.

// An element with attributes and children; text is always text.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const $ = (selector) => document.querySelector(selector);

async function ask(method, path, body, kind) {
  const options = { method };
  if (body !== undefined) {
    options.body = body;
    options.headers = { 'content-type': kind };
  }
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error('The server does not answer. Is errare serve still running?');
  }
  const text = await response.text();
  const value = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Error(value?.error ?? `The server says ${response.status}.`);
  return value;
}

export const get = (path) => ask('GET', path);
export const remove = (path) => ask('DELETE', path);
export const post = (path, value = {}) => ask('POST', path, JSON.stringify(value), 'application/json');
export const send = (path, text, method = 'POST') => ask(method, path, text, 'application/x-chess-pgn');

// Listens to a stream of events while the page is seen: a browser keeps few connections to a server, and a page that
// nobody looks at needs none.
export function listen(path, hear) {
  let source = null;
  let closed = false;
  const open = () => {
    if (closed || source || document.hidden) return;
    source = new EventSource(`/api/${path}`);
    source.onmessage = (event) => {
      $('#offline')?.setAttribute('hidden', '');
      hear(JSON.parse(event.data));
    };
    source.onerror = () => {
      $('#offline')?.removeAttribute('hidden');
      if (source?.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(open, 2000);
      }
    };
  };
  const look = () => {
    if (!document.hidden) return open();
    source?.close();
    source = null;
  };
  document.addEventListener('visibilitychange', look);
  open();
  return () => {
    closed = true;
    source?.close();
    source = null;
    document.removeEventListener('visibilitychange', look);
  };
}

// Tells people who don't see the page what has happened. What was said just before is left to be read to its end.
export function announce(text) {
  const place = $('#announce');
  place.append(el('p', {}, text));
  while (place.childElementCount > 6) place.firstElementChild.remove();
}

// Shows what went wrong, until something goes right.
export function complain(error) {
  const place = $('#trouble');
  place.textContent = error ? error.message : '';
  place.hidden = !error;
  if (error) announce(error.message);
}

// Does something and shows what goes wrong.
export async function attempt(work) {
  try {
    const value = await work();
    complain(null);
    return value;
  } catch (error) {
    complain(error);
    return undefined;
  }
}

export const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
export const day = (seconds) => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });
