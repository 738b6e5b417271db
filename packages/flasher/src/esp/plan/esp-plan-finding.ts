/**
 * Refusals and warnings of a plan for an Espressif chip: codes for programs, sentences for people. Refusals are found
 * before anything is erased.
 */
import { type ChangeRefusal, changeRefusalText, undoChange } from '../../core/check-changes.ts';
import {
  anotherFirmware,
  demoFirmwareText,
  Findings,
  type FindingText,
  overlapText,
  quoted,
  refusalText,
  subject,
} from '../../core/findings.ts';

export type EspRefusal =
  | 'nothing-to-write'
  | 'file-empty'
  | 'offset-not-aligned'
  | 'overlap'
  | 'does-not-fit'
  | 'larger-than-partition'
  | 'partitions-beyond-flash'
  | 'image-damaged'
  | 'not-firmware'
  | 'not-an-image'
  | 'wrong-chip'
  | 'chips-differ'
  | 'wrong-revision'
  | 'demo-firmware'
  | 'flash-encryption'
  | 'encryption-unknown'
  | 'secure-boot'
  | 'not-signed'
  | 'wrong-key'
  | 'key-revoked'
  | 'signature-invalid'
  | 'older-version'
  | 'cannot-erase'
  | 'cannot-keep-nvs'
  | 'nvs-in-file'
  | 'settings-not-changed'
  | 'flash-size-setting'
  | 'guard-chip'
  | 'guard-flash'
  | 'guard-board'
  | ChangeRefusal
  | 'change-encrypted'
  | 'change-secure-download'
  | 'change-not-verifiable'
  | 'change-cannot-erase';

export type EspWarning =
  | 'bootloader-misplaced'
  | 'replaces-bootloader'
  | 'not-a-bootloader'
  | 'not-a-table'
  | 'not-an-app'
  | 'not-ota-data'
  | 'table-misplaced'
  | 'app-misplaced'
  | 'app-not-aligned'
  | 'not-at-a-partition'
  | 'covers-table'
  | 'covers-partitions'
  | 'beyond-partition'
  | 'data-misplaced'
  | 'file-system-shorter'
  | 'no-partition-table'
  | 'no-app-partition'
  | 'no-app'
  | 'selects-no-app'
  | 'table-fault'
  | 'data-moves'
  | 'nvs-grows'
  | 'keys-move'
  | 'keys-unread'
  | 'encrypted-again'
  | 'other-app-starts'
  | 'app-inside-damaged'
  | 'partitions-beyond-setting'
  | 'flash-setting-unknown'
  | 'secure-download'
  | 'nothing-known-of-flash'
  | 'nvs-erased'
  | 'settings-not-found'
  | 'erases-start';

const copyAgain = 'Build it again, or get a fresh copy.';
/** Remedy for plain programs on a board that encrypts what it writes, if it is asked to. */
export const encryptRemedy = 'Choose "Encrypt on the board" in the settings.';
/**
 * Refusals that a person may override: claims about the board, and properties that files do not show. A file that is
 * not firmware may be data for its own partition. In a program's place it is refused for certain.
 */
export const overridableEspRefusals: readonly EspRefusal[] = [
  'not-firmware',
  'not-an-image',
  'wrong-revision',
  'guard-chip',
  'guard-flash',
  'guard-board',
  'flash-encryption',
  'secure-boot',
  'not-signed',
  'wrong-key',
  'key-revoked',
  'signature-invalid',
  'older-version',
];

