import { defaultPortSettings, describePortSettings } from '@wirebench/port';
import { expect, it } from 'vitest';
import { sessionNotice } from '../session-notices.ts';
import { connectedLine } from './log-loader.ts';

it('reads the rate in the notice of a connected port', () => {
  const settings = { ...defaultPortSettings, baudRate: 9_600, parity: 'even' as const };
  const { text } = sessionNotice('connected', 2, describePortSettings(settings));
  expect(connectedLine(text)).toEqual({ port: 'Port 2', byteTime: 11_000 / 9_600 });
});

it.each(['Port 1 connected again', 'Port 1 connected (0 8N1)', 'Port 1 connected (9600 8X1)', 'connected'])(
  'reads no rate in %j',
  (text) => expect(connectedLine(text)).toBeNull(),
);
