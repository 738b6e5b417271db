/**
 * I2C master on controller I2C0: set-up, probes, transfers of up to 31 bytes, registers of devices. Register offsets
 * are those of the Technical Reference Manuals, chapter "I2C Controller".
 */
import type { LabChip } from '../chips/lab-chip.ts';
import { refused } from '../lab-failure.ts';
import { entry, hexNumber, type Macro, type MacroStep, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { distinctPins, gateEntries, inputSignalEntry, outputEntries, signalEntries } from './routing.ts';

export interface I2cPins {
  readonly sda: number;
  readonly scl: number;
}

export interface I2cSettings extends I2cPins {
  /** Hz, 10,000 to 400,000. */
  readonly clock: number;
}

/**
 * `present`: an acknowledge. `absent`: no acknowledge. `stuck`: the bus was busy, or another master won it; says
 * nothing about any address. `unfinished`: the controller was still busy after many polls, and a device may have
 * received the bytes.
 */
export type I2cAnswer = 'present' | 'absent' | 'stuck' | 'unfinished';

export interface I2cTransfer {
  /** 7 bits, 0x00 to 0x7F. */
  readonly address: number;
  /** 0 to 30 bytes. */
  readonly write: Uint8Array;
  /** Bytes to read after a repeated start, 0 to 31. */
  readonly read: number;
  /** Hz, the same as for `i2cUp`. Determines how long to wait for the bus. */
  readonly clock: number;
}

export interface I2cResult {
  /** `present`: all bytes were acknowledged. `absent`: the address or a later byte was not. */
  readonly answer: I2cAnswer;
  /** Empty unless `answer` is `present`. */
  readonly read: Uint8Array;
}

const i2cClocks = { lowest: 10_000, highest: 400_000 } as const;
/** Bytes. The FIFO has 32, one of which is the address. */
const longestI2cTransfer = 31;

const offsets = {
  lowPeriod: 0x00,
  control: 0x04,
  status: 0x08,
  timeout: 0x0c,
  fifoConfig: 0x18,
  fifo: 0x1c,
  interruptRaw: 0x20,
  interruptClear: 0x24,
  interruptEnable: 0x28,
  sdaHold: 0x30,
  sdaSample: 0x34,
  highPeriod: 0x38,
  startHold: 0x40,
  startSetup: 0x44,
  stopHold: 0x48,
  stopSetup: 0x4c,
  command: 0x58,
} as const;

const interrupts = {
  arbitrationLost: 1 << 5,
  done: 1 << 7,
  timeout: 1 << 8,
  noAcknowledge: 1 << 10,
  all: 0x7ff,
} as const;
const fifoResets = 0x3000;
/** Both resets, and the bit that maps the FIFO as memory. */
const fifoMode = 0x3400;
const checkAcknowledge = 1 << 8;
const sendNoAcknowledge = 1 << 10;
/** Clocks of a probe: start, address, acknowledge, stop, and a margin. */
const PROBE_CLOCKS = 15;
/**
 * Maximum polls for the end of a transfer, which clock stretching delays. A poll takes 0.3 ms at 921,600 baud. SMBus
 * allows 25 ms of stretching in all (SMBus 3.2, T_LOW:SEXT).
 */
const LOOKS = 100;
/** Clocks of a byte with its acknowledge, and a margin. */
const BYTE_CLOCKS = 10;

/**
 * Sets the controller and its two pins up.
 *
 * @throws LabError `refused` for an invalid clock or unusable pins.
 */
export function i2cUp(chip: LabChip, { sda, scl, clock }: I2cSettings): Macro<void> {
  checkClock(clock);
  distinctPins([sda, scl]);
  const { i2c } = chip;
  const at = (offset: number, value: number) => entry(i2c.base + offset, value);
  const half = Math.floor((chip.crystal * 1e6) / clock / 2);
  const period = half - i2c.periodLess;
  const { clockConfig, control } = i2c;
  return setting(`I2C: SDA at GPIO ${sda}, SCL at GPIO ${scl}, ${clock / 1000} kHz`, [
    ...gateEntries(chip, ['i2c0']),
    ...busPinEntries(chip, sda, i2c.signals.sda),
    ...busPinEntries(chip, scl, i2c.signals.scl),
    at(offsets.control, control.setUp),
    ...(clockConfig === null ? [] : [at(clockConfig.offset, clockConfig.value)]),
    at(offsets.lowPeriod, period),
    at(offsets.highPeriod, period),
    at(offsets.sdaHold, half >>> 1),
    at(offsets.sdaSample, half >>> 1),
    at(offsets.startHold, period),
    at(offsets.startSetup, period),
    at(offsets.stopHold, period),
    at(offsets.stopSetup, period),
    at(offsets.timeout, 'fixed' in i2c.timeout ? i2c.timeout.fixed : i2c.timeout.halfPeriods * half),
    ...(control.takeOver === null ? [] : [at(offsets.control, control.takeOver)]),
    ...fifoResetEntries(chip),
  ]);
}

function busPinEntries(chip: LabChip, gpio: number, signal: number): RegisterEntry[] {
  return [
    ...outputEntries(chip, gpio, { high: true, openDrain: true, pull: 'up' }),
    ...signalEntries(chip, gpio, signal),
    inputSignalEntry(chip, gpio, signal),
  ];
}

function fifoResetEntries({ i2c }: LabChip): RegisterEntry[] {
  const address = i2c.base + offsets.fifoConfig;
  return [entry(address, fifoResets, { mask: fifoMode }), entry(address, 0, { mask: fifoResets })];
}

/** Writes the controller's commands, from slot 0 on. */
function commandEntries({ i2c }: LabChip, commands: readonly number[]): RegisterEntry[] {
  return commands.map((command, slot) => entry(i2c.base + offsets.command + 4 * slot, command));
}

/** Loads the commands that each following probe uses: once after `i2cUp`, and again after any transfer. */
export function i2cProbeSetup(chip: LabChip): Macro<void> {
  const { start, write, stop } = chip.i2c.ops;
  return setting('I2C: ready to probe', [
    ...commandEntries(chip, [start << 11, (write << 11) | checkAcknowledge | 1, stop << 11]),
    entry(chip.i2c.base + offsets.interruptClear, interrupts.all),
    ...fifoResetEntries(chip),
  ]);
}

/**
 * Sends a start, the address for writing, and a stop. Needs `i2cProbeSetup` before it.
 *
 * @param clock Hz, the same as for `i2cUp`; defaults to 100,000.
 */
export function i2cProbe(chip: LabChip, address: number, clock = 100_000): Macro<I2cAnswer> {
  checkAddress(address);
  const { base, fifoWrite, control } = chip.i2c;
  return {
    title: `I2C: probe ${hexNumber(address, 2)}`,
    steps: [
      {
        kind: 'write',
        entries: [
          entry(base + offsets.interruptClear, interrupts.all),
          entry(fifoWrite, address << 1),
          entry(base + offsets.control, control.start),
          waitEntry(chip, PROBE_CLOCKS, clock),
        ],
      },
      { kind: 'read', addresses: [base + offsets.interruptRaw] },
    ],
    repeatable: true,
    value: (words) => answerOf(wordAt(words, 0)),
  };
}

/**
 * A write that changes nothing, after the time that the bus needs. Without it a READ_REG in the receive ring would be
 * served within microseconds.
 */
function waitEntry({ i2c }: LabChip, clocks: number, clock: number): RegisterEntry {
  return entry(i2c.base + offsets.interruptEnable, 0, { delay: Math.ceil((clocks * 1e6) / clock) });
}

/** Waits for the end of the transfer. Bytes taken from the FIFO too early are lost. */
function endOf({ i2c }: LabChip): MacroStep {
  return {
    kind: 'poll',
    address: i2c.base + offsets.interruptRaw,
    until: (raw) => answerOf(raw) !== 'unfinished',
    tries: LOOKS,
  };
}

function answerOf(raw: number): I2cAnswer {
  if ((raw & (interrupts.timeout | interrupts.arbitrationLost)) !== 0) {
    return 'stuck';
  }
  if ((raw & interrupts.noAcknowledge) !== 0) {
    return 'absent';
  }
  return (raw & interrupts.done) === 0 ? 'unfinished' : 'present';
}

/**
 * Writes, then reads after a repeated start; either may be empty. The runner never repeats it, because the device
 * would see it twice.
 *
 * @throws LabError `refused` for an invalid address, clock or length.
 */
export function i2cTransfer(chip: LabChip, transfer: I2cTransfer): Macro<I2cResult> {
  const { entries, start, clocks, reads, resultOf } = transferParts(chip, transfer);
  return {
    title: titleOf(transfer),
    steps: [
      { kind: 'write', entries: [...entries, start, waitEntry(chip, clocks, transfer.clock)] },
      endOf(chip),
      { kind: 'read', addresses: reads },
    ],
    repeatable: false,
    value: resultOf,
  };
}

/**
 * A transfer with a separate start, for a caller that triggers it at an exact time. The probe does so right before a
 * capture's first sample.
 */
export interface PreparedI2cTransfer {
  /** Sets up everything except the start. */
  readonly prepare: Macro<void>;
  /** The register write that starts the transfer, without a mask. */
  readonly start: { readonly address: number; readonly value: number };
  /** Duration in seconds, with a margin. Clock stretching makes it longer. */
  readonly duration: number;
  /** Reads the result after the end. The runner never repeats it, because reading takes the bytes. */
  readonly result: Macro<I2cResult>;
}

/**
 * Prepares a transfer without starting it.
 *
 * @throws LabError `refused` for the same reasons as `i2cTransfer`.
 */
export function i2cPreparedTransfer(chip: LabChip, transfer: I2cTransfer): PreparedI2cTransfer {
  const { entries, start, clocks, reads, resultOf } = transferParts(chip, transfer);
  const title = titleOf(transfer);
  return {
    prepare: setting(`${title}, prepared`, entries),
    start: { address: start.address, value: start.value },
    duration: clocks / transfer.clock,
    result: {
      title: `${title}, result`,
      steps: [endOf(chip), { kind: 'read', addresses: reads }],
      repeatable: false,
      value: resultOf,
    },
  };
}

function transferParts(chip: LabChip, transfer: I2cTransfer) {
  checkTransfer(transfer);
  const { address, write, read } = transfer;
  const { base, fifoWrite, control, ops } = chip.i2c;
  const writes = write.length > 0 || read === 0;
  const sent = [...(writes ? [address << 1, ...write] : []), ...(read > 0 ? [(address << 1) | 1] : [])];
  const commands = [
    ...(writes ? [ops.start << 11, (ops.write << 11) | checkAcknowledge | (1 + write.length)] : []),
    ...(read > 0 ? [ops.start << 11, (ops.write << 11) | checkAcknowledge | 1] : []),
    ...(read > 1 ? [(ops.read << 11) | (read - 1)] : []),
    ...(read > 0 ? [(ops.read << 11) | sendNoAcknowledge | 1] : []),
    ops.stop << 11,
  ];
  const fifo = Array.from({ length: read }, () => base + offsets.fifo);
  return {
    entries: [
      entry(base + offsets.interruptClear, interrupts.all),
      ...fifoResetEntries(chip),
      ...commandEntries(chip, commands),
      ...sent.map((byte) => entry(fifoWrite, byte)),
    ],
    start: entry(base + offsets.control, control.start),
    /** Clocks of the bus, with a margin. */
    clocks: BYTE_CLOCKS * (sent.length + read + 1),
    /** Addresses to read after the end of the transfer. */
    reads: [base + offsets.status, ...fifo],
    resultOf: (words: readonly number[]): I2cResult => {
      const answer = answerOf(wordAt(words, 0));
      const received = (wordAt(words, 1) >>> 8) & 0x3f;
      if (answer !== 'present' || received < read) {
        return { answer: answer === 'present' ? 'unfinished' : answer, read: new Uint8Array() };
      }
      return { answer, read: Uint8Array.from({ length: read }, (_, index) => wordAt(words, 2 + index)) };
    },
  };
}

function titleOf({ address, write, read }: I2cTransfer): string {
  const bytes = Array.from(write, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
  const parts = [...(write.length > 0 ? [`write ${bytes}`] : []), ...(read > 0 ? [`read ${read}`] : [])];
  return `I2C: ${hexNumber(address, 2)} ${parts.length === 0 ? 'write nothing' : parts.join(', ')}`;
}

function checkClock(clock: number): void {
  if (!(clock >= i2cClocks.lowest && clock <= i2cClocks.highest)) {
    throw refused('The I2C clock is 10 to 400 kHz.');
  }
}

function checkAddress(address: number): void {
  if (!(Number.isInteger(address) && address >= 0 && address <= 0x7f)) {
    throw refused('An I2C address has 7 bits.');
  }
}

function checkTransfer({ address, write, read, clock }: I2cTransfer): void {
  checkAddress(address);
  checkClock(clock);
  const sent = write.length + (read > 0 ? 1 : 0);
  if (sent > longestI2cTransfer || !(Number.isInteger(read) && read >= 0 && read <= longestI2cTransfer)) {
    throw refused(`An I2C transfer has at most ${longestI2cTransfer} bytes.`);
  }
}
