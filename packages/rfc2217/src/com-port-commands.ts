/** Encodes and decodes the commands of the Com Port Control Option (RFC 2217, sections 2 to 5). */

import { encodeSub } from './telnet.ts';
import { options } from './telnet-options.ts';

/** Numbers of the commands from client to access server. An answer has the number plus 100 (section 2). */
const numbers = {
  signature: 0,
  baudRate: 1,
  dataSize: 2,
  parity: 3,
  stopSize: 4,
  control: 5,
  lineState: 6,
  modemState: 7,
  suspend: 8,
  resume: 9,
  lineStateMask: 10,
  modemStateMask: 11,
  purge: 12,
} as const;
const answerOffset = 100;

export type CommandName = keyof typeof numbers;

/** A decoded command. `value` is 0 for commands without one; only a signature has a `text`. */
export interface ComPortCommand {
  readonly name: CommandName;
  readonly value: number;
  readonly text: string;
}

const names = new Map<number, CommandName>(
  (Object.keys(numbers) as CommandName[]).map((name) => [numbers[name], name]),
);

/**
 * Length of each command's value in bytes, in network byte order. The modem state has 0 because pySerial polls it
 * without a value.
 */
const valueLengths: Readonly<Record<CommandName, number>> = {
  signature: 0,
  baudRate: 4,
  dataSize: 1,
  parity: 1,
  stopSize: 1,
  control: 1,
  lineState: 0,
  modemState: 0,
  suspend: 0,
  resume: 0,
  lineStateMask: 1,
  modemStateMask: 1,
  purge: 1,
};

/**
 * Decodes a subnegotiation. Returns null for another option, an unknown command, or a command whose value is missing.
 */
export function readCommand(sub: Uint8Array): ComPortCommand | null {
  const name = names.get(sub[1] ?? -1);
  if (sub[0] !== options.comPort || name === undefined || sub.length < 2 + valueLengths[name]) {
    return null;
  }
  const value = sub.subarray(2, 2 + valueLengths[name]).reduce((sum, byte) => sum * 256 + byte, 0);
  return { name, value, text: name === 'signature' ? new TextDecoder().decode(sub.subarray(2)) : '' };
}

/** Encodes a command from client to access server. */
export function encodeCommand(name: CommandName, value: number): Uint8Array {
  const content = name === 'signature' ? new Uint8Array() : inNetworkOrder(name, value);
  return encodeSub(Uint8Array.of(options.comPort, numbers[name], ...content));
}

/** Decodes an answer or a notification of an access server. Returns null for anything else. */
export function readAnswer(sub: Uint8Array): { readonly name: CommandName; readonly value: number } | null {
  const name = names.get((sub[1] ?? -1) - answerOffset);
  if (sub[0] !== options.comPort || name === undefined) {
    return null;
  }
  const length = Math.max(valueLengths[name], 1);
  if (name !== 'signature' && sub.length < 2 + length) {
    return null;
  }
  return { name, value: sub.subarray(2, 2 + length).reduce((sum, byte) => sum * 256 + byte, 0) };
}

/** Encodes an answer or a notification. */
export function encodeAnswer(name: CommandName, value: number | string): Uint8Array {
  const content = typeof value === 'string' ? new TextEncoder().encode(value) : inNetworkOrder(name, value);
  return encodeSub(Uint8Array.of(options.comPort, numbers[name] + answerOffset, ...content));
}

function inNetworkOrder(name: CommandName, value: number): Uint8Array {
  const length = Math.max(valueLengths[name], 1);
  return Uint8Array.from({ length }, (_, at) => Math.floor(value / 256 ** (length - 1 - at)) % 256);
}

/** Values of SET-CONTROL (section 3). Inbound flow control has numbers of its own. */
export const control = {
  flow: 0,
  flowNone: 1,
  flowXon: 2,
  flowHardware: 3,
  break: 4,
  breakOn: 5,
  breakOff: 6,
  dtr: 7,
  dtrOn: 8,
  dtrOff: 9,
  rts: 10,
  rtsOn: 11,
  rtsOff: 12,
  inbound: 13,
  inboundNone: 14,
  inboundXon: 15,
  inboundHardware: 16,
  inboundDtr: 18,
} as const;

/** Parities by their number in SET-PARITY (section 2). 0 is a question; Web Serial has neither mark nor space. */
export const parities: readonly (ParityType | null)[] = [null, 'none', 'odd', 'even'];

/** Parities that Web Serial lacks, with their number in SET-PARITY. */
export const otherParities = { mark: 4, space: 5 } as const;

/** Values of PURGE-DATA (section 2). */
export const purge = { receive: 1, transmit: 2, both: 3 } as const;

/** Bits of NOTIFY-LINESTATE (section 4). */
export const lineState = { break: 16, framing: 8, parity: 4, overrun: 2 } as const;

/** Modem lines with their bit in NOTIFY-MODEMSTATE (section 4) and the bit that reports a change. */
const modemLines = [
  ['dataCarrierDetect', 128, 8],
  ['ringIndicator', 64, 4],
  ['dataSetReady', 32, 2],
  ['clearToSend', 16, 1],
] as const satisfies readonly (readonly [keyof SerialInputSignals, number, number])[];

/**
 * Returns the value of NOTIFY-MODEMSTATE.
 *
 * @param before Lines of the last report; null: there was none, so no line counts as changed.
 */
export function modemStateOf(inputs: SerialInputSignals, before: SerialInputSignals | null): number {
  return modemLines.reduce((state, [line, bit, delta]) => {
    const hasChanged = before !== null && inputs[line] !== before[line];
    return state | (inputs[line] ? bit : 0) | (hasChanged ? delta : 0);
  }, 0);
}

/** Returns the modem lines of a NOTIFY-MODEMSTATE. */
export function modemInputsOf(state: number): SerialInputSignals {
  const isOn = (bit: number) => (state & bit) !== 0;
  return { dataCarrierDetect: isOn(128), ringIndicator: isOn(64), dataSetReady: isOn(32), clearToSend: isOn(16) };
}
