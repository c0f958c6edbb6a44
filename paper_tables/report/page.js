'use strict';
// What the title of a mark says is shown beside it as soon as the pointer or a key is near. Without
// this script the browser shows the titles by itself, and all text is on the page.
(() => {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('role', 'status');
  tip.hidden = true;
  document.body.append(tip);
  let chosen = null;

  const choose = (mark) => {
    if (chosen) chosen.classList.remove('chosen');
    chosen = mark;
    tip.hidden = !mark;
    if (!mark) return;
    mark.classList.add('chosen');
    tip.textContent = mark.dataset.tip;
    const box = mark.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const left = Math.min(box.left + 14, width - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 10;
    tip.style.left = Math.max(8, left) + window.scrollX + 'px';
    tip.style.top = (above > 0 ? above : box.bottom + 10) + window.scrollY + 'px';
  };

  for (const plot of document.querySelectorAll('svg.plot')) {
    const marks = [...plot.querySelectorAll('.mark')].filter((mark) => mark.querySelector('title'));
    if (marks.length === 0) continue;
    for (const mark of marks) {
      const title = mark.querySelector('title');
      mark.dataset.tip = title.textContent;
      title.remove();
    }
    const nearest = (event) => {
      let best = null;
      let least = 26;
      for (const mark of marks) {
        const box = mark.getBoundingClientRect();
        const away = Math.hypot(box.left + box.width / 2 - event.clientX,
                                box.top + box.height / 2 - event.clientY);
        if (away < least) [best, least] = [mark, away];
      }
      if (best !== chosen) choose(best);
    };
    plot.addEventListener('pointermove', nearest);
    plot.addEventListener('pointerdown', nearest);
    plot.addEventListener('pointerleave', () => choose(null));
    plot.addEventListener('blur', () => choose(null));
    plot.tabIndex = 0;
    plot.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (event.key === 'Escape') choose(null);
      if (!step) return;
      event.preventDefault();
      const from = marks.indexOf(chosen);
      choose(marks[(from + step + marks.length + (from < 0 && step < 0 ? 1 : 0)) % marks.length]);
    });
  }

  // A link into what is folded opens it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let element = target; element; element = element.parentElement) {
      if (element.tagName === 'DETAILS') element.open = true;
    }
    if (target) target.scrollIntoView();
  };
  window.addEventListener('hashchange', unfold);
  if (location.hash) unfold();

  // Paper cannot be unfolded.
  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open]):not(.data)')];
    for (const element of folded) element.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const element of folded) element.open = false;
  });
})();
