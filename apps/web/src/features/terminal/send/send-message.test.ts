import { describe, expect, it } from 'vitest';
import type { PortStates } from '../open-ports-of.ts';
import { hexPreview, lengthFault, prepareMessage } from './send-message.ts';

const closed: PortStates = { 1: 'disconnected', 2: 'disconnected', 3: 'disconnected', 4: 'disconnected' };
const open: PortStates = { ...closed, 2: 'connected' };
const help = { text: 'help', mode: 'text', lineEnding: 'lf' } as const;

describe('preparing a message', () => {
  it('gives the bytes for a connected port', () => {
    expect(prepareMessage(help, 2, open)).toEqual({ ok: true, bytes: new TextEncoder().encode('help\n') });
  });

  it('turns escapes into bytes where they are asked for, and only there', () => {
    const text = String.raw`\x1b[A\0`;
    expect(prepareMessage({ ...help, text, mode: 'escapes' }, 2, open)).toMatchObject({
      ok: true,
      bytes: Uint8Array.of(0x1b, 0x5b, 0x41, 0x00, 0x0a),
    });
    expect(prepareMessage({ ...help, text }, 2, open)).toMatchObject({ bytes: new TextEncoder().encode(`${text}\n`) });
    expect(prepareMessage({ ...help, text: String.raw`\x1`, mode: 'escapes' }, 2, open)).toMatchObject({
      ok: false,
      message: String.raw`Character 1: \x needs two hex digits, as in \x1B.`,
    });
  });

  it('asks for a port when none is connected', () => {
    expect(prepareMessage(help, 1, closed)).toMatchObject({ message: 'No ports are connected' });
    expect(prepareMessage(help, 1, { ...closed, 3: 'reconnecting' })).toMatchObject({
      message: 'No ports are connected',
    });
  });

  it('asks for another port when the selected one is not connected', () => {
    expect(prepareMessage(help, 1, open)).toMatchObject({ message: 'Please select a connected port first' });
  });

  it('refuses a port that is disconnecting, by its number', () => {
    expect(prepareMessage(help, 3, { ...open, 3: 'disconnecting' })).toMatchObject({
      message: 'Cannot send data - Port 3 is disconnecting',
    });
  });

  it.each([
    ['watching', 'You may watch. Ask to type to send on port 2.'],
    ['guest-away', 'Your connection is lost. You can send again when it is back.'],
    ['host-away', 'The connection of the host is lost. You can send again when it is back.'],
  ] as const)('refuses a port of a shared bench that takes nothing now, and says why: %s', (state, message) => {
    expect(prepareMessage(help, 2, { ...open, 2: state })).toMatchObject({ ok: false, message });
  });

  it('refuses what is no hex, and pads an odd digit', () => {
    expect(prepareMessage({ ...help, text: 'XY', mode: 'hex' }, 2, open)).toMatchObject({
      message: 'Invalid hex input. Please enter valid hex characters (0-9, A-F)',
    });
    expect(prepareMessage({ ...help, text: 'ABC', mode: 'hex' }, 2, open)).toMatchObject({
      bytes: Uint8Array.of(0x0a, 0xbc),
    });
  });

  it('says that a message is too long while it is typed', () => {
    expect(lengthFault('x'.repeat(256))).toBeNull();
    expect(lengthFault('x'.repeat(257))).toBe(
      'Command exceeds maximum length of 256 characters. Please shorten your command.',
    );
  });

  it('shows the bytes of a hex input before they are sent', () => {
    expect(hexPreview('B5 62 06 08')).toEqual({ pairs: 'B5 62 06 08', count: 4 });
    expect(hexPreview('0x0d, 0x0A, 3')).toEqual({ pairs: '0D 0A 03', count: 3 });
    expect(hexPreview('')).toEqual({ pairs: '', count: 0 });
    expect(hexPreview('B5 6X')).toBeNull();
  });
});
