/**
 * Extra styles for browsers without newer CSS (Chromium 89 to 125), made from the built sheets. Current browsers
 * fetch none of them. They come before the app's own sheets: a browser that understands the original uses the
 * original. Reads minified CSS as Lightning CSS writes it.
 */

export interface CssFallbacks {
  readonly css: string;
  /**
   * Arguments of `:has(…)`. Elements that match the one at index n carry the word n in `data-has`
   * (`shared/polyfills/has-selector.ts`).
   */
  readonly has: readonly string[];
}

interface Rule {
  /** Selector or condition of a block: `.a:hover`, `@media (max-width: 720px)`. */
  readonly head: string;
  readonly body: string;
}

const conditional = /^@(?:media|supports|layer|container)\b/;

/** Chromium 114 has popovers. Before, the polyfill sets the attribute (`shared/polyfills/popover.ts`). */
const withoutPopover = (rule: string) => `@supports not selector(:popover-open){${rule}}`;

/** @param sheets Minified CSS, each sheet whole. */
export function cssFallbacks(sheets: readonly string[]): CssFallbacks {
  const has: string[] = [];
  const css = sheets.map((sheet) => fallbackRules(sheet, { has, lateHeights: findLateHeights(sheet) })).join('');
  return { css: withoutPopover('[popover]:not([data-popover-open]){display:none}') + css, has };
}

interface SheetFacts {
  /** Shared by all sheets. */
  readonly has: string[];
  readonly lateHeights: ReadonlySet<string>;
}

function fallbackRules(css: string, facts: SheetFacts): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (conditional.test(head)) {
        const inner = head.startsWith('@container') ? containedRules(body) : fallbackRules(body, facts);
        return inner === '' ? '' : conditionOf(head, inner);
      }
      return head.startsWith('@') ? '' : ruleFallback(head, body, facts);
    })
    .join('');
}

function ruleFallback(head: string, body: string, { has, lateHeights }: SheetFacts): string {
  // An unknown selector invalidates the whole rule, with all other selectors of its list.
  if (head.includes(':popover-open')) {
    return withoutPopover(`${aboveOriginal(head.replaceAll(':popover-open', '[data-popover-open]'))}{${body}}`);
  }
  if (head.includes(':has(')) {
    return `@supports not selector(:has(a)){${aboveOriginal(withoutHas(head, has))}{${body}}}`;
  }
  const declarations = splitAt(body, ';');
  const late = declarations.filter((declaration) => lateHeights.has(placeOf(head, declaration)));
  const older = declarations
    .filter((declaration) => !late.includes(declaration))
    .flatMap((one) => olderDeclaration(one) ?? []);
  return (
    (older.length === 0 ? '' : `${head}{${older.join(';')}}`) +
    (late.length === 0
      ? ''
      : `@supports not (height:1dvh){${aboveOriginal(head)}{${late.map(withoutDynamicHeight).join(';')}}}`)
  );
}

const placeOf = (head: string, declaration: string) => `${head} ${declaration.slice(0, declaration.indexOf(':'))}`;

/**
 * Returns the selectors whose properties have `dvh` beside a `var()`. A browser finds such a declaration invalid only
 * after it has dropped the earlier one. The older declaration therefore has to win over it, and the rest of the
 * sheet's declarations of that property have to win over both.
 */
function findLateHeights(css: string): Set<string> {
  const places = rulesOf(css).flatMap(({ head, body }) =>
    conditional.test(head)
      ? [...findLateHeights(body)]
      : splitAt(body, ';')
          .filter((declaration) => /\ddvh\b/.test(declaration) && declaration.includes('var('))
          .map((declaration) => placeOf(head, declaration)),
  );
  return new Set(places);
}

/** Chromium 108 has `dvh`. Before, the bars of a phone's browser count as part of the window. */
const withoutDynamicHeight = (declaration: string) => declaration.replace(/(\d)dvh\b/g, '$1vh');

/** Returns the declaration in older CSS; null if it needs no change. */
function olderDeclaration(declaration: string): string | null {
  const older = withoutDynamicHeight(declaration)
    .replace(/^overflow:clip$/, 'overflow:hidden')
    // Replaces a share of the container's width, an unknown unit, by all of it: the container cuts longer content.
    .replace(/^max-width:.*\dcqi\b.*$/, 'max-width:100%');
  return older === declaration ? null : older;
}

/** Chromium 105 has container queries. Before, the width of the window replaces the container's. */
function conditionOf(head: string, inner: string): string {
  if (!head.startsWith('@container')) {
    return `${head}{${inner}}`;
  }
  const condition = olderRange(head.replace(/^@container\s*/, ''));
  return `@supports not (container-type:inline-size){@media ${condition}{${inner}}}`;
}

/** `(600px<width<=940px)` → `(min-width:600.02px) and (max-width:940px)`: ranges are understood since Chromium 104. */
function olderRange(condition: string): string {
  const [, low, lowSign, highSign, high] = /^\((?:([\d.]+)px(<=?))?width(<=?)([\d.]+)px\)$/.exec(condition) ?? [];
  const within = (value: string, sign: string | undefined, by: number) =>
    `${sign === '<' ? Number(value) + by : value}px`;
  return high === undefined
    ? condition
    : [
        ...(low === undefined ? [] : [`(min-width:${within(low, lowSign, 0.02)})`]),
        `(max-width:${within(high, highSign, -0.02)})`,
      ].join(' and ');
}

const containedRules = (body: string) =>
  rulesOf(body)
    .map(({ head, body: inner }) => `${aboveOriginal(head)}{${inner}}`)
    .join('');

/**
 * Raises the weight of a selector: the fallbacks come first, and some have to win over a later rule of the same
 * weight.
 */
const aboveOriginal = (selectors: string) =>
  splitAt(selectors, ',')
    .map((selector) => `:root ${selector.trim()}`)
    .join();

/** Keeps the weight: an attribute weighs as much as the class, attribute or state in the argument. */
function withoutHas(selector: string, has: string[]): string {
  return replaceCalls(selector, ':has', (argument) => {
    if (!has.includes(argument)) {
      has.push(argument);
    }
    return `[data-has~="${has.indexOf(argument)}"]`;
  });
}

/** Replaces each `name(…)` by what `replace` makes of the text between its parentheses. */
function replaceCalls(text: string, name: string, replace: (inner: string) => string): string {
  const at = text.indexOf(`${name}(`);
  if (at < 0) {
    return text;
  }
  const start = at + name.length + 1;
  let depth = 1;
  let end = start;
  while (depth > 0 && end < text.length) {
    depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    end += 1;
  }
  const replaced = replace(text.slice(start, end - 1));
  return text.slice(0, at) + replaced + replaceCalls(text.slice(end), name, replace);
}

/** Returns rules and blocks of the outermost level, without statements such as `@charset`. */
function rulesOf(css: string): Rule[] {
  return splitAt(css, '}').flatMap((block) => {
    const text = block.replace(/^(?:@[^{;]*;)+/, '');
    const open = text.indexOf('{');
    return open < 0 ? [] : [{ head: text.slice(0, open).trim(), body: text.slice(open + 1) }];
  });
}

/** Splits at `mark` outside of strings, parentheses, brackets and inner blocks. */
function splitAt(text: string, mark: ';' | ',' | '}'): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote: string | null = null;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\\') {
      index += 1;
    } else if (quote !== null) {
      quote = character === quote ? null : quote;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if ('([{'.includes(character)) {
      depth += 1;
    } else if (')]}'.includes(character)) {
      depth -= 1;
    }
    if (quote === null && character === mark && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)].filter((part) => part.trim() !== '');
}
