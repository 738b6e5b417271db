/**
 * `npm run strings [-- apps/web/src/features/home …]`: prints every string of the product that people see or hear, by
 * area and file, for reading aloud. Paths limit it to the files below them. Tests and text that only boards send are
 * excluded.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build/web.ts';
import { stringsOfHtml } from './strings/html-strings.ts';
import { stringsOfSource } from './strings/source-strings.ts';
import { isTest, readSources } from './structure/source-files.ts';

const product = /^(apps\/(server|web)\/src|packages\/[^/]+\/src|scripts)\//;
/** Number of path components that name an area, by start of the path. */
const areaDepths: readonly [start: string, depth: number][] = [
  ['apps/web/src/', 5],
  ['apps/server/src/', 4],
  ['packages/', 2],
  ['', 1],
];

function areaOf(path: string): string {
  const depth = areaDepths.find(([start]) => path.startsWith(start))?.[1] ?? 1;
  return path.split('/').slice(0, -1).slice(0, depth).join('/');
}

const wanted = process.argv.slice(2).map((path) => path.replace(/\/$/, ''));
const isWanted = (path: string) =>
  wanted.length === 0 || wanted.some((start) => path === start || path.startsWith(`${start}/`));

const pages = readdirSync(join(root, 'apps', 'web'))
  .filter((name) => name.endsWith('.html'))
  .map((name) => `apps/web/${name}`)
  .filter(isWanted)
  .map((path) => ({ path, strings: stringsOfHtml(readFileSync(join(root, path), 'utf8')) }));
const sources = readSources(root)
  .filter(({ path }) => product.test(path) && !isTest(path) && isWanted(path))
  .map(({ path, text }) => ({ path, strings: stringsOfSource(path, text) }));
/** Texts of the guides: lines that have words, without the tags between them. */
const guides = readSources(root, /^apps\/web\/src\/pages\/docs\/\w+\/[\w-]+\.md$/)
  .filter(({ path }) => isWanted(path))
  .map(({ path, text }) => ({
    path,
    strings: text
      .split('\n')
      .map((line, index) => ({ line: index + 1, text: line }))
      .filter(({ text: line }) => /[a-z]/i.test(line) && !/^<\/?\w+>$/.test(line)),
  }));
const files = [...pages, ...sources, ...guides]
  .filter(({ strings }) => strings.length > 0)
  .sort((one, other) => (one.path < other.path ? -1 : 1));

for (const [area, group] of Map.groupBy(files, ({ path }) => areaOf(path))) {
  console.log(`\n# ${area}`);
  for (const { path, strings } of group) {
    console.log(`\n${path}`);
    for (const { line, text } of strings) {
      console.log(`${String(line).padStart(5)}  ${text}`);
    }
  }
}
const count = files.reduce((sum, { strings }) => sum + strings.length, 0);
console.error(`\n${count} strings in ${files.length} files`);