const espRefusalText = {
  'nothing-to-write': () => ({ what: 'There is no file to write.', remedy: 'Add a file and its offset.' }),
  'file-empty': refusalText['file-empty'],
  'offset-not-aligned': ({ files, at }) => ({
    what: `${quoted(files)} cannot begin at ${at}: flash is erased in sectors of 4 KB.`,
    remedy: 'Give it an offset that ends in 000, in hexadecimal.',
  }),
  overlap: overlapText('Remove one of them, or correct the offsets.'),
  'does-not-fit': ({ files, wanted, found }) => ({
    what: `${quoted(files)} ends at ${wanted}, but the flash of this board ends at ${found}.`,
    remedy: 'Correct the offset, or choose a board with more flash.',
  }),
  'larger-than-partition': ({ wanted, partitions: [tight = '', roomy] = [], found, at, ...detail }) => ({
    what: `${subject(detail)} is ${wanted}, but partition ${quoted([tight])} holds only ${found}.`,
    remedy:
      roomy === undefined || at === undefined
        ? 'Use a partition table with a larger partition, or make the file smaller.'
        : `It fits in partition ${quoted([roomy])}: change its offset to ${at}.`,
  }),
  'partitions-beyond-flash': ({ partitions, wanted, found }) => ({
    what: `Partition ${quoted(partitions)} ends at ${wanted}, but the flash of this board ends at ${found}.`,
    remedy: 'Build with a partition table for this flash size.',
  }),
  'image-damaged': ({ files, wanted }) => ({ what: `${quoted(files)}: ${wanted}`, remedy: copyAgain }),
  'not-firmware': refusalText['not-firmware'],
  'not-an-image': ({ files }) => ({
    what: `${quoted(files)} begins like an image but is not one: it may be encrypted, or other data.`,
    remedy: 'Choose the .bin file that your build wrote, unless you know that this file belongs at its offset.',
  }),
  'wrong-chip': ({ wanted, found, ...detail }) => ({
    what: `${subject(detail)} was built for ${wanted}. This board has ${article(found)}.`,
    remedy: anotherFirmware,
  }),
  'chips-differ': ({ files, wanted }) =>
    files?.length === 1
      ? {
          what: `${quoted(files)} has programs for different chips: ${wanted}.`,
          remedy: 'Merge the files of one build.',
        }
      : {
          what: `${quoted(files)} were built for different chips: ${wanted}.`,
          remedy: 'Remove the files of the other build.',
        },
  'wrong-revision': ({ wanted, found, ...detail }) => ({
    what: `${subject(detail)} needs chip revision ${wanted}. This chip is revision ${found}.`,
    remedy: 'Build for this revision, or use another board.',
  }),
  'demo-firmware': demoFirmwareText('chip'),
  'flash-encryption': ({ files, partitions = [], wanted }) => ({
    what:
      partitions.length > 0
        ? `The flash of this board is encrypted, and so is partition ${quoted(partitions)}: its program could not read ${quoted(files)} as it is.`
        : `The flash of this board is encrypted: ${quoted(files)} would not start on it as it is.`,
    remedy: wanted ?? 'Update this board the way its maker intends, or write only firmware that was encrypted for it.',
  }),
  'encryption-unknown': ({ files }) => ({
    what: `The flash of this board is encrypted, and without its partition table nothing says whether ${quoted(files)} has to be encrypted, too.`,
    remedy: 'Add the partition table of the same build.',
  }),
  'secure-boot': ({ files }) => ({
    what: `This board starts only firmware that is signed with its key; ${quoted(files)} may not be.`,
    remedy: 'Write only firmware that was signed for this board.',
  }),
  'not-signed': ({ files, wanted = '' }) => ({
    what: `This board starts signed firmware only, and ${quoted(files)} is not signed.`,
    remedy: wanted,
  }),
  'wrong-key': ({ files, found, wanted = '' }) => ({
    what: `${quoted(files)} is signed with a key that this board does not accept: ${found}.`,
    remedy: wanted,
  }),
  'key-revoked': ({ files, found, wanted = '' }) => ({
    what: `${quoted(files)} is signed with a key that was revoked on this board: ${found}.`,
    remedy: wanted,
  }),
  'signature-invalid': ({ files }) => ({
    what: `${quoted(files)} was changed after it was signed: its signature is no longer valid.`,
    remedy: copyAgain,
  }),
  'older-version': ({ files, found, wanted }) => ({
    what: `${quoted(files)} has security version ${found}, and this board asks for ${wanted} or newer.`,
    remedy: 'Build it with a newer security version, unless its bootloader has no rollback protection.',
  }),
  'cannot-erase': () => ({
    what: 'This board is in Secure Download Mode and cannot erase more than what is written.',
    remedy: 'Erase only what is written.',
  }),
  'cannot-keep-nvs': () => ({
    what: 'The stored settings cannot be read from this board, so they cannot be kept while everything is erased.',
    remedy: 'Erase only what is needed, or give up the settings.',
  }),
  'nvs-in-file': ({ files, partitions }) => ({
    what: `${quoted(files)} would replace what is stored in ${quoted(partitions)}, which is to be kept.`,
    remedy: 'Remove the file, or choose not to keep the settings stored on the board.',
  }),
  'settings-not-changed': ({ files, wanted }) => ({
    what: `The flash settings in ${quoted(files)} cannot be changed. ${wanted}`,
    remedy: 'Choose other settings, or set mode, frequency and size to "keep".',
  }),
  'flash-size-setting': ({ files, wanted, found }) => ({
    what: `${quoted(files)} is set up for ${wanted} of flash, but this board has ${found}: it would not start.`,
    remedy: 'Set the flash size to what the board has, or build for this size.',
  }),
  'guard-chip': ({ wanted, found }) => ({
    what: `This firmware is meant for ${wanted}. This board has ${article(found)}.`,
    remedy: anotherFirmware,
  }),
  'guard-flash': refusalText['guard-flash'],
  'guard-board': ({ wanted, found }) => ({
    what: `This firmware is meant for ${wanted}. This board is ${article(found)}.`,
    remedy: anotherFirmware,
  }),
  ...changeRefusalText,
  'change-encrypted': ({ files }) => ({
    what: `The flash of this board is encrypted, so the contents of ${quoted(files)} cannot be changed from here.`,
    remedy: 'Undo the change, and update this board the way its maker intends.',
  }),
  'change-secure-download': ({ files }) => ({
    what: `This board is in Secure Download Mode: the contents of ${quoted(files)} can neither be read nor verified.`,
    remedy: undoChange,
  }),
  'change-not-verifiable': ({ files }) => ({
    what: `The bootloader of this chip cannot verify a change to ${quoted(files)}.`,
    remedy: 'Connect again with the stub, or undo the change.',
  }),
  'change-cannot-erase': ({ files }) => ({
    what: `${quoted(files)} cannot be erased without the stub.`,
    remedy: 'Connect again with the stub, or undo the change.',
  }),
} satisfies Record<EspRefusal, FindingText>;

