/** What does not fit together among files that were dropped at once: codes for programs, sentences for people. */
import type { FailureText } from '../../core/flash-failure.ts';

export type PlacementConflict =
  | 'chips-differ'
  | 'same-place'
  | 'overlap'
  | 'listed-file-missing'
  | 'list-unreadable'
  | 'no-build-for-chip'
  | 'file-unreadable';

export type ConflictText = FailureText;

/** `names` of the files, without folders; `detail` as each sentence needs it. */
export const placementConflictText = {
  'chips-differ': (names, chips) => ({
    what: `The files were built for different chips, ${chips}: ${names.map(quoted).join(', ')}.`,
    remedy: 'Remove the files of the other build.',
  }),
  'same-place': (names, address) => ({
    what: `${names.map(quoted).join(' and ')} both go to ${address}.`,
    remedy: 'Remove one of them, or give it another offset.',
  }),
  overlap: (names, address) => ({
    what: `${names.map(quoted).join(' and ')} overlap at ${address}.`,
    remedy: 'Remove one of them, or give it another offset.',
  }),
  'listed-file-missing': ([name = ''], list) => ({
    what: `${list} lists ${quoted(name)}, which is not among the files.`,
    remedy: 'Drop the whole folder of the build, or add the file.',
  }),
  'list-unreadable': ([name = ''], reason) => ({
    what: `${quoted(name)} could not be read. ${reason}`,
    remedy: 'Build again, or drop the .bin files alone.',
  }),
  'no-build-for-chip': ([name = ''], chip) => ({
    what: chip === '' ? `${quoted(name)} has builds for several chips.` : `${quoted(name)} has no build for ${chip}.`,
    remedy: chip === '' ? 'Connect the board or choose its chip.' : 'Choose firmware for this chip.',
  }),
  'file-unreadable': ([name = ''], reason) => ({
    what: `${quoted(name)} could not be read. ${reason}`,
    remedy: 'Get a fresh copy of the file.',
  }),
} satisfies Record<PlacementConflict, (names: readonly string[], detail: string) => ConflictText>;

function quoted(name: string): string {
  return `"${name}"`;
}
