/**
 * Workers have their own global scope. Each is polyfilled before its code runs, and the service worker needs no
 * polyfills.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagePaths } from '@wirebench/contract';
import { webDist } from '../../../scripts/build/web.ts';
import { expect, test } from '../../old-browser/fixture.ts';

/** Global that each worker's code defines when it has run. */
const handles: Readonly<Record<string, string>> = {
  bench: 'bench',
  'file-systems': 'store',
  'manifest-loader': 'request',
  symbols: 'store',
};

const entries = readdirSync(join(webDist, 'assets')).filter((name) => /\.worker-[\w-]+\.js$/.test(name));

/** Runs in the worker: returns the names of missing functions. */
function missingHere(): string[] {
  const typedArray = Object.getPrototypeOf(Int8Array.prototype) as object;
  const members: readonly (readonly [string, object, readonly string[]])[] = [
    ['Array.prototype', Array.prototype, ['at', 'findLast', 'toReversed', 'toSorted', 'toSpliced', 'with']],
    ['TypedArray.prototype', typedArray, ['at', 'findLast', 'toReversed', 'toSorted', 'with']],
    ['String.prototype', String.prototype, ['at', 'isWellFormed', 'toWellFormed']],
    ['Map', Map, ['groupBy']],
    ['Object', Object, ['hasOwn']],
    ['Promise', Promise, ['withResolvers']],
    ['URL', URL, ['parse']],
    ['AbortSignal', AbortSignal, ['any', 'timeout']],
    ['AbortSignal.prototype', AbortSignal.prototype, ['throwIfAborted']],
    ['Response', Response, ['json']],
    ['crypto', crypto, ['randomUUID']],
  ];
  const missing = members.flatMap(([owner, holder, names]) =>
    names.filter((name) => typeof Reflect.get(holder, name) !== 'function').map((name) => `${owner}.${name}`),
  );
  return new Error('', { cause: 1 }).cause === 1 ? missing : [...missing, 'Error.cause'];
}

test('the build has the workers that are known here', () => {
  expect(entries.map((name) => name.split('.')[0]).toSorted()).toEqual(Object.keys(handles).toSorted());
});

test('each worker has everything that this browser lacks, and runs', async ({ page }) => {
  await page.goto(pagePaths.privacy);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const entry of entries) {
    const name = entry.split('.')[0] ?? '';
    await test.step(name, async () => {
      const started = page.waitForEvent('worker');
      await page.evaluate((path) => {
        Reflect.set(window, `${path} under test`, new Worker(path, { type: 'module' }));
      }, `/assets/${entry}`);
      const worker = await started;
      await expect.poll(() => worker.evaluate((handle) => handle in globalThis, handles[name] ?? '')).toBe(true);
      expect(await worker.evaluate(missingHere)).toEqual([]);
    });
  }
});

test('the service worker uses nothing that this browser lacks', () => {
  const script = readFileSync(join(webDist, 'sw.js'), 'utf8');
  const used =
    /\.(?:findLast|findLastIndex|toReversed|toSorted|toSpliced|with|at|isWellFormed|toWellFormed|randomUUID|throwIfAborted)\(|\b(?:Map\.groupBy|Object\.hasOwn|Promise\.withResolvers|URL\.parse|AbortSignal\.(?:any|timeout)|Response\.json)\(/g;
  expect(script.match(used) ?? []).toEqual([]);
});
