import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { leftOver } from '../stream-cutter.ts';
import { readChunks, type SeenPiece } from '../testing/golden-cases.ts';
import { measureLine } from './at-line.ts';

type Step = readonly [direction: '>' | '<', text: string, at?: number];

/** Sends (`>`) and receives (`<`) texts, each 10 ms after the one before if it has no time. */
function talk(...steps: readonly Step[]) {
  return readChunks(
    [libraryDecoders.at],
    steps.map(([direction, text, at], index) => ({
      at: at ?? index * 10,
      direction: direction === '>' ? ('sent' as const) : ('received' as const),
      bytes: Buffer.from(text, 'latin1'),
    })),
  );
}

const value = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((one) => one.name === name)?.value;
const named = ({ decoded }: SeenPiece, name: string) => decoded.fields.find((one) => one.name === name)?.named;
/** Each piece: its role, its text, and the index of its command. */
const roles = (pieces: readonly SeenPiece[]) =>
  pieces.map((piece) => [value(piece, 'role'), piece.decoded.fields[0]?.value, piece.link.to]);

describe('an answer', () => {
  it('differs from a notice of the same name by its form', () => {
    const { pieces } = talk(
      ['>', 'AT+CREG?\r'],
      ['<', '\r\n+CREG: 1,"00A1","0B2C",7\r\n'],
      ['<', '\r\n+CREG: 2,1,"00A1","0B2C"\r\n\r\nOK\r\n'],
    );
    expect(roles(pieces)).toEqual([
      ['command', 'AT+CREG?', null],
      ['notice', '+CREG: 1,"00A1","0B2C",7', null],
      ['line', '+CREG: 2,1,"00A1","0B2C"', 0],
      ['final', 'OK', 0],
    ]);
    const [, notice, answer] = pieces as [SeenPiece, SeenPiece, SeenPiece];
    expect([named(notice, 'stat'), named(notice, 'act')]).toEqual(['registered, home network', 'E-UTRAN']);
    expect([value(answer, 'mode'), named(answer, 'stat'), value(answer, 'lac')]).toEqual([
      2,
      'registered, home network',
      '00A1',
    ]);
  });

  it('has no line of its own name after a setting', () => {
    const { pieces } = talk(['>', 'AT+CREG=2\r'], ['<', '\r\n+CREG: 2,1\r\n\r\nOK\r\n']);
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'notice', 'final']);
  });

  it('has the time since the end of its command', () => {
    const { pieces } = talk(['>', 'AT\r', 100], ['<', '\r\nOK\r\n', 135]);
    expect(pieces[1]?.link).toMatchObject({ role: 'answer', to: 0, ms: 35 });
  });

  it('names errors', () => {
    const { pieces } = talk(
      ['>', 'AT+CPIN?\r'],
      ['<', '\r\n+CME ERROR: 10\r\n'],
      ['>', 'AT+CMGR=9\r'],
      ['<', '\r\n+CMS ERROR: 321\r\n'],
    );
    expect(pieces.filter(({ decoded }) => decoded.kind === 'exception').map(({ decoded }) => decoded.sentence)).toEqual(
      ['+CME ERROR: 10: SIM not inserted', '+CMS ERROR: 321: invalid memory index'],
    );
  });

  it('may have text that looks like a result', () => {
    const { pieces } = talk(
      ['>', 'AT+CMGL="ALL"\r'],
      [
        '<',
        '\r\n+CMGL: 1,"REC READ","+490000000"\r\nOK\r\nERROR\r\n+CMGL: 2,"REC READ","+490000001"\r\nRING\r\n\r\nOK\r\n',
      ],
    );
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'line', 'line', 'line', 'line', 'line', 'final']);
  });

  it('is a result in digits before a carriage return alone', () => {
    const { pieces } = talk(['>', 'ATV0\r'], ['<', '0\r'], ['>', 'AT+FOO\r', 5_000], ['<', '4\r', 5_010]);
    expect(roles(pieces)).toEqual([
      ['command', 'ATV0', null],
      ['final', '0', 0],
      ['command', 'AT+FOO', null],
      ['final', '4', 2],
    ]);
    expect(pieces.map(({ decoded }) => decoded.kind)).toEqual(['right', 'right', 'right', 'exception']);
    expect(pieces[3]?.decoded.sentence).toBe('ERROR');
  });

  it('has the lines of each command of a line', () => {
    const { pieces } = talk(
      ['>', 'AT+CSQ;+CREG?\r'],
      ['<', '\r\n+CSQ: 17,99\r\n\r\n+CREG: 0,5\r\n\r\n+CMTI: "SM",3\r\n\r\nOK\r\n'],
    );
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'line', 'line', 'notice', 'final']);
    expect([value(pieces[1] as SeenPiece, 'rssi'), named(pieces[1] as SeenPiece, 'rssi')]).toEqual([17, '-79 dBm']);
  });
});

