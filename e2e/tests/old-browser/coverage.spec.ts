/**
 * Every feature that the build uses and Chromium 89 lacks is polyfilled. Reads the built files, because no browser
 * reports this exactly.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import data from 'core-js-compat/data.json' with { type: 'json' };
import { root, webDist } from '../../../scripts/build/web.ts';

/** First version of each browser with a feature, by name of its core-js module. */
type Compat = Readonly<Record<string, Readonly<Record<string, string>>>>;

const compat: Compat = data;
const list = readFileSync(join(root, 'apps', 'web', 'src', 'entries', 'polyfills.ts'), 'utf8');
const polyfilled = [...list.matchAll(/core-js\/modules\/([\w.-]+)\.js/g)].map(([, name = '']) => name);

const scripts = readdirSync(webDist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !name.startsWith('polyfill'))
  .map((name) => ({ name, text: readFileSync(join(webDist, name), 'utf8') }));
const filesWith = (pattern: RegExp) => scripts.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

const since = (module: string) => Number.parseFloat(compat[module]?.['chrome'] ?? 'Infinity');

/**
 * Modules to ignore: their members have another meaning in this code, their changes are corner cases that this code
 * does not use, or the code checks for them first (`toHex`).
 */
const othersMean =
  /^(?:es\.(?:iterator|async-iterator|disposable-stack|async-disposable-stack|suppressed-error)\.|es\.(?:symbol\.|json\.|array\.push|array-buffer\.|date\.|function\.|regexp\.(?:escape|flags)|error\.is-error|aggregate-error|promise\.try|object\.group-by|typed-array\.set|uint8-array\.(?:set|to-hex|from-hex))|web\.(?:url-search-params|dom-exception))/;

/** Converts a module's name to its member: `es.array.to-sorted` becomes `toSorted`. */
const memberOf = (module: string) =>
  module
    .split('.')
    .at(-1)
    ?.replace(/-alternative$/, '')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const globalOf = (module: string) =>
  module === 'es.map.group-by' ? 'Map\\.' : /^(?:web\.url|es\.(?:promise|object))\./.test(module) ? '' : null;

function isUsed(module: string): boolean {
  const owner = module.split('.')[1] ?? '';
  const member = memberOf(module);
  const statics: Readonly<Record<string, string>> = { map: 'Map', url: 'URL', object: 'Object', promise: 'Promise' };
  const place = globalOf(module) === null ? '\\.' : `\\b${statics[owner]}\\.`;
  return filesWith(new RegExp(`${place}${member}\\(`)).length > 0;
}

test('every function of the language that the build uses is there from Chromium 89 on', () => {
  const missing = Object.keys(compat)
    .filter((module) => /^(?:es|web)\.\w[\w-]*\.\w/.test(module) && since(module) > 89 && !othersMean.test(module))
    .filter((module) => isUsed(module) && !polyfilled.includes(module));
  expect(missing).toEqual([]);
});

test('no polyfill is there for nothing', () => {
  expect(polyfilled.filter((module) => module !== 'es.error.cause' && !isUsed(module))).toEqual([]);
});

test('a browser that has URL.parse has all that is polyfilled', () => {
  // All browsers had these in time. core-js still corrects the order of two errors in later versions.
  const mended = ['es.array.with', 'es.typed-array.with'];
  for (const browser of ['chrome', 'edge', 'firefox', 'safari']) {
    const first = (module: string) => Number.parseFloat(compat[module]?.[browser] ?? compat[module]?.['chrome'] ?? '0');
    const newer = polyfilled.filter((module) => first(module) > first('web.url.parse') && !mended.includes(module));
    expect(newer, browser).toEqual([]);
  }
});

test('no syntax is left that Chromium 89 does not read', () => {
  // Class static blocks (Chromium 94), `#a in b` (91), the flags d and v of regular expressions (90, 112).
  expect(filesWith(/\bstatic\s*\{/)).toEqual([]);
  expect(filesWith(/#[a-z_$][\w$]* in /i)).toEqual([]);
  expect(filesWith(/[=(,:!&|;]\/(?:[^/\\\n ]|\\.)+\/[gimsuy]*[dv][gimsuy]*[.,;)]/)).toEqual([]);
  // Defects of V8: arguments after a spread in an optional call (until 91), static fields with the name of a
  // function's own property (until 98).
  expect(filesWith(/\?\.(?:\w+)?\((?:[^()]*,)?\.\.\.[\w$.]+,/)).toEqual([]);
  expect(filesWith(/\bstatic (?:name|length)=/)).toEqual([]);
});

test('no interface of newer browsers is used that nothing provides', () => {
  // Omits interfaces that the code checks for first (`scheduler.postTask`, `checkVisibility`) or can do without
  // (`SerialPort.connected`).
  const members = 'navigation|CloseWatcher|showPicker|setHTML|fromAsync|transferToFixedLength';
  expect(filesWith(new RegExp(`[^.\\w]structuredClone\\(|\\.(?:${members})\\(|ReadableStream\\.from\\(`))).toEqual([]);
});
