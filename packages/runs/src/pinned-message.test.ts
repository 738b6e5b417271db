import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutContent,
  encodeMessage,
  expectedFault,
  hiddenName,
  messageName,
  newMessage,
  readEntry,
  sendsTheSame,
  shownContent,
  writeEntry,
} from './pinned-message.ts';
import { quoted } from './quoted.ts';
import { messageText } from './testing/arbitrary-messages.ts';

const read = (entry: unknown) => readEntry(entry, 'id')?.message ?? expect.unreachable();

describe('pinned message', () => {
  it('is shown with its hex in pairs of capitals', () => {
    expect(shownContent({ content: 'b562 0a', type: 'hex' })).toBe('B5 62 0A');
    expect(shownContent({ content: 'b5 6', type: 'hex' })).toBe('b5 6');
    expect(shownContent({ content: 'b562', type: 'ascii' })).toBe('b562');
  });

  it('sends its text with the line ending of the panel, its hex without one', () => {
    expect(encodeMessage({ content: 'A', type: 'ascii' }, 'crlf')).toEqual({
      ok: true,
      bytes: Uint8Array.of(0x41, 0x0d, 0x0a),
    });
    expect(encodeMessage({ content: 'b5 62', type: 'hex' }, 'crlf')).toEqual({
      ok: true,
      bytes: Uint8Array.of(0xb5, 0x62),
    });
  });

  it('is the same as one that is shown the same', () => {
    fc.assert(
      fc.property(messageText, (text) => {
        expect(sendsTheSame(text, { content: shownContent(text), type: text.type })).toBe(true);
      }),
    );
  });

  it('is cut to 256 characters, never through a byte of hex or a character', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 120, maxLength: 200 }), fc.constantFrom('', ' '), (bytes, between) => {
        const content = cutContent(
          Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(between),
          'hex',
        );
        expect(content.length).toBeLessThanOrEqual(256);
        expect(encodeMessage({ content, type: 'hex' }, 'lf').ok).toBe(true);
      }),
    );
    expect(cutContent(`${'x'.repeat(255)}🚀🚀`, 'ascii')).toBe('x'.repeat(255));
    expect(cutContent(`${'x'.repeat(254)}🚀🚀`, 'ascii')).toBe(`${'x'.repeat(254)}🚀`);
    expect(cutContent('x'.repeat(300), 'ascii')).toBe('x'.repeat(256));
  });

  it('can wait for blanks and line ends, and not for nothing', () => {
    expect(expectedFault({ content: '\r\n', type: 'ascii' })).toBeNull();
    expect(expectedFault({ content: '', type: 'ascii' })).toBe('empty');
    expect(expectedFault({ content: ' ', type: 'hex' })).toBe('empty');
    expect(expectedFault({ content: '0D 0', type: 'hex' })).toBe('odd-hex');
  });
});

describe('entry of a jkit', () => {
  it('is a text or an object with content and type', () => {
    expect(read('AT')).toEqual(newMessage('id', { content: 'AT', type: 'ascii' }));
    expect(read({ content: 'B5 62', type: 'hex' })).toEqual(newMessage('id', { content: 'B5 62', type: 'hex' }));
    expect(read({ content: 'AT', type: 'something else' })).toMatchObject({ type: 'ascii' });
  });

  it('is no number, no list and no object without a content', () => {
    for (const entry of [1, null, true, ['AT'], {}, { content: 5 }]) {
      expect(readEntry(entry, 'id')).toBeNull();
    }
  });

  it('may say which answer it waits for, how long, how often and with which pause', () => {
    expect(read({ content: 'AT', expect: 'OK', timeoutMs: 300, delayMs: 20, repeat: 3 })).toMatchObject({
      expect: { content: 'OK', type: 'ascii' },
      timeoutMs: 300,
      delayMs: 20,
      repeat: 3,
    });
  });

  it('waits for hex when it is hex itself, or when it says so', () => {
    expect(read({ content: '01 03', type: 'hex', expect: '01 83' }).expect).toEqual({ content: '01 83', type: 'hex' });
    expect(read({ content: '01 03', type: 'hex', expect: 'OK' }).expect).toEqual({ content: 'OK', type: 'ascii' });
    const said = { content: 'FF', type: 'hex' };
    expect(read({ content: 'AT', expect: said }).expect).toEqual(said);
    expect(writeEntry(read({ content: 'AT', expect: said }))).toMatchObject({ expect: said });
  });

  it('keeps what it does not understand', () => {
    const entry = {
      content: 'AT',
      type: 'ascii',
      id: 7,
      colour: 'red',
      expect: { pattern: '^OK$' },
      timeoutMs: -1,
      repeat: 'often',
    };
    const message = read(entry);
    expect(message).toMatchObject({ id: 'id', expect: null, timeoutMs: 1_000, repeat: 1 });
    expect(writeEntry(message)).toEqual(entry);
  });
});