describe('a notice', () => {
  it('about an incoming message includes its text', () => {
    const { pieces } = talk(['<', '\r\n+CMT: "+490000000",,"26/01/01"\r\nOK\r\n'], ['>', 'AT\r'], ['<', '\r\nOK\r\n']);
    expect(roles(pieces)).toEqual([
      ['notice', '+CMT: "+490000000",,"26/01/01"', null],
      ['notice', 'OK', null],
      ['command', 'AT', null],
      ['final', 'OK', 2],
    ]);
  });

  it('reports the end of a connection that the command did not make', () => {
    const { pieces } = talk(['>', 'AT+CSQ\r'], ['<', '\r\nNO CARRIER\r\n\r\n+CSQ: 1,99\r\n\r\nOK\r\n']);
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'notice', 'line', 'final']);
    const dialled = talk(['>', 'ATE0D5550100\r'], ['<', '\r\nNO CARRIER\r\n']).pieces;
    expect(roles(dialled).map(([role]) => role)).toEqual(['command', 'final']);
  });
});

describe('text for a prompt', () => {
  it('may have several lines, and its echo is no answer', () => {
    const { pieces } = talk(
      ['>', 'AT+CMGS="+490000000"\r'],
      ['<', 'AT+CMGS="+490000000"\r\r\n> '],
      ['>', 'one\rtwo\x1a'],
      ['<', 'one\r\ntwo\r\n+CMGS: 12\r\n\r\nOK\r\n'],
    );
    expect(roles(pieces)).toEqual([
      ['command', 'AT+CMGS="+490000000"', null],
      ['echo', 'AT+CMGS="+490000000"', 0],
      ['prompt', '> ', 0],
      ['text', 'one', 0],
      ['text', 'two', 0],
      ['echo', 'one', 0],
      ['echo', 'two', 0],
      ['line', '+CMGS: 12', 0],
      ['final', 'OK', 0],
    ]);
  });

  it('is dropped with Esc', () => {
    const { pieces } = talk(
      ['>', 'AT+CMGS="1"\r'],
      ['<', '\r\n> '],
      ['>', 'hel\x1b'],
      ['<', '\r\nOK\r\n'],
      ['>', 'AT\r'],
      ['<', '\r\nOK\r\n'],
    );
    expect(roles(pieces).map(([role, , to]) => [role, to])).toEqual([
      ['command', null],
      ['prompt', 0],
      ['text', 0],
      ['final', 0],
      ['command', null],
      ['final', 4],
    ]);
  });

  it('follows a first result on ESP modules', () => {
    const { pieces } = talk(
      ['>', 'AT+CIPSEND=5\r\n'],
      ['<', '\r\nOK\r\n\r\n> '],
      ['>', 'hello\x1a'],
      ['<', '\r\nRecv 5 bytes\r\n\r\nSEND OK\r\n'],
    );
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'final', 'prompt', 'text', 'notice', 'final']);
  });
});

