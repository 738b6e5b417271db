/** Unusual facts about a file system that a person should know before using or changing it. */
import { bytesText } from '../core/bytes.ts';
import type { FailureText } from '../core/flash-failure.ts';

export type FileSystemFindingCode =
  | 'block-size'
  | 'image-shorter'
  | 'image-longer'
  | 'folders-damaged'
  | 'blocks-damaged'
  | 'files-damaged'
  | 'names-unusable'
  | 'interrupted'
  | 'layout-assumed'
  | 'layout-unusual'
  | 'no-magic'
  | 'cross-linked'
  | 'read-only-files'
  | 'table-damaged'
  | 'levelling-damaged'
  | 'levelling-lost'
  | 'levelling-shorter'
  | 'levelling-elsewhere'
  | 'levelling-unfinished';

/** Counts or sizes for the sentence: bytes for `block-size` and the two about the image, a count for the others. */
type Text = (value: number) => FailureText;

const plural = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

const findingText = {
  'block-size': (size) => ({
    what: `The block size is ${bytesText(size)}, not the usual 4,096.`,
    remedy: 'The firmware has to use the same block size.',
  }),
  'image-shorter': (missing) => ({
    what: `The file system is ${bytesText(missing)} larger than what was read. It is only shown, not changed.`,
    remedy: 'Firmware does not mount it in a partition of this size. Enlarge the partition, or format.',
  }),
  'image-longer': (rest) => ({
    what: `The file system ends ${bytesText(rest)} before the partition does.`,
    remedy: 'Firmware that expects it to fill the partition does not mount it.',
  }),
  'folders-damaged': (count) => ({
    what: `${plural(count, 'A folder is', 'folders are')} damaged: files in it are missing from the list.`,
    remedy: 'Download the files that can still be read, then format.',
  }),
  'blocks-damaged': (count) => ({
    what: `${plural(count, 'A block is', 'blocks are')} damaged or half erased.`,
    remedy: 'The firmware repairs them when it mounts the file system. Files may be missing.',
  }),
  'files-damaged': (count) => ({
    what: `${plural(count, 'A file is', 'files are')} damaged or of the wrong length.`,
    remedy: 'They are marked in the list. What is missing in them is lost.',
  }),
  'names-unusable': (count) => ({
    what: `${plural(count, 'A name', 'names')} cannot be shown, because a path with it would be ambiguous.`,
    remedy: 'Such files stay as they are. Rename them with the firmware.',
  }),
  interrupted: () => ({
    what: 'The device lost power during a change. The first change from here completes it, as a mount would.',
    remedy: 'Nothing has to be done.',
  }),
  'layout-assumed': () => ({
    what: 'There is no file in it that shows the layout of SPIFFS: that of ESP-IDF is assumed.',
    remedy:
      'Firmware with another layout does not see what is added here. Let it write one file first, then read again.',
  }),
  'layout-unusual': () => ({
    what: 'The firmware was built with unusual settings for SPIFFS. They were found out from the files.',
    remedy: 'Names may be limited to fewer characters than the firmware allows.',
  }),
  'no-magic': () => ({
    what: 'This SPIFFS has no magic numbers.',
    remedy: 'The firmware has to be built without SPIFFS_USE_MAGIC as well.',
  }),
  'cross-linked': (count) => ({
    what: `${plural(count, 'A file shares its data', 'files share their data')} with another one. It is only shown, not changed.`,
    remedy: 'Download the files that can still be read, then format.',
  }),
  'read-only-files': (count) => ({
    what: `${plural(count, 'A file is', 'files are')} marked as read-only: the firmware cannot change them.`,
    remedy: 'They can be changed from here, and stay marked.',
  }),
  'levelling-damaged': () => ({
    what: 'One of both copies of the state of wear levelling is damaged. It is only shown, not changed.',
    remedy: 'Download the files, then let the firmware mount it, which repairs the copy. Or format.',
  }),
  'levelling-lost': () => ({
    what: 'The state of wear levelling is missing. It is only shown, not changed.',
    remedy: 'The firmware makes a new one when it mounts the file system. Then read the partition again.',
  }),
  'levelling-shorter': (size) => ({
    what: `The file system was made for a partition of ${bytesText(size)}, which is smaller than this one.`,
    remedy: 'The firmware mounts it and makes a new state of wear levelling. The space behind it stays unused.',
  }),
  'levelling-elsewhere': (size) => ({
    what: `The file system was used in a partition of ${bytesText(size)}. In this one the firmware does not find its wear levelling. It is only shown, not changed.`,
    remedy: 'Download the files, then format.',
  }),
  'levelling-unfinished': () => ({
    what: 'The device lost power while it changed a sector. It is only shown, not changed.',
    remedy: 'Let the firmware mount it, which completes the change. Then read the partition again.',
  }),
  'table-damaged': () => ({
    what: 'The table of clusters is damaged: its copies differ, or the chain of a file is broken. It is only shown, not changed.',
    remedy: 'Download the files that can still be read, then format.',
  }),
} satisfies Record<FileSystemFindingCode, Text>;

export interface FileSystemFinding extends FailureText {
  readonly code: FileSystemFindingCode;
}

/** @param value Bytes or a count, as the code needs. */
export function makeFinding(code: FileSystemFindingCode, value = 0): FileSystemFinding {
  return { code, ...findingText[code](value) };
}
