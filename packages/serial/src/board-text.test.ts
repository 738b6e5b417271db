import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoardText } from './board-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('text of a board', () => {
  it('is split into lines, without colours and empty lines', () => {
    const text = new BoardText();
    expect(text.take(bytes('ets Jun  8 2016\r\n\r\n\x1b[0;32mI (24) boot: hel'))).toEqual(['ets Jun  8 2016']);
    expect(text.take(bytes('lo\x1b[0m\r\nwaiting'))).toEqual(['I (24) boot: hello']);
    expect(text.end()).toEqual(['waiting']);
    expect(text.end()).toEqual([]);
  });

  it('equals what a terminal shows of text that was written over', () => {
    expect(new BoardText().take(bytes('Erasing 10 %\rErasing 100 %\r\ndone\n\rready\n'))).toEqual([
      'Erasing 100 %',
      'done',
      'ready',
    ]);
    expect(new BoardText().take(bytes('uart:~$ \r\x1b[2Kuart:~$ help\n'))).toEqual(['uart:~$ help']);
  });

  it('comes in pieces from a board that never ends its line', () => {
    expect(new BoardText().take(bytes('x'.repeat(1_025))).map((line) => line.length)).toEqual([512, 512]);
  });

  it('has no part of a mark that is longer than a line', () => {
    const mark = `\x1b]3008;start=${'0'.repeat(600)}\x1b\\`;
    expect(new BoardText().take(bytes(`${mark}login:${mark}\n`))).toEqual(['login:']);
  });

  it('is the same however the reads fall', () => {
    const whole = bytes('one\r\ntwo ä\x1b[1mB\x1b[m\nthree');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (cut) => {
        const text = new BoardText();
        const lines = [...text.take(whole.subarray(0, cut)), ...text.take(whole.subarray(cut)), ...text.end()];
        expect(lines).toEqual(['one', 'two äB', 'three']);
      }),
    );
  });
});