describe('a command', () => {
  it('without an answer is named once, after its limit', () => {
    const { pieces, unanswered } = talk(
      ['>', 'AT+CSQ\r', 0],
      ['>', 'AT+COPS=?\r', 1_000],
      ['>', 'AT\r', 20_000],
      ['<', '\r\nOK\r\n', 20_010],
    );
    expect(pieces.map((piece) => piece.unanswered)).toEqual([[], [], [{ index: 0, limit: 5_000 }], []]);
    expect(unanswered).toEqual([{ index: 1, limit: 180_000 }]);
  });

  it('is known by its echo if only the modem is heard', () => {
    const { pieces } = talk(['<', 'AT+CSQ\r\r\n+CSQ: 5,99\r\n\r\nOK\r\nAT\r\r\nOK\r\n']);
    expect(roles(pieces)).toEqual([
      ['command', 'AT+CSQ', null],
      ['line', '+CSQ: 5,99', 0],
      ['final', 'OK', 0],
      ['command', 'AT', null],
      ['final', 'OK', 3],
    ]);
  });

  it('is whole with its carriage return, before the answer', () => {
    const { pieces } = talk(['>', 'A'], ['>', 'T'], ['>', '\r'], ['<', '\r\nOK\r\n']);
    expect(roles(pieces).map(([role]) => role)).toEqual(['command', 'final']);
  });

  it('groups the overview without its parameters', () => {
    const { pieces } = talk(
      ['>', 'at+cmgs="+490000000"\r'],
      ['>', 'ATD5550100;\r'],
      ['>', 'AT&F\r'],
      ['>', 'AT+CREG?\r'],
    );
    expect(pieces.map(({ decoded }) => decoded.key)).toEqual(['AT+CMGS=', 'ATD', 'AT&F', 'AT+CREG?']);
  });

  it('leaves notices their names, and one name for any other text', () => {
    const { pieces } = talk(['<', '\r\nRING\r\n+CMTI: "SM",3\r\nbooting 1\r\nbooting 2\r\n']);
    expect(pieces.map(({ decoded }) => decoded.key)).toEqual(['RING', '+CMTI', 'text', 'text']);
  });
});

describe('cutting of lines', () => {
  it('leaves bytes that are no text over', () => {
    const { pieces } = talk(['<', '\x00\x01\x02\r\nRDY\r\n']);
    expect(pieces.map(({ kind, bytes }) => [kind, bytes.length])).toEqual([
      ['left-over', 3],
      ['frame', 7],
    ]);
  });

  it('waits for the end of a line, and leaves it over after a second of silence', () => {
    const { pieces } = talk(['<', '\r\n+CS', 0], ['<', 'Q: 1,99\r\n', 900], ['<', 'RD', 1_000], ['<', 'Y\r\n', 3_000]);
    expect(
      pieces.map(({ kind, decoded }) => [kind, decoded.kind === 'left-over' ? '' : decoded.fields[0]?.value]),
    ).toEqual([
      ['frame', '+CSQ: 1,99'],
      ['left-over', ''],
      ['frame', 'Y'],
    ]);
  });

  it('leaves long text over in pieces, so that no byte is read again', () => {
    expect(measureLine(new Uint8Array(9_000).fill(0x78), 0, 9_000, false)).toBe(leftOver(4_096));
    expect(measureLine(Uint8Array.from([0x78, 0x79, 0]), 0, 3, false)).toBe(leftOver(2));
    expect(measureLine(new Uint8Array(900).fill(0x0d), 0, 900, false)).toBe(leftOver(64));
    const { pieces } = talk(['<', 'x'.repeat(9_000)]);
    expect(pieces.map(({ kind, bytes }) => [kind, bytes.length])).toEqual([
      ['left-over', 4_096],
      ['left-over', 4_096],
      ['left-over', 808],
    ]);
  });

  it('takes A/ as a command after a silence', () => {
    const { pieces } = talk(['>', 'A/', 0], ['<', '\r\nOK\r\n', 40]);
    expect(roles(pieces)).toEqual([
      ['command', 'A/', null],
      ['final', 'OK', 0],
    ]);
  });

  it('takes +++ as a frame after a silence', () => {
    const { pieces } = talk(['>', '+++', 0], ['<', '\r\nOK\r\n', 2_000]);
    expect(pieces.map(({ kind, decoded }) => [kind, decoded.sentence])).toEqual([
      ['frame', '+++'],
      ['frame', 'OK'],
    ]);
  });
});
