/** Conflicts among files that were dropped together: codes for programs, sentences for people. */
import type { FailureText } from '../../core/flash-failure.ts';

export type PlacementConflict =
  | 'chips-differ'
  | 'same-place'
  | 'overlap'
  | 'listed-file-missing'
  | 'listed-file-open'
  | 'list-unreadable'
  | 'listed-offset'
  | 'listed-path'
  | 'listed-more'
  | 'not-firmware'
  | 'no-build-for-chip'
  | 'several-builds'
  | 'file-unreadable';

export type ConflictText = FailureText;

/**
 * `names` are the file names without folders; a list comes after the file that it names. `detail` depends on the
 * code. For `not-firmware` it holds the kind of file and the remedy, separated by a line feed.
 */
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
  'listed-file-open': ([path = '', ...names], list) => ({
    what:
      names.length === 1
        ? `${list} lists ${quoted(path)} and another file of that name, and only one was given.`
        : `${list} lists ${quoted(path)}, and the folders do not tell which of the ${names.length} files it is: ${names.join(', ')}.`,
    remedy: 'Drop the whole folder of the build, or remove the files that do not belong to it.',
  }),
  'list-unreadable': ([name = ''], reason) => ({
    what: `${quoted(name)} could not be read. ${reason}`,
    remedy: 'Build again, or drop the .bin files alone.',
  }),
  'listed-offset': ([name = '', list = ''], given) => ({
    what:
      given === ''
        ? `${list} gives no offset for ${quoted(name)}.`
        : `${list} gives ${quoted(name)} the offset ${given}, which is not an address in flash.`,
    remedy: 'Correct the list, or set the offset of the file by hand.',
  }),
  'listed-path': ([list = ''], where) => ({
    what: `${list} does not name the file ${where}.`,
    remedy: 'Correct the list, or set the offset of the file by hand.',
  }),
  'listed-more': ([list = ''], count) => ({
    what: `${list} has ${count} more parts without a usable offset or name.`,
    remedy: 'Build again, or drop the .bin files alone.',
  }),
  'not-firmware': ([name = ''], detail) => {
    const [is = '', remedy = ''] = detail.split('\n');
    return { what: `${quoted(name)} is ${is}, not firmware.`, remedy };
  },
  'no-build-for-chip': ([name = ''], chip) => ({
    what: chip === '' ? `${quoted(name)} has builds for several chips.` : `${quoted(name)} has no build for ${chip}.`,
    remedy: chip === '' ? 'Connect the board or choose its chip.' : 'Choose firmware for this chip.',
  }),
  'several-builds': (names, chip) => ({
    what:
      chip === ''
        ? `There are ${names.length} builds: ${names.map(quoted).join(', ')}.`
        : `None of the builds is for ${chip}: ${names.map(quoted).join(', ')}.`,
    remedy: 'Choose the one for your board.',
  }),
  'file-unreadable': ([name = ''], reason) => ({
    what: `${quoted(name)} could not be read. ${reason}`,
    remedy: 'Get a fresh copy of the file.',
  }),
} satisfies Record<PlacementConflict, (names: readonly string[], detail: string) => ConflictText>;

function quoted(name: string): string {
  return `"${name}"`;
}
