'use strict';
// Without this script all text is on the page too, some of it folded.
(() => {
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
