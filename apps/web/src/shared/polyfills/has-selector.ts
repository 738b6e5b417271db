/**
 * Emulates `:has(…)` (Chromium 105). Elements get the numbers of their matching relations as words of `data-has`. The
 * style sheet with the fallbacks (`css-fallbacks.ts`) selects by these. Supports the relations in the app's style
 * sheets: descendants (`:has(form)`) and children (`:has(> form)`).
 */

const mark = 'data-has';

/** @param relations The contents of the parentheses. Their indices in the list are the numbers. */
export function provideHasSelector(relations: readonly string[]): void {
  if (CSS.supports('selector(:has(a))')) {
    return;
  }
  let due = false;
  const soon = () => {
    if (!due) {
      due = true;
      requestAnimationFrame(() => {
        due = false;
        markElements(relations);
      });
    }
  };
  new MutationObserver((records) => {
    if (records.some(({ attributeName }) => attributeName !== mark)) {
      soon();
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
  // Checking or focusing an element changes no attribute, so events are observed as well.
  for (const type of ['change', 'click', 'focusin', 'focusout', 'keyup']) {
    document.addEventListener(type, soon, true);
  }
}

/** Updates the marks of all elements. */
export function markElements(relations: readonly string[]): void {
  const words = new Map<Element, number[]>();
  relations.forEach((relation, number) => {
    for (const element of elementsThatHave(relation)) {
      words.set(element, [...(words.get(element) ?? []), number]);
    }
  });
  for (const element of document.querySelectorAll(`[${mark}]`)) {
    if (!words.has(element)) {
      element.removeAttribute(mark);
    }
  }
  for (const [element, numbers] of words) {
    const value = numbers.join(' ');
    if (element.getAttribute(mark) !== value) {
      element.setAttribute(mark, value);
    }
  }
}

function elementsThatHave(relation: string): Set<Element> {
  const ofChild = /^\s*>/.test(relation);
  const holders = new Set<Element>();
  for (const inner of document.querySelectorAll(relation.replace(/^\s*>/, ''))) {
    for (let element = inner.parentElement; element !== null && !holders.has(element); ) {
      holders.add(element);
      element = ofChild ? null : element.parentElement;
    }
  }
  return holders;
}
