import { describe, expect, it } from 'vitest';
import { draftToPin } from './draft-to-pin.ts';

describe('message pinned from the send field', () => {
  it('has the text or the hex of the field', () => {
    expect(draftToPin({ text: 'AT\\r', mode: 'text', lineEnding: 'crlf' })).toEqual({
      ok: true,
      text: { content: 'AT\\r', type: 'ascii' },
    });
    expect(draftToPin({ text: 'b5 6', mode: 'hex', lineEnding: 'lf' })).toEqual({
      ok: true,
      text: { content: 'b5 6', type: 'hex' },
    });
  });

  it('is text if it has no escapes', () => {
    expect(draftToPin({ text: 'AT', mode: 'escapes', lineEnding: 'crlf' })).toEqual({
      ok: true,
      text: { content: 'AT', type: 'ascii' },
    });
  });

  it('is the hex of its escapes and its line ending', () => {
    expect(draftToPin({ text: '\\x1b[2J', mode: 'escapes', lineEnding: 'cr' })).toEqual({
      ok: true,
      text: { content: '1B 5B 32 4A 0D', type: 'hex' },
    });
  });

  it('is refused if an escape is wrong', () => {
    expect(draftToPin({ text: 'AT\\q', mode: 'escapes', lineEnding: 'lf' })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Character 3'),
    });
  });
});
