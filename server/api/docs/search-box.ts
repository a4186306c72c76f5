/**
 * The only script of the help pages: findings appear below the search field while somebody types, and the list of pages
 * is scrolled to the present one. Without it, the field is a form that leads to the page of findings.
 */

/** Served as it stands. */
export const searchBoxScript = `
const form = document.querySelector('form[role=search]');
const field = form.querySelector('input');
const list = form.querySelector('.findings');
let asked = 0;

async function search() {
  const question = field.value.trim();
  const number = ++asked;
  if (question === '') return close();
  const answer = await fetch(form.action + '?part=list&q=' + encodeURIComponent(question));
  const html = answer.ok ? await answer.text() : '';
  // A later question may have been answered sooner.
  if (number !== asked) return;
  list.innerHTML = html;
  list.hidden = html === '';
}

function close() {
  asked++;
  list.hidden = true;
}

/** Moves among the findings. */
function move(step) {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement) + step;
  (links[at] ?? (at < 0 ? field : links[0]))?.focus();
}

// The list of pages, scrolled to the present one.
const topics = document.querySelector('.topics');
const current = topics.querySelector('[aria-current]');
if (current && getComputedStyle(topics).position === 'sticky') topics.scrollTop = current.offsetTop - topics.clientHeight / 2;

field.addEventListener('input', search);
field.addEventListener('focus', search);
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') { close(); field.focus(); close(); }
  else if (event.key === 'ArrowDown') { event.preventDefault(); move(1); }
  else if (event.key === 'ArrowUp') { event.preventDefault(); move(-1); }
});
document.addEventListener('click', (event) => { if (!form.contains(event.target)) close(); });
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
});
`;
