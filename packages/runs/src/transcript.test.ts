import { describe, expect, it } from 'vitest';
import { transcriptText } from './transcript.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const startedAt = Date.UTC(2026, 10, 26, 9, 30);

describe('transcript of a run', () => {
  it('has all that was sent and received, line by line with times, and a sentence about each exchange', () => {
    const text = transcriptText({
      panelName: 'Modem',
      port: 2,
      log: {
        startedAt,
        leftOut: 0,
        entries: [
          { kind: 'sent', at: startedAt, bytes: bytes('AT\r'), length: 3 },
          { kind: 'received', at: startedAt + 4, bytes: bytes('AT\r\r\nO') },
          { kind: 'received', at: startedAt + 12, bytes: bytes('K\r\n> ') },
          { kind: 'ended', at: startedAt + 12 },
          { kind: 'sent', at: startedAt + 61_000, bytes: null, length: 8 },
          { kind: 'sent', at: startedAt + 61_001, bytes: null, length: 8, name: 'login password' },
          { kind: 'received', at: startedAt + 61_002, bytes: Uint8Array.of(0xff, 0x41, 0x1b) },
          { kind: 'ended', at: startedAt + 62_000 },
        ],
      },
      notes: ['command 1 of 2 "AT": answer "OK" after 12 ms, goes on'],
      result: 'Modem: PASSED, 2 of 2 checks · 62.00 s',
    });
    expect(text.split('\n')).toEqual([
      'Run of Modem on Port 2, 2026-11-26T09:30:00.000Z',
      '',
      '    0.000 > AT\\r',
      '    0.004 < AT\\r\\r\\n',
      '    0.004 < OK\\r\\n',
      '    0.012 < > ',
      '    0.012 = command 1 of 2 "AT": answer "OK" after 12 ms, goes on',
      ' 1:01.000 > (hidden, 8 bytes)',
      ' 1:01.001 > [login password, hidden]',
      ' 1:01.002 < \\xffA\\x1b',
      '',
      'Modem: PASSED, 2 of 2 checks · 62.00 s',
      '',
    ]);
  });

  it('says how many of the first bytes were left out', () => {
    const log = { startedAt, leftOut: 12, entries: [] };
    expect(
      transcriptText({ panelName: 'a', port: 1, log, notes: [], result: 'a: STOPPED after 1 command · 0.02 s' }),
    ).toContain('The first 12 received bytes are left out.');
  });
});
