/**
 * UART1 as a half-duplex bridge. The ROM reads a register before it writes it, so each byte sent removes one received
 * byte. Received bytes are therefore read before sending, and bytes that arrive while sending may be lost.
 */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab } from '../lab.ts';
import { refused } from '../lab-failure.ts';
import { entry, type Macro, type RegisterEntry, setting, wordAt } from '../macro.ts';
import { distinctPins, gateEntries, inputEntries, inputSignalEntry, outputEntries, signalEntries } from './routing.ts';

export interface UartSettings {
  readonly tx: number;
  readonly rx: number;
  /** Baud, 300 to 1,000,000. The format is 8N1. */
  readonly baudRate: number;
}

export interface UartState {
  /** Received bytes in the FIFO. */
  readonly received: number;
  /** Bytes in the FIFO that are not sent yet. */
  readonly unsent: number;
}

/** `overrun`: the FIFO was full, and bytes were lost. */
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
/** Bits of UART_INT_RAW, the same in both manuals ("UART Registers"). Each bit stays set until it is cleared. */
const faults = [
  [1 << 2, 'parity'],
  [1 << 3, 'framing'],
  [1 << 4, 'overrun'],
  [1 << 7, 'break'],
] as const;
const faultBits = faults.reduce((bits, [bit]) => bits | bit, 0);
const fifoResets = (1 << 17) | (1 << 18);

/**
 * Sets UART1 and its two pins up.
 *
 * @throws LabError `refused` for unusable pins or an invalid rate.
 */
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

/** Returns the division of the clock before CLKDIV, so that slow rates fit into CLKDIV. */
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

/** Reads the line errors since `clearUartFaults`. */
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

/**
 * Receives bytes. The runner never repeats it, because reading takes the bytes.
 *
 * @param count At most the `received` of `uartState`.
 */
export function uartReceive(chip: LabChip, count: number): Macro<Uint8Array> {
  const addresses = Array.from({ length: count }, () => chip.uart.base + offsets.fifo);
  return {
    title: `UART: receive ${count} bytes`,
    steps: [{ kind: 'read', addresses }],
    repeatable: false,
    value: (words) => Uint8Array.from(words.slice(0, count), (word) => word & 0xff),
  };
}

/**
 * Sends bytes. The runner never repeats it.
 *
 * @param bytes At most the free space: `chip.uart.fifo` less the unsent bytes.
 * @throws LabError `refused` for more bytes than the FIFO holds.
 */
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

/** Reads all received bytes. Only one caller at a time may use the bridge. */
export async function receiveWaiting(lab: Lab, options: UartBridgeOptions = {}): Promise<Uint8Array> {
  const { received } = await lab.run(uartState(lab.chip), options);
  return received === 0 ? new Uint8Array() : lab.run(uartReceive(lab.chip, received), options);
}

/** Returns and clears the line errors since the previous call. */
export async function takeUartFaults(lab: Lab, options: UartBridgeOptions = {}): Promise<readonly UartFault[]> {
  const found = await lab.run(uartFaults(lab.chip), options);
  if (found.length > 0) {
    await lab.run(clearUartFaults(lab.chip), options);
  }
  return found;
}

/**
 * Sends any number of bytes in pieces that fit into the FIFO.
 *
 * @returns Bytes received while sending.
 * @throws LabError; bytes before the failed piece have been sent.
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
