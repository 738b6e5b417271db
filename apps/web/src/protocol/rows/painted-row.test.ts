import type { Row } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { paintRow } from './painted-row.ts';
import { subtle } from './styled-text.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function row(bytes: Uint8Array | string, more: Partial<Row> = {}): Row {
  const content = typeof bytes === 'string' ? utf8(bytes) : bytes;
  return {
    sequence: 7,
    part: 0,
    port: 1,
    direction: 'received',
    level: null,
    at: 0,
    bytes: content,
    lineLength: content.length,
    ending: new Uint8Array(),
    open: false,
    ...more,
  };
}

describe('painted row', () => {
  it('is the text of the line with its colours apart', () => {
    expect(paintRow(row('\x1b[31mno\x1b[0m card'), 'text')).toMatchObject({
      text: 'no card',
      runs: [{ start: 0, end: 2 }],
      offset: null,
      characters: null,
      cut: false,
    });
  });

  it('has every control byte written out on request, colours and tabs included', () => {
    const painted = paintRow(row('\x1b[31mno\x1b[0m\tcard\x00\r'), 'text', { controls: true });
    expect(painted).toMatchObject({ text: '\\x1b[31mno\\x1b[0m\\tcard\\x00\\r', runs: [] });
  });

  it('leaves out the end of a control string of the line before, and what a terminal obeys, but not what was sent', () => {
    const title = row('le\x07ready\x1b[K', { stringTail: 3 });
    expect(paintRow(title, 'text').text).toBe('ready');
    expect(paintRow(title, 'text', { controls: true }).text).toBe('le\\x07ready\\x1b[K');
    expect(paintRow(row('\x1b[A\x07', { direction: 'sent' }), 'text').text).toBe('\\x1b[A\\x07');
  });

  it('says that a line is longer than what is shown, and does not take a line ending for that', () => {
    expect(paintRow(row('abc', { lineLength: 5, ending: utf8('\r\n') }), 'text').cut).toBe(false);
    expect(paintRow(row('abc', { lineLength: 5_000, ending: utf8('\r\n') }), 'text').cut).toBe(true);
  });

  it('says how the line ends, and nothing of a line that has no end yet or is cut', () => {
    expect(paintRow(row('abc', { lineLength: 4, ending: utf8('\n') }), 'text').ending).toBe('\\n');
    expect(paintRow(row('abc', { lineLength: 5, ending: utf8('\r\n') }), 'text').ending).toBe('\\r\\n');
    expect(paintRow(row('abc', { lineLength: 5, ending: utf8(';\0') }), 'text').ending).toBe(';\\0');
    expect(paintRow(row('abc', { open: true }), 'text').ending).toBe('');
    expect(paintRow(row('abc', { lineLength: 5_000, ending: utf8('\n') }), 'text').ending).toBe('');
  });

  it('says what is wrong with a frame, in hex on its first and its last row', () => {
    const faults = [0, 1, 2].map(
      (part) => paintRow(row('abc', { fault: 'invalid', part, lineLength: 40 }), 'hex').fault,
    );
    expect(faults).toEqual(['Invalid frame', undefined, 'Invalid frame']);
    expect(paintRow(row('abc', { fault: 'invalid' }), 'text').fault).toBe('Invalid frame');
    expect(paintRow(row('abc', { fault: 'incomplete' }), 'hex').fault).toBe('Incomplete frame');
  });

  it('has 8 and 8 bytes in the hex layout, with their characters', () => {
    const painted = paintRow(row('demo> utf8 0123\n', { part: 2 }), 'hex');
    expect(painted.text).toBe('64 65 6D 6F 3E 20 75 74  66 38 20 30 31 32 33 0A');
    expect(painted.characters).toBe('demo> utf8 0123·');
    expect(painted.offset).toBe('0020');
  });

  it('lets 00 and FF step back, stretches of them as one', () => {
    const painted = paintRow(row(Uint8Array.of(0, 0, 0xff, 1, 0)), 'hex');
    expect(painted.text).toBe('00 00 FF 01 00');
    expect(painted.runs).toEqual([
      { start: 0, end: 8, style: subtle },
      { start: 12, end: 14, style: subtle },
    ]);
  });

  it('shows every byte value in the hex layout', () => {
    for (let byte = 0; byte < 256; byte++) {
      const painted = paintRow(row(Uint8Array.of(byte)), 'hex');
      expect(Number.parseInt(painted.text, 16)).toBe(byte);
      expect(painted.characters).toHaveLength(1);
    }
  });

  it('shows a notice as text in either layout', () => {
    const notice = row('Port 1 connected', { direction: 'notice', level: 'success' });
    expect(paintRow(notice, 'hex')).toEqual(paintRow(notice, 'text'));
  });
});
