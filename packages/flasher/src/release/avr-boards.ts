/**
 * Boards with an AVR that a release can name, and the chip of each. A bootloader tells its chip by the signature, but
 * not its board: an ATmega328P may be an Uno or a Nano. Source: the Arduino AVR core, `boards.txt` (`build.mcu`), and
 * SparkFun's `boards.txt` for the Pro Micro.
 */
interface AvrBoard {
  readonly name: string;
  /** Key of the chip, as in `BoardFacts.model`. */
  readonly chip: string;
}

/** By the contract's names of the models. */
const avrBoards: Readonly<Record<string, AvrBoard>> = {
  uno: { name: 'Arduino Uno', chip: 'atmega328p' },
  nano: { name: 'Arduino Nano', chip: 'atmega328p' },
  promini: { name: 'Arduino Pro Mini', chip: 'atmega328p' },
  mega2560: { name: 'Arduino Mega 2560', chip: 'atmega2560' },
  leonardo: { name: 'Arduino Leonardo', chip: 'atmega32u4' },
  micro: { name: 'Arduino Micro', chip: 'atmega32u4' },
  promicro: { name: 'Pro Micro', chip: 'atmega32u4' },
};

/** Returns the chip of a model, which is a board or a chip itself. */
export function avrChipOf(model: string): string {
  const key = model.toLowerCase();
  return Object.hasOwn(avrBoards, key) ? (avrBoards[key]?.chip ?? key) : key;
}

/** Returns the name of a board or chip as its vendor writes it: `Arduino Uno`, `ATmega328P`; null for any other model. */
export function avrModelName(model: string): string | null {
  const key = model.toLowerCase();
  if (Object.hasOwn(avrBoards, key)) {
    return avrBoards[key]?.name ?? null;
  }
  return key.startsWith('atmega') ? `ATmega${key.slice('atmega'.length).toUpperCase()}` : null;
}

/** Returns true for a sketch that is joined with a bootloader, which no bootloader can write: `x.ino.with_bootloader.hex`. */
export const isWithBootloader = (name: string): boolean => /\.with_bootloader\.[^./\\]+$/i.test(name);
