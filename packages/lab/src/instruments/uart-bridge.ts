/**
 * UART1 as a bridge, half duplex: the ROM reads a register before it writes it, so each byte that is sent takes one that waits to be
 * read. What waits is therefore read before anything is sent; what arrives while bytes are being sent may be lost.
 */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab } from '../lab.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { distinctPins, gateEntries, inputEntries, inputSignalEntry, outputEntries, signalEntries } from './routing.ts';

export interface UartSettings {
  readonly tx: number;
  readonly rx: number;
  /** Baud, 300 to 1,000,000. Eight data bits, no parity, one stop bit. */
  readonly baudRate: number;
}

export interface UartState {
  /** Bytes that wait to be read. */
  readonly received: number;
  /** Bytes that wait to be sent. */
  readonly unsent: number;
}

/** `overrun`: the FIFO was full, and bytes are lost. */
export type UartFault = (typeof faults)[number][1];

const uartRates = { lowest: 300, highest: 1_000_000 } as const;

const offsets = {
  fifo: 0x00,
  interruptRaw: 0x04,
  interruptClear: 0x10,
  divider: 0x14,
  status: 0x1c,
  config0: 0x20,
} as const;
/** UART_INT_RAW, the same in both manuals ("UART Registers"); each bit stays until it is cleared. */
const faults = [
  [1 << 2, 'parity'],
  [1 << 3, 'framing'],
  [1 << 4, 'overrun'],
  [1 << 7, 'break'],
] as const;
const faultBits = faults.reduce((bits, [bit]) => bits | bit, 0);
const fifoResets = (1 << 17) | (1 << 18);

/** @throws LabError `refused` for pins or a rate that cannot be. */
export function uartUp(chip: LabChip, { tx, rx, baudRate }: UartSettings): Macro<void> {
  distinctPins([tx, rx]);
  if (!(baudRate >= uartRates.lowest && baudRate <= uartRates.highest)) {
    throw refused('The UART bridge runs at 300 to 1,000,000 baud.');
  }
  const { uart } = chip;
  const clock = (chip.crystal * 1e6) / predivider(chip, baudRate);
  const sixteenths = Math.round((clock * 16) / baudRate);
  return setting(`UART: TX ${tx}, RX ${rx}, ${baudRate} baud`, [
    ...gateEntries(chip, ['uart1', 'uartMemory']),
    ...clockEntries(chip, baudRate),
    entry(uart.base + offsets.divider, ((sixteenths & 15) << 20) | (sixteenths >>> 4)),
    entry(uart.base + offsets.config0, uart.config8n1 | fifoResets),
    entry(uart.base + offsets.config0, uart.config8n1),
    ...(uart.takeOver === null ? [] : [uart.takeOver]),
    ...outputEntries(chip, tx, { high: true }),
    ...signalEntries(chip, tx, uart.signals.tx),
    ...inputEntries(chip, rx, 'up'),
    inputSignalEntry(chip, rx, uart.signals.rx),
  ]);
}

/** By how much the clock is divided before CLKDIV, so that a slow rate fits into it. */
function predivider({ uart, crystal }: LabChip, baudRate: number): number {
  return Math.ceil((crystal * 1e6) / baudRate / uart.widestDivider);
}

function clockEntries(chip: LabChip, baudRate: number): RegisterEntry[] {
  const { clockConfig } = chip.uart;
  if (clockConfig === null) {
    return [];
  }
  const { dividerShift, ...config } = clockConfig;
  return [{ ...config, value: config.value | ((predivider(chip, baudRate) - 1) << dividerShift) }];
}

export function uartState(chip: LabChip): Macro<UartState> {
  const { base, receivedMask } = chip.uart;
  return {
    title: 'UART: what waits',
    steps: [{ kind: 'read', addresses: [base + offsets.status] }],
    repeatable: true,
    value: (words) => {
      const status = wordAt(words, 0);
      return { received: status & receivedMask, unsent: (status >>> 16) & receivedMask };
    },
  };
}

/** What went wrong on the line since `clearUartFaults`. */
function uartFaults({ uart }: LabChip): Macro<readonly UartFault[]> {
  return {
    title: 'UART: faults of the line',
    steps: [{ kind: 'read', addresses: [uart.base + offsets.interruptRaw] }],
    repeatable: true,
    value: (words) => faults.flatMap(([bit, fault]) => ((wordAt(words, 0) & bit) === 0 ? [] : [fault])),
  };
}

export function clearUartFaults({ uart }: LabChip): Macro<void> {
  return setting('UART: faults cleared', [entry(uart.base + offsets.interruptClear, faultBits)]);
}

/** @param count not more than `uartState` said. Never repeated by the runner: reading takes the bytes. */
export function uartReceive(chip: LabChip, count: number): Macro<Uint8Array> {
  const addresses = Array.from({ length: count }, () => chip.uart.base + offsets.fifo);
  return {
    title: `UART: receive ${count} bytes`,
    steps: [{ kind: 'read', addresses }],
    repeatable: false,
    value: (words) => Uint8Array.from(words.slice(0, count), (word) => word & 0xff),
  };
}

/** @param bytes not more than there is room: `chip.uart.fifo` less what is unsent. Never repeated by the runner. */
export function uartSend(chip: LabChip, bytes: Uint8Array): Macro<void> {
  if (bytes.length > chip.uart.fifo) {
    throw refused(`At most ${chip.uart.fifo} bytes can be sent at once.`);
  }
  const entries = Array.from(bytes, (byte) => entry(chip.uart.fifoWrite, byte));
  return { ...setting(`UART: send ${bytes.length} bytes`, entries), repeatable: false };
}

export interface UartBridgeOptions {
  readonly signal?: AbortSignal;
}

/** Reads all that waits. One caller at a time. */
export async function receiveWaiting(lab: Lab, options: UartBridgeOptions = {}): Promise<Uint8Array> {
  const { received } = await lab.run(uartState(lab.chip), options);
  return received === 0 ? new Uint8Array() : lab.run(uartReceive(lab.chip, received), options);
}

/** What went wrong on the line since it was asked the last time. */
export async function takeUartFaults(lab: Lab, options: UartBridgeOptions = {}): Promise<readonly UartFault[]> {
  const found = await lab.run(uartFaults(lab.chip), options);
  if (found.length > 0) {
    await lab.run(clearUartFaults(lab.chip), options);
  }
  return found;
}

/**
 * Sends any number of bytes in pieces that the FIFO has room for, and gives what was received on the way.
 * @throws LabError; bytes before the piece that failed have been sent.
 */
export async function sendThrough(lab: Lab, bytes: Uint8Array, options: UartBridgeOptions = {}): Promise<Uint8Array[]> {
  const received: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const state = await lab.run(uartState(lab.chip), options);
    if (state.received > 0) {
      received.push(await lab.run(uartReceive(lab.chip, state.received), options));
    }
    const room = lab.chip.uart.fifo - state.unsent;
    if (room > 0) {
      const piece = bytes.subarray(at, at + room);
      await lab.run(uartSend(lab.chip, piece), options);
      at += piece.length;
    }
  }
  return received;
}
