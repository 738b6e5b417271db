/** Arguments of the tools of an agent: a name that a tool does not have is refused, with the one that is meant. */
import { z } from 'zod';

/** Names that agents take for others. */
const meant: Readonly<Record<string, readonly string[]>> = {
  mark: ['since'],
  from: ['since', 'from'],
  offset: ['since'],
  position: ['since'],
  start: ['since'],
  timeout: ['timeout_s'],
  seconds: ['timeout_s'],
  wait: ['timeout_s'],
  text: ['pattern', 'text'],
  until: ['pattern'],
  regex: ['pattern'],
  data: ['text'],
  bytes: ['text'],
  hex: ['mode'],
  newline: ['ending'],
  line_ending: ['ending'],
  baud_rate: ['baud'],
  rate: ['baud'],
  hash: ['plan'],
  file: ['path', 'log', 'build'],
  tests: ['jkits'],
};

/** Most letters that a name may differ in, as a share of its length. */
const ALIKE = 1 / 3;

/**
 * Returns the schema of a tool's arguments. Other names are an error that says which one is meant.
 *
 * @param shape Arguments by their names.
 */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownText(issue.keys, names) : undefined),
  });
}

function unknownText(unknown: readonly string[], names: readonly string[]): string {
  const all = names.length === 0 ? 'This tool has no arguments.' : `The arguments are: ${names.join(', ')}.`;
  const sentences = unknown.map((name) => {
    const nearest = nearestTo(name, names);
    return `There is no argument ${JSON.stringify(name)}${nearest === null ? '' : `: use ${JSON.stringify(nearest)}`}.`;
  });
  return [...sentences, `Nothing was done. ${all}`].join(' ');
}

/** Returns the argument that a name stands for; null if none is near. */
export function nearestTo(unknown: string, names: readonly string[]): string | null {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  const wanted = plain(unknown);
  const same = names.find((name) => plain(name) === wanted);
  const other = Object.entries(meant).find(([name]) => plain(name) === wanted)?.[1];
  const known = same ?? other?.find((name) => names.includes(name));
  if (known !== undefined) {
    return known;
  }
  const [nearest] = names
    .map((name) => ({ name, letters: distance(plain(name), wanted) }))
    .filter(({ name, letters }) => letters <= Math.max(plain(name).length, wanted.length) * ALIKE)
    .toSorted((a, b) => a.letters - b.letters);
  return nearest?.name ?? names.find((name) => plain(name).includes(wanted) || wanted.includes(plain(name))) ?? null;
}

/** Number of letters to add, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, wanted] of [...other].entries()) {
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
