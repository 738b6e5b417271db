/**
 * Describes UF2 files, which no bootloader accepts over a serial port, so that a person copies the right one to the
 * board's drive. Sources: Adafruit_nRF52_Bootloader (`uf2cfg.h`, README), and the release notes of Nordic's
 * SoftDevices for the flash that each needs.
 */
import { addressText, sizeText } from '../../core/bytes.ts';
import { readUf2, type Uf2Program } from '../../images/formats/uf2.ts';
import { adafruitBootloaderFamily, uf2FamilyText } from '../../images/formats/uf2-families.ts';
import { ImageError, imageFaultText } from '../../images/image-error.ts';
import { nordicPartText } from './memory-map.ts';
import { PackageError, packageFaultText } from './package-fault.ts';

/** Adafruit's USB vendor ID. Its bootloader also accepts board IDs as families: vendor ID, then product ID. */
const ADAFRUIT_VENDOR = 0x239a;
const nrf52 = 0x1b57745f;
/** End of the flash of the largest part with such a bootloader. */
const FLASH_END = 0x10_0000;

/** First address after the SoftDevice, where the application begins → SoftDevice. */
const softdevices: ReadonlyMap<number, string> = new Map([
  [0x1000, 'no SoftDevice: it begins right behind the MBR'],
  [0x1_9000, 'SoftDevice S112 7.x'],
  [0x1_c000, 'SoftDevice S113 7.x'],
  [0x2_6000, 'SoftDevice S140 6.x (6.1.1)'],
  [0x2_7000, 'SoftDevice S140 7.x (7.3.0)'],
]);
/** The same for the nRF52832. */
const softdevices832: ReadonlyMap<number, string> = new Map([
  [0x1000, 'no SoftDevice: it begins right behind the MBR'],
  [0x2_3000, 'SoftDevice S132 5.x'],
  [0x2_6000, 'SoftDevice S132 6.x or 7.x'],
]);

const own = { includes: (family: string) => family.startsWith('nRF') };

/** Returns the error for a UF2 file: it cannot be written here, and what it is for. */
export function uf2Error(bytes: Uint8Array): PackageError {
  let programs: readonly Uf2Program[];
  try {
    programs = readUf2(bytes, own);
  } catch (cause) {
    if (!(cause instanceof ImageError)) {
      throw cause;
    }
    const { remedy } = imageFaultText[cause.code];
    return new PackageError('uf2-file', { cause, what: `This UF2 file cannot be used. ${cause.message}`, remedy });
  }
  const nordic = programs.filter(isNordic);
  const others = programs.filter((program) => !isNordic(program));
  if (nordic.length === 0) {
    const names = [...new Set(programs.map(({ familyId }) => uf2FamilyText(familyId)))].join(' and ');
    const what = `This UF2 file is for ${names}, not for a Nordic chip.`;
    return new PackageError('uf2-other-chip', { what });
  }
  const sentences = [
    ...nordic.map(programText),
    ...others.map((program) => `It also holds ${sizeText(sizeOf(program))} for ${uf2FamilyText(program.familyId)}.`),
    packageFaultText['uf2-file'].what.replace('This is a UF2 file: it', 'It'),
  ];
  const { remedy } = packageFaultText['uf2-file'];
  const compare = ' INFO_UF2.TXT names the board and its SoftDevice: compare them before you copy the file.';
  return new PackageError('uf2-file', { what: sentences.join(' '), remedy: `${remedy}${compare}` });
}

function isNordic({ familyId, family }: Uf2Program): boolean {
  const isAdafruit =
    familyId !== null && (familyId === adafruitBootloaderFamily || familyId >>> 16 === ADAFRUIT_VENDOR);
  return familyId === null || isAdafruit || (family !== null && own.includes(family));
}

function programText({ familyId, segments }: Uf2Program): string {
  const outside = segments
    .filter(({ address }) => address >= FLASH_END)
    .map(({ address, bytes }) => nordicPartText(address, bytes.length));
  const more = outside.length === 0 ? '' : ` It contains ${outside.join(', ')}.`;
  if (familyId === adafruitBootloaderFamily) {
    return `This UF2 file replaces the bootloader of an nRF52 board by Adafruit's: it has to be the one for this very board.${more}`;
  }
  const start = segments[0]?.address ?? 0;
  const fits = (familyId === nrf52 ? softdevices832 : softdevices).get(start);
  const chip = familyId === null || familyId >>> 16 === ADAFRUIT_VENDOR ? '' : ` for ${uf2FamilyText(familyId)}`;
  const place = `This is a UF2 file${chip} that starts at ${addressText(start)}`;
  return fits === undefined
    ? `${place}: no SoftDevice that is known here ends there.${more}`
    : `${place}: it fits ${fits}.${more}`;
}

const sizeOf = ({ segments }: Uf2Program) => segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
