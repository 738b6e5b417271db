/** Notices that a session adds to the timeline by itself. Failures of calls are in `session-failure.ts`. */
import { type RemoteLoss, remoteTimingOf } from '@wirebench/port';
import type { PortNumber } from './port-number.ts';
import type { NoticeLevel } from './timeline-rows.ts';

/** Level and text by notice. `{port}` is the port's number, `{value}` the other given value. */
const notices = {
  connected: ['success', 'Port {port} connected ({value})'],
  'connected-again': ['success', 'Port {port} connected again'],
  disconnected: ['info', 'Port {port} disconnected'],
  'device-lost': ['error', 'Device disconnected from Port {port}'],
  'connection-lost': ['error', 'Port {port} closed: the connection to its board was lost for too long'],
  'taken-back': ['warning', 'Port {port} was taken back by the host'],
  'stopped-waiting': ['info', 'Stopped waiting for the board on Port {port}'],
  'not-back': ['warning', 'The board on Port {port} did not come back within {value} s. Plug it in and connect again.'],
  'pick-again': ['warning', 'The board for Port {port} could not be identified. Pick it again.'],
  'overrun-retry': ['warning', 'Buffer overflow on Port {port}, retrying...'],
  'overrun-final': [
    'error',
    'Buffer overflow on Port {port} again. The port was disconnected: the second overflow of a connection ends it, however long ' +
      'after the first. Connect it again.',
  ],
  unsent: ['warning', '{value} bytes were not sent before Port {port} was closed'],
  'not-closed': ['warning', 'Port {port} could not be closed. If it stays busy, unplug the board and plug it back in.'],
  'framing-error': ['warning', 'Framing error on Port {port}. Check the baud rate.'],
  'framing-errors': ['warning', '{value} framing errors on Port {port}. Check the baud rate.'],
  'parity-error': ['warning', 'Parity error on Port {port}. Check the parity and the data bits.'],
  'parity-errors': ['warning', '{value} parity errors on Port {port}. Check the parity and the data bits.'],
  break: ['info', 'Break received on Port {port}'],
  breaks: ['info', '{value} breaks received on Port {port}'],
} as const satisfies Record<string, readonly [NoticeLevel, string]>;

export type SessionNotice = keyof typeof notices;

export interface NoticeText {
  readonly level: NoticeLevel;
  readonly text: string;
}

export function sessionNotice(notice: SessionNotice, port: PortNumber, value: string | number = ''): NoticeText {
  const [level, text] = notices[notice];
  return { level, text: text.replace('{port}', `${port}`).replace('{value}', `${value}`) };
}

const lossNotices = {
  connection: 'connection-lost',
  'taken-back': 'taken-back',
  ended: 'disconnected',
} as const satisfies Record<RemoteLoss, SessionNotice>;

/** Returns the notice for a port that is gone. */
export function lossNotice(device: SerialPort): SessionNotice {
  const by = remoteTimingOf(device)?.lostBy ?? null;
  return by === null ? 'device-lost' : lossNotices[by];
}
