/** The stacks of a crash as text, with functions and lines from the sender or the ELF file. */
import type { CrashExample, CrashTask } from '@wirebench/contract';
import { wordText } from '../../../shared/format/hex.ts';

type CrashFrame = CrashTask['frames'][number];
export type CrashPlaces = CrashFrame['places'];

/** Returns the places that an ELF file names for an address; null for none. */
export type PlacesOf = (pc: number) => CrashPlaces | null;

export function stacksText({ tasks }: Pick<CrashExample, 'tasks'>, placesOf: PlacesOf = () => null): string {
  return tasks.map((task) => taskText(task, placesOf)).join('\n\n');
}

function taskText({ name, crashed, stackUsed, stackSize, frames }: CrashTask, placesOf: PlacesOf): string {
  const facts = [
    crashed ? 'crashed' : null,
    stackUsed === null || stackSize === null ? null : `stack ${stackUsed} of ${stackSize} bytes`,
  ].filter((fact) => fact !== null);
  const title = `${name ?? 'Task'}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  return [title, ...frames.flatMap((frame, index) => frameLines(frame, index, placesOf))].join('\n');
}

function frameLines({ pc, guess, places }: CrashFrame, index: number, placesOf: PlacesOf): string[] {
  const known = places.length > 0 ? places : (placesOf(pc) ?? []);
  const [first, ...callers] = known;
  const mark = guess ? ' (a guess)' : '';
  const head = `#${index}  ${wordText(pc)}`;
  return [
    first === undefined ? `${head}${mark}` : `${head} ${placeText(first)}${mark}`,
    ...callers.map((caller) => `    inlined by ${placeText(caller)}`),
  ];
}

const placeText = ({ function: name, file, line }: CrashPlaces[number]): string =>
  `${name ?? '??'} at ${file ?? '??'}:${line === 0 ? '?' : line}`;

/** Returns each address without a place once. Its origin decides which lookup is used. */
export function unnamedAddresses({
  tasks,
}: Pick<CrashExample, 'tasks'>): { readonly pc: number; readonly isReturn: boolean }[] {
  const found = new Map<number, boolean>();
  for (const { frames } of tasks) {
    for (const [index, { pc, places }] of frames.entries()) {
      if (places.length === 0 && !found.has(pc)) {
        found.set(pc, index > 0);
      }
    }
  }
  return [...found].map(([pc, isReturn]) => ({ pc, isReturn }));
}
