import { describe, expect, it } from 'vitest';
import { printable } from '../printable.ts';
import { describePort, type PortStatus, portChanges } from './remote-port-program.ts';

const port: PortStatus = {
  port: 1,
  present: true,
  visit: 1,
  name: 'Board',
  usbVendorId: 0x10c4,
  usbProductId: 0xea60,
  settings: { baudRate: 115_200, dataBits: '8', stopBits: '1', parity: 'none', flowControl: 'none' },
  user: null,
  isYours: false,
  right: 'watch',
  asked: null,
  isSimulated: false,
};

describe('status lines of a port', () => {
  it('describe its name, its settings and the caller’s right', () => {
    expect(describePort(port)).toBe('Board (10C4:EA60), 115200 8N1, you may watch');
    const other = { ...port, present: false, settings: null, usbVendorId: null, user: 'Bob', right: 'use' } as const;
    expect(describePort(other)).toBe('Board, not plugged in, used by Bob, you may use it');
  });

  it('report every change that matters and no other', () => {
    const changes = (change: Partial<PortStatus>, before: PortStatus | null = port) =>
      portChanges(1, 'Ada', before, { ...(before ?? port), ...change });
    expect(changes({})).toEqual([]);
    expect(changes({ settings: null, name: 'Other' })).toEqual([]);
    expect(changes({ right: 'use' })).toEqual(['Port 1: you may use it.']);
    expect(changes({ right: 'type' }, { ...port, right: 'use' })).toEqual([
      'Ada has taken port 1 back. Now you may type.',
    ]);
    expect(changes({ present: false })).toEqual(['The board at port 1 is unplugged.']);
    expect(changes({ present: true }, { ...port, present: false })).toEqual([
      'The board at port 1 is plugged in again.',
    ]);
    expect(changes({ user: 'Bob' })).toEqual(['Bob uses port 1.']);
    expect(changes({ user: 'Grace', isYours: true })).toEqual([]);
    expect(changes({}, null)).toEqual(['Port 1 is shared: Board (10C4:EA60), 115200 8N1, you may watch.']);
    expect(portChanges(1, 'Ada', port, null)).toEqual(['Port 1 is not shared any more.']);
    expect(portChanges(1, 'Ada', null, null)).toEqual([]);
  });

  it('keep names from moving the cursor of a terminal, hiding text or adding lines', () => {
    expect(printable('\x1b[2JAda\r\n\u202eevil\u2028 \u009b31m Ünï ☃')).toBe('?[2JAda???evil? ?31m Ünï ☃');
  });
});
