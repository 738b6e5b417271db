/** Words for what a plan writes: files, and changes to what the board holds. */

import { erasedFlash } from '@wirebench/flasher/callers';
import type { PlanFacts, PlannedSave } from '../../../protocol/flash-protocol.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { roughDurationText } from '../../../shared/format/durations.ts';
import type { PageFamily } from '../page-family.ts';
import { erasedBy, type PlannedChange } from '../store/board-changes.ts';

const listed = new Intl.ListFormat('en');

/** Joins words as a sentence does: `nvs, ota_1 and storage`. */
export const joined = (words: readonly string[]): string => listed.format(words).replace(/, and /, ' and ');

/** Maximum number of names in a sentence. The list or the map below it shows all. */
const maxNamed = 3;

/** Joins the first names, and counts the others: `nvs, ota_1, storage and 2 more`. */
export function joinedFew(names: readonly string[], most = maxNamed): string {
  const more = names.length - most;
  return joined(more > 0 ? [...names.slice(0, most), `${more} more`] : names);
}

/** Names the subjects: `Write 4 files and 3 changed keys`, `Write 3 changed keys to nvs`. */
export function changesTitle(files: number, changes: readonly PlannedChange[]): string {
  const erased = files === 0 ? erasedBy(changes) : null;
  if (erased !== null) {
    return `Erase ${joined(erased)}`;
  }
  const [only] = changes;
  if (files === 0 && only !== undefined && changes.length === 1) {
    return only.title ?? `Write ${only.what} to ${only.change.name}`;
  }
  const parts = [
    ...(files === 0 ? [] : [files === 1 ? '1 file' : `${files} files`]),
    ...changes.map(({ what }) => what),
  ];
  return `Write ${joined(parts)}`;
}

/** Title of a plan that can be written, with the bytes that change. */
export function planTitle(files: number, changes: readonly PlannedChange[], plan: Pick<PlanFacts, 'toWrite'>): string {
  const title = changesTitle(files, changes);
  return plan.toWrite === 0 || changes.length > 0 ? title : `${title}, ${sizeText(plan.toWrite)}`;
}

/**
 * Time that a write takes, and what stays on the board.
 *
 * @param names False: leaves out the names of partitions, which a visitor of a release does not know.
 * @param erases True: the plan only erases.
 */
export function planText(found: PlanFacts, family: PageFamily, names = true, erases = false): string {
  const { toWrite, same, duration, eraseAll, regions } = found;
  if (toWrite === 0 && regions.length > 0) {
    return erases
      ? `All ${sizeText(same)} is empty already: nothing needs to be erased.`
      : `All ${sizeText(same)} is already there: nothing needs to be written.`;
  }
  const there = same === 0 ? '' : ` ${sizeText(same)} is ${erases ? 'empty already' : 'already there'}.`;
  const rough = roughDurationText(duration);
  const time = `${capital(rough)}.`;
  const { notCompared } = family.words;
  const hint =
    eraseAll || notCompared === undefined || regions.some((region) => region.same !== null) ? '' : ` ${notCompared}`;
  const taken = found.saved ?? [];
  const kept = eraseAll ? ` ${erasedFirstText(found, names)}` : names ? keptText(found, taken) : '';
  return `${time}${there}${kept}${takenText(taken)}${hint}`.trim();
}

/** Says what becomes of files of the board that the write takes. */
const takenText = (taken: readonly PlannedSave[]): string =>
  taken
    .map(
      ({ area, isPutBack }) =>
        ` ${capital(area)} ${isPlural([area]) ? 'are' : 'is'} saved first, and ${isPutBack ? '' : 'not '}put back.`,
    )
    .join('');

/** Returns true for several names, and for one that names several things. */
const isPlural = ([only = '', ...others]: readonly string[]) =>
  others.length > 0 || /^Stored settings|^the files\b/.test(only);

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function erasedFirstText(plan: PlanFacts, names: boolean): string {
  const what = erasedFlash(plan, names);
  return `${capital(what)} is erased first.`;
}

/** Names areas that stay as they are as a whole, the stored settings first. */
function keptText({ map, stored }: PlanFacts, taken: readonly PlannedSave[]): string {
  // With another table, the area of the settings can be larger than what they have: the rest of it is written.
  const keepsSettings = stored != null && stored.canBeKept !== false;
  const touched = [
    ...map.flatMap(({ name, fate }) =>
      (fate === 'erased' || fate === 'written') && !(keepsSettings && name === 'nvs') ? [name] : [],
    ),
    ...taken.map(({ area }) => area),
  ];
  const kept = [
    ...new Set(
      map.flatMap(({ name, fate }) => (name === null || fate !== 'kept' || touched.includes(name) ? [] : [name])),
    ),
  ];
  if (kept.length === 0) {
    return '';
  }
  const sorted = kept.toSorted((one, other) => Number(other === 'nvs') - Number(one === 'nvs'));
  const named = sorted.map((name) => (name === 'nvs' ? 'Stored settings (nvs)' : name));
  return ` ${capital(joinedFew(named))} ${isPlural(named) ? 'are' : 'is'} kept.`;
}
