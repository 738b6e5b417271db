/** SPI master on SPI2, full duplex. Commands, addresses and data are all sent as data, which suits every device. */
import type { LabChip } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { distinctPins, gateEntries, inputEntries, inputSignalEntry, outputEntries, signalEntries } from './routing.ts';

export interface SpiPins {
  readonly clk: number;
  /** Output of the chip: MOSI, D. */
  readonly mosi: number;
  /** Input of the chip: MISO, Q. */
  readonly miso: number;
  readonly cs: number;
}

/** Bit 1 (CPOL): the clock idles high. Bit 0 (CPHA): the second edge samples. */
export type SpiMode = 0 | 1 | 2 | 3;

export interface SpiTransfer {
  /** Bytes to send, 1 to 64; as many are received. */
  readonly bytes: Uint8Array;
  /** Hz. The divider rounds down to the next frequency that it can make. */
  readonly clock: number;
  readonly mode: SpiMode;
}

export interface SpiResult {
  /** False: the controller did not finish in time, and `bytes` is empty. */
  readonly finished: boolean;
  readonly bytes: Uint8Array;
}

const longestSpiTransfer = 64;
/** Hz. */
const spiClocks = { lowest: 40_000, highest: 20_000_000 } as const;

/** Maximum reads of the start bit until the transfer counts as unfinished. */
const TRIES = 20;
/** Maximum of the divider's second stage. */
const widestDivider = 64;

/**
 * Sets the four pins up.
 *
 * @throws LabError `refused` for pins that cannot be used.
 */
export function spiUp(chip: LabChip, { clk, mosi, miso, cs }: SpiPins): Macro<void> {
  distinctPins([clk, mosi, miso, cs]);
  const { signals } = chip.spi;
  const output = (pin: number, signal: number) => [
    ...outputEntries(chip, pin, { high: true }),
    ...signalEntries(chip, pin, signal),
  ];
  return setting(`SPI: CLK ${clk}, MOSI ${mosi}, MISO ${miso}, CS ${cs}`, [
    ...gateEntries(chip, ['spi2']),
    ...output(clk, signals.clk),
    ...output(mosi, signals.d),
    ...output(cs, signals.cs),
    ...inputEntries(chip, miso, 'none'),
    inputSignalEntry(chip, miso, signals.q),
  ]);
}

/**
 * Transfers bytes in both directions. The runner never repeats it.
 *
 * @throws LabError `refused` for an invalid length or clock.
 */
export function spiTransfer(chip: LabChip, { bytes, clock, mode }: SpiTransfer): Macro<SpiResult> {
  if (bytes.length === 0 || bytes.length > longestSpiTransfer) {
    throw refused(`An SPI transfer has 1 to ${longestSpiTransfer} bytes.`);
  }
  const { spi } = chip;
  const at = (offset: number, value: number) => entry(spi.base + offset, value);
  const data = wordsOf(bytes).map((word, index) => at(spi.data + 4 * index, word));
  const entries: RegisterEntry[] = [
    ...settingEntries(chip, { clock, mode }),
    ...spi.lengths.map((offset) => at(offset, bytes.length * 8 - 1)),
    ...data,
    ...(spi.update === null ? [] : [at(0, 1 << spi.update)]),
    at(0, 1 << spi.start),
  ];
  return {
    title: `SPI: ${bytes.length} bytes, mode ${mode}`,
    steps: [
      { kind: 'write', entries },
      { kind: 'poll', address: spi.base, until: (word) => !isRunning(chip, word), tries: TRIES },
      { kind: 'read', addresses: data.map(({ address }) => address) },
    ],
    repeatable: false,
    value: ([command, ...words]) =>
      command === undefined || isRunning(chip, command)
        ? { finished: false, bytes: new Uint8Array() }
        : { finished: true, bytes: bytesOf(words, bytes.length) },
  };
}

/**
 * Sets clock and mode for transfers that another program makes, such as the probe. Needs `spiUp` before.
 * `spiTransfer` does not need it.
 *
 * @throws LabError `refused` for an invalid clock.
 */
export function spiReady(chip: LabChip, settings: Pick<SpiTransfer, 'clock' | 'mode'>): Macro<void> {
  return setting(`SPI: mode ${settings.mode}`, settingEntries(chip, settings));
}

function settingEntries(chip: LabChip, { clock, mode }: Pick<SpiTransfer, 'clock' | 'mode'>): RegisterEntry[] {
  const { spi } = chip;
  const at = (offset: number, value: number) => entry(spi.base + offset, value);
  // In modes 1 and 2 data changes at the other edge of the clock.
  const outEdge = mode === 1 || mode === 2 ? 1 << spi.outEdge : 0;
  return [
    ...spi.setUp.map(({ offset, value }) => at(offset, value)),
    at(spi.clock, clockWord(chip, clock)),
    at(spi.pin.offset, (spi.pin.value | (mode >= 2 ? 1 << spi.idleHigh : 0)) >>> 0),
    at(spi.user.offset, spi.user.value | outEdge),
  ];
}

/** The start bit of CMD stays 1 until the transfer has ended. */
function isRunning({ spi }: LabChip, command: number): boolean {
  return ((command >>> spi.start) & 1) === 1;
}

/** Returns the divider's two stages, with low and high halves as equal as possible. */
function clockWord({ crystal, spi }: LabChip, clock: number): number {
  if (!(clock >= spiClocks.lowest && clock <= spiClocks.highest)) {
    throw refused('The SPI clock is 40 kHz to 20 MHz.');
  }
  const total = Math.max(2, Math.ceil((crystal * 1e6) / clock));
  const first = Math.min(Math.ceil(total / widestDivider), spi.widestPredivider);
  const second = Math.min(widestDivider, Math.ceil(total / first));
  return ((first - 1) << 18) | ((second - 1) << 12) | ((Math.floor(second / 2) - 1) << 6) | (second - 1);
}

/** Packs bytes into little-endian words: the first byte on the wire is the lowest of W0. */
function wordsOf(bytes: Uint8Array): number[] {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  return Array.from({ length: padded.length / 4 }, (_, index) => view.getUint32(4 * index, true));
}

function bytesOf(words: readonly number[], length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => wordAt(words, index >>> 2) >>> (8 * (index & 3)));
}
