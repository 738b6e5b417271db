/** A host that carries out a session of actions at a boot ROM, and writes down each outcome. */
import type { ControlAnswer, Setup } from '../../rom/boot-device.ts';
import type { InPacket, OutResult } from '../../rom/endpoint.ts';
import type { Action } from './random-session.ts';

/** A boot ROM with its time, genuine or simulated. */
export interface TimedRom {
  advance(duration: number): Promise<void>;
  out(endpoint: number, data: Uint8Array, toggle: number): OutResult;
  in(endpoint: number): InPacket | 'nak' | 'stall';
  control(setup: Setup): Promise<ControlAnswer>;
  busReset(): Promise<void>;
}

const packetTime = 0.05;
/** Attempts for a packet that is refused with NAK: some at the pace of packets, the rest a millisecond apart. */
const attempts = { quick: 20, slow: 40 } as const;

/** @returns One line for each action. */
export async function runSession(rom: TimedRom, actions: readonly Action[]): Promise<string[]> {
  const toggles = new Map<number, number>();
  const lines: string[] = [];
  for (const action of actions) {
    lines.push(`${action.what} ${await perform(rom, action, toggles)}`);
  }
  await rom.advance(20);
  return lines;
}

async function perform(rom: TimedRom, action: Action, toggles: Map<number, number>): Promise<string> {
  await rom.advance(packetTime);
  switch (action.what) {
    case 'wait':
      await rom.advance(action.time);
      return '';
    case 'bus-reset':
      await rom.busReset();
      toggles.clear();
      return '';
    case 'control':
      return control(rom, action.setup, toggles);
    case 'out':
      return send(rom, action.endpoint, action.data, toggles);
    default:
      return receive(rom, action.endpoint, action.length, toggles);
  }
}

async function control(rom: TimedRom, setup: Setup, toggles: Map<number, number>): Promise<string> {
  const answer = await rom.control(setup);
  if (typeof answer === 'string') {
    return answer;
  }
  if (setup.type === 0 && setup.request === 9) {
    toggles.clear();
  } else if (setup.type === 2 && setup.request === 1) {
    toggles.set(setup.index, 0);
  }
  return hexOf(answer);
}

async function send(rom: TimedRom, endpoint: number, data: Uint8Array, toggles: Map<number, number>): Promise<string> {
  let sent = 0;
  do {
    const packet = data.slice(sent, sent + 64);
    const toggle = toggles.get(endpoint) ?? 0;
    const result = await retry(rom, () => rom.out(endpoint, packet, toggle));
    if (result !== 'ack') {
      return `${result} after ${sent}`;
    }
    toggles.set(endpoint, toggle ^ 1);
    sent += packet.length;
  } while (sent < data.length);
  return `ack ${sent}`;
}

async function receive(rom: TimedRom, endpoint: number, length: number, toggles: Map<number, number>): Promise<string> {
  let received = '';
  for (;;) {
    const packet = await retry(rom, () => rom.in(endpoint));
    if (packet === 'nak' || packet === 'stall') {
      return `${packet} after ${received}`;
    }
    const toggle = toggles.get(endpoint) ?? 0;
    if (packet.toggle !== toggle) {
      received += '(repeated)';
      continue;
    }
    toggles.set(endpoint, toggle ^ 1);
    received += hexOf(packet.data);
    if (packet.data.length < 64 || received.length >= length * 2) {
      return `ok ${received}`;
    }
  }
}

async function retry<T>(rom: TimedRom, attempt: () => T | 'nak'): Promise<T | 'nak'> {
  for (let count = 0; count < attempts.quick + attempts.slow; count++) {
    await rom.advance(count < attempts.quick ? packetTime : 1);
    const result = attempt();
    if (result !== 'nak') {
      return result;
    }
  }
  return 'nak';
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