const espWarningText = {
  'bootloader-misplaced': ({ files, at, wanted, found }) => ({
    what: `${quoted(files)} is at ${at}, but on ${article(found)} it belongs at ${wanted}: the ROM would not find what it starts.`,
    remedy: `Set its offset to ${wanted}.`,
  }),
  'replaces-bootloader': ({ files, at }) => ({
    plain: 'The program that is on the board now will no longer start.',
    what: `${quoted(files)} takes the place of the bootloader at ${at}: the app that is on the board stays in flash and no longer starts.`,
    remedy:
      'Make a backup of the whole flash first if you want it back. A complete build with its bootloader replaces this program again.',
  }),
  'not-a-bootloader': ({ files, at, found }) => ({
    what: `${quoted(files)} covers ${at}, where the ROM of ${article(found)} looks for the program to start, and has none there: the board would not start.`,
    remedy: 'Check its offset, or add the bootloader of the same build.',
  }),
  'not-a-table': ({ files, at }) => ({
    what: `${quoted(files)} covers ${at}, where the partition table belongs, and is not one: the board would not start.`,
    remedy: 'Check its offset, or choose partition-table.bin or partitions.bin of the build.',
  }),
  'not-an-app': ({ at, partitions = [], ...detail }) => ({
    what:
      partitions.length > 0
        ? `${subject(detail)} is at ${at}, in app partition ${quoted(partitions)}, and is not an app: nothing would start from there.`
        : `${subject(detail)} is at ${at}, where the usual partition tables have the app, and is not one.`,
    remedy: 'Check its offset, or choose the app that your build wrote.',
  }),
  'not-ota-data': ({ partitions, ...detail }) => ({
    what: `${subject(detail)} is in partition ${quoted(partitions)}, which selects the app to start, and is not OTA data.`,
    remedy: 'Check its offset. The file for this partition is ota_data_initial.bin or boot_app0.bin.',
  }),
  'table-misplaced': ({ files, at, wanted }) => ({
    what: `${quoted(files)} is a partition table at ${at}; bootloaders look for it at ${wanted}.`,
    remedy: `Set its offset to ${wanted}, unless the bootloader was built for another offset.`,
  }),
  'app-misplaced': ({ at, found, ...detail }) => ({
    what: `${subject(detail)} is an app, and at ${at} ${article(found)} starts no app: the board would not start.`,
    remedy: 'Set the offset of an app partition, usually 0x10000, and add the bootloader and the partition table.',
  }),
  'app-not-aligned': ({ files, at }) => ({
    what: `${quoted(files)} is an app at ${at}; apps start only from multiples of 0x10000.`,
    remedy: 'Correct its offset.',
  }),
  'not-at-a-partition': ({ at, ...detail }) => ({
    what: `${detail.inside === undefined ? `${subject(detail)} is an app` : `${subject(detail)} is`} at ${at}, where the partition table has no app.`,
    remedy: 'Set the offset of an app partition, or add the partition table that belongs to the app.',
  }),
  'covers-table': ({ at, ...detail }) => ({
    what: `${subject(detail)} overwrites the partition table at ${at}.`,
    remedy: 'Check its offset: apps usually begin at 0x10000.',
  }),
  'covers-partitions': ({ partitions = [], ...detail }) => ({
    what:
      partitions.length > 1
        ? `${subject(detail)} is written over several partitions: ${quoted(partitions)}.`
        : `${subject(detail)} begins in front of partition ${quoted(partitions)} and is written over it.`,
    remedy: 'Check its offset and that it belongs to this partition table.',
  }),
  'beyond-partition': ({ wanted, found, partitions, ...detail }) => ({
    what: `${subject(detail)} is ${wanted} and goes beyond partition ${quoted(partitions)}, which has room for ${found}.`,
    remedy: 'Check its offset and that it belongs to this partition table.',
  }),
  'data-misplaced': ({ wanted, at, found, partitions, ...detail }) => ({
    what: `${subject(detail)} is ${wanted} at ${at}, in partition ${quoted(partitions)}, which is for other data (${found}).`,
    remedy: 'Check its offset and that it belongs to this partition table.',
  }),
  'file-system-shorter': ({ wanted, found, partitions, ...detail }) => ({
    what: `${subject(detail)} is ${wanted}, and partition ${quoted(partitions)} has ${found}: a program does not mount it, and one that formats on failure, such as Arduino's begin(true), erases its files.`,
    remedy: 'Build the file system for the size of its partition.',
  }),
  'no-partition-table': ({ files }) => ({
    what: `Neither the board nor the files contain a partition table: ${quoted(files)} will not be found.`,
    remedy: 'Add the bootloader and the partition table of the same build.',
  }),
  'no-app-partition': ({ files }) => ({
    what: `The partition table in ${quoted(files)} has no partition for an app: the board would not start.`,
    remedy: 'Use the partition table that belongs to the app.',
  }),
  'no-app': ({ partitions }) => ({
    what: `After this write there is no app in ${quoted(partitions)}: the board would not start.`,
    remedy: 'Add the app of the same build.',
  }),
  'selects-no-app': ({ found = '', partitions, ...detail }) => ({
    what: `${subject(detail)} selects ${quoted([found])}, which holds no app. The bootloader reports it and looks for another one, such as ${quoted(partitions)}.`,
    remedy: 'Use the ota_data_initial.bin or boot_app0.bin of the build.',
  }),
  'table-fault': ({ wanted }) => ({ what: `${wanted}`, remedy: 'Correct the partition table and build again.' }),
  'data-moves': ({ partitions, wanted, found, lost }) => ({
    ...(lost !== undefined && { plain: `${lost} will be lost.` }),
    what: `With the new partition table ${quoted(partitions)} is ${wanted}, not ${found}: data stored there will no longer be found.`,
    remedy: 'Make a backup first if you need the data.',
  }),
  'nvs-grows': ({ partitions, wanted, found }) => ({
    plain:
      'The new program gives stored settings more room. They are kept, but an older program may not find them again.',
    what: `With the new partition table ${quoted(partitions)} is ${wanted}, not ${found}. It keeps its start and only grows, so that its settings are found again.`,
    remedy: 'An older table would find them only if they still fit: make a backup first if you may go back.',
  }),
  'keys-move': ({ partitions, wanted, found }) => ({
    plain: 'Settings that the old program stored encrypted, such as Wi-Fi and pairing, will be lost.',
    what: `The keys of encrypted settings are in ${quoted(partitions)}, ${found}. With the new partition table they are ${wanted}: settings that are encrypted with them can no longer be read.`,
    remedy: 'Keep this partition where it is, or write keys and settings again.',
  }),
  'keys-unread': ({ files, partitions }) => ({
    what: `The partition table of this board is encrypted and cannot be compared with ${quoted(files)}. Stored settings can be read only if they and their keys in ${quoted(partitions)} stay where they are.`,
    remedy: 'Use a partition table with the same places.',
  }),
  'encrypted-again': ({ files, partitions }) => ({
    what: `${quoted(files)} looks encrypted, and the board encrypts what is written to ${quoted(partitions)}.`,
    remedy: 'If it was encrypted for this board already, write it alone with "Encrypt on the board" off.',
  }),
  'other-app-starts': ({ found, partitions, wanted = '' }) => ({
    what: `The board starts the app in ${quoted([found ?? ''])}, not the one being written to ${quoted(partitions)}.`,
    remedy: wanted,
  }),
  'app-inside-damaged': ({ files, partitions }) => ({
    what: `The app in ${quoted(partitions)} of ${quoted(files)} is damaged or incomplete.`,
    remedy: 'The board starts only if another app in the image is intact.',
  }),
  'partitions-beyond-setting': ({ files, partitions, wanted }) => ({
    what: `${files?.length ? quoted(files) : 'The bootloader on the board'} is set up for ${wanted} of flash, and partition ${quoted(partitions)} ends beyond that: the bootloader refuses the table, and the board would not start.`,
    remedy: files?.length
      ? 'Set the flash size to what the board has.'
      : 'Write a bootloader for this flash size as well, or use a smaller partition table.',
  }),
  'flash-setting-unknown': ({ files, wanted, found }) => ({
    what: `The header of ${quoted(files)} has a flash ${wanted} that ${article(found)} does not have.`,
    remedy: 'Set mode, frequency and size in the settings, or build it for this chip.',
  }),
  'secure-download': () => ({
    what: 'This board is in Secure Download Mode: what is written cannot be compared or verified.',
    remedy: 'Check that the board starts afterwards.',
  }),
  'nothing-known-of-flash': () => ({
    what: 'The flash size is unknown, so there is no way to tell whether everything fits.',
    remedy: 'Check the size of the flash on this board.',
  }),
  'erases-start': ({ wanted }) => ({
    what: `What the board starts with is erased, and there is no ${wanted} among the files: the board would not start.`,
    remedy: 'Erase only what is needed, or add all files of the build.',
  }),
  'settings-not-found': () => ({
    what: 'No partition table was found on this board, so nothing says where its settings are: they cannot be kept.',
    remedy: 'Make a backup of the whole flash first if you need them.',
  }),
  'nvs-erased': ({ partitions }) => ({
    what: `Settings stored in ${quoted(partitions)}, such as Wi-Fi and pairing, will be lost.`,
    remedy: 'Choose to keep NVS if you need them.',
  }),
} satisfies Record<EspWarning, FindingText>;

export type EspFindings = Findings<EspRefusal, EspWarning>;

export const espFindings = (): EspFindings =>
  new Findings({ refusals: espRefusalText, warnings: espWarningText, overridable: overridableEspRefusals });

/** Adds the article: chip names begin with E, which is spoken as a vowel. */
function article(name = ''): string {
  return `an ${name}`;
}