describe('file of a message', () => {
  it('is read and written by its way and its name', () => {
    const entry = { content: 'loady', type: 'ascii', file: { by: 'ymodem', name: 'u-boot.bin' } };
    expect(read(entry)).toMatchObject({ file: { by: 'ymodem', name: 'u-boot.bin' }, others: {} });
    expect(writeEntry(read(entry))).toEqual(entry);
    const anyFile = { content: 'rx', type: 'ascii', file: { by: 'xmodem-1k' } };
    expect(read(anyFile).file).toEqual({ by: 'xmodem-1k', name: '' });
    expect(writeEntry(read(anyFile))).toEqual(anyFile);
  });

  it.each([7, 'u-boot.bin', { by: 'kermit' }, { by: 'raw', name: 7 }, { by: 'raw', offset: 4 }])(
    'is kept as it is where this version cannot send it: %j',
    (file) => {
      const message = read({ content: 'loadb', type: 'ascii', file });
      expect(message.file).toBeNull();
      expect(writeEntry(message)).toEqual({ content: 'loadb', type: 'ascii', file });
    },
  );
});

describe('label of a message', () => {
  it('is read, written and cut to its limit, and an invalid one is preserved', () => {
    expect(read({ content: 'wifi status', label: ' Wi-Fi ' })).toMatchObject({ label: 'Wi-Fi', others: {} });
    expect(writeEntry(read({ content: 'wifi status', label: 'Wi-Fi' }))).toEqual({
      content: 'wifi status',
      type: 'ascii',
      label: 'Wi-Fi',
    });
    for (const label of [7, '', 'x'.repeat(33)]) {
      const message = read({ content: 'AT', type: 'ascii', label });
      expect(message.label).toBe('');
      expect(writeEntry(message)).toEqual({ content: 'AT', type: 'ascii', label });
    }
  });

  it('names the message in place of its content', () => {
    expect(messageName(read({ content: 'b562', type: 'hex', label: 'Version' }))).toBe('Version');
    expect(messageName(read({ content: 'b562', type: 'hex' }))).toBe('B5 62');
  });
});

describe('hex of a pinned message', () => {
  it('is kept as pairs of digits, whatever notation it had', () => {
    const typed = { content: '{0xB5, 0x62, 0x6};', type: 'hex' } as const;
    expect(newMessage('id', typed).content).toBe('B5 62 06');
    expect(read(typed).content).toBe('B5 62 06');
    expect(sendsTheSame(typed, { content: 'b5 62 06', type: 'hex' })).toBe(true);
  });
});

describe('a hidden message', () => {
  it('is known by its label, and without one by no content', () => {
    const hidden = read({ content: 'hunter2', label: 'Password', hidden: true });
    expect(hiddenName(hidden)).toBe('Password');
    expect(hiddenName({ ...hidden, label: '' })).toBe('message');
    expect(quoted({ ...hidden, label: '' })).toBe('"message"');
    expect(hiddenName({ ...hidden, hidden: false })).toBeNull();
  });

  it('keeps its flag in a jkit, where other values of the flag stay as they are', () => {
    const entry = { content: 'hunter2', type: 'ascii', label: 'Password', hidden: true };
    expect(read(entry)).toMatchObject({ hidden: true, others: {} });
    expect(writeEntry(read(entry))).toEqual(entry);
    const other = { content: 'hunter2', type: 'ascii', hidden: 'maybe' };
    expect(read(other).hidden).toBe(false);
    expect(writeEntry(read(other))).toEqual(other);
  });
});
