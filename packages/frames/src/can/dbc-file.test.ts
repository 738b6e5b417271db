import { random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { readDbcFile } from './dbc-file.ts';
import { readSignals } from './signals.ts';

const values = (file: string, id: number, bytes: readonly number[], isExtended = false) => {
  const message = readDbcFile(file).find(id, isExtended);
  const read = message === null ? [] : readSignals(message, Uint8Array.from(bytes));
  return Object.fromEntries(read.map(({ signal, value, named }) => [signal.name, named ?? value]));
};

const signal = (name: string, place = '0|8@1+') => ` SG_ ${name} : ${place} (1,0) [0|0] "" X\n`;

describe('DBC files', () => {
  it('may have tabs, no blanks, Windows line ends and statements that say nothing about values', () => {
    const file = [
      'VERSION "1.0"',
      'NS_ :\r\n\tCM_\r\n\tBA_DEF_\r\n\tVAL_\r\n\tSG_MUL_VAL_\r\n',
      'BS_:',
      'BU_: A B',
      'BO_ 1 One : 8 A\r',
      'SG_ Speed:0|16@1+(0.5,-1)[0|0]"km/h"A,B\r',
      '\tSG_  Second :  16|8@1- ( 1 , 0 )  [ -128 | 127 ]  "" Vector__XXX',
      'BO_TX_BU_ 1 : A,B;',
      'EV_ Env: 0 [0|1] "" 0 2 DUMMY_NODE_VECTOR0 A;',
      'SIG_GROUP_ 1 Group 1 : Speed Second;',
      'BA_DEF_REL_ BU_SG_REL_ "x; y" INT 0 1;',
      'BO_ 2 Two: 1 A',
      signal('Last'),
    ].join('\n');
    expect(readDbcFile(file).faults).toEqual([]);
    expect(values(file, 1, [10, 0, 0xff])).toEqual({ Speed: 4, Second: -1 });
    expect(values(file, 2, [7])).toEqual({ Last: 7 });
  });

  it('keep standard and extended identifiers apart', () => {
    const file = `BO_ 291 Short: 1 A\n${signal('S')}BO_ 2147483939 Long: 1 A\n${signal('L')}`;
    expect(values(file, 291, [1])).toEqual({ S: 1 });
    expect(values(file, 291, [1], true)).toEqual({ L: 1 });
    expect(readDbcFile(file).find(292, false)).toBeNull();
    const unmarked = `BO_ 2048 Unmarked: 1 A\n${signal('U')}`;
    expect(values(unmarked, 2048, [1], true)).toEqual({ U: 1 });
    expect(values(unmarked, 2048, [1])).toEqual({});
  });

  it('leave out signals of another multiplexor page', () => {
    const file = `BO_ 1 M: 8 A
 SG_ A m0 : 8|8@1+ (1,0) [0|0] "" X
 SG_ Page M : 0|8@1+ (1,0) [0|0] "" X
 SG_ B m1 : 8|8@1+ (1,0) [0|0] "" X
${signal('Always', '16|8@1+')}`;
    expect(values(file, 1, [0, 5, 9])).toEqual({ A: 5, Page: 0, Always: 9 });
    expect(values(file, 1, [1, 5, 9])).toEqual({ Page: 1, B: 5, Always: 9 });
    expect(values(file, 1, [2, 5, 9])).toEqual({ Page: 2, Always: 9 });
  });

  it('read extended multiplexing: ranges, and multiplexors inside of pages', () => {
    const file = `BO_ 1 M: 8 A
 SG_ Root M : 0|8@1+ (1,0) [0|0] "" X
 SG_ Inner m1M : 8|8@1+ (1,0) [0|0] "" X
 SG_ Range m0 : 16|8@1+ (1,0) [0|0] "" X
 SG_ Deep m5 : 24|8@1+ (1,0) [0|0] "" X
 SG_ Other M : 32|8@1+ (1,0) [0|0] "" X
 SG_ OfOther m2 : 40|8@1+ (1,0) [0|0] "" X
SG_MUL_VAL_ 1 Inner Root 1-1;
SG_MUL_VAL_ 1 Range Root 0-0, 3-4,10-200;
SG_MUL_VAL_ 1 Deep Inner 5-5;
SG_MUL_VAL_ 1 OfOther Other 2-2;
`;
    const read = (...bytes: number[]) => Object.keys(values(file, 1, [...bytes, 0, 0, 0, 0, 0, 0])).join(' ');
    expect(read(0, 5)).toBe('Root Range Other');
    expect(read(4, 5)).toBe('Root Range Other');
    expect(read(200, 5)).toBe('Root Range Other');
    expect(read(201, 5)).toBe('Root Other');
    expect(read(1, 5)).toBe('Root Inner Deep Other');
    expect(read(1, 4)).toBe('Root Inner Other');
    expect(read(5, 5, 0, 0, 2)).toBe('Root Other OfOther');
  });

  it('have no signal that selects itself', () => {
    const file = `BO_ 1 M: 8 A
 SG_ A m0M : 0|8@1+ (1,0) [0|0] "" X
 SG_ B m0M : 8|8@1+ (1,0) [0|0] "" X
SG_MUL_VAL_ 1 A B 0-0;
SG_MUL_VAL_ 1 B A 0-0;
`;
    expect(values(file, 1, [0, 0, 0, 0, 0, 0, 0, 0])).toEqual({});
  });

  it('give no value to a signal that the frame does not have whole', () => {
    const file = `BO_ 1 M: 8 A\n${signal('First')}${signal('Half', '12|12@1+')}${signal('Past', '39|16@0+')}`;
    expect(values(file, 1, [7, 0xff])).toEqual({ First: 7, Half: null, Past: null });
    expect(values(file, 1, [7, 0xff, 0xff, 1])).toEqual({ First: 7, Half: 0xfff, Past: null });
  });

  it('name values by their raw number, from pairs or a table', () => {
    const file = `VAL_TABLE_ Switch 0 "off" 1 "on" ;
BO_ 1 M: 3 A
 SG_ T : 0|8@1- (0.5,-40) [0|0] "degC" X
${signal('S', '8|1@1+')}${signal('Q', '16|8@1+')}VAL_ 1 T -1 "not there" 5 "five";
VAL_ 1 S Switch ;
VAL_ 1 Q 3 "with \\"quotes\\"; and a semicolon" ;
VAL_ Env 0 "none" ;
`;
    expect(values(file, 1, [0xff, 1, 3])).toEqual({ T: 'not there', S: 'on', Q: 'with "quotes"; and a semicolon' });
    expect(values(file, 1, [4, 2, 0])).toEqual({ T: -38, S: 'off', Q: 0 });
  });

  it('read floating-point signals, and refuse those of another size', () => {
    const file = `BO_ 1 M: 8 A
 SG_ F : 0|32@1- (2,1) [0|0] "" X
 SG_ D : 7|64@0- (1,0) [0|0] "" X
 SG_ N : 0|16@1- (1,0) [0|0] "" X
SIG_VALTYPE_ 1 F : 1;
SIG_VALTYPE_ 1 D :2;
VAL_ 1 F 7 "seven" ;
SIG_VALTYPE_ 1 N 1;
`;
    const data = new Uint8Array(8);
    new DataView(data.buffer).setFloat32(0, 1.25, true);
    expect(values(file, 1, [...data])).toMatchObject({ F: 3.5 });
    new DataView(data.buffer).setFloat32(0, 7, true);
    expect(values(file, 1, [...data])).toMatchObject({ F: 'seven' });
    new DataView(data.buffer).setFloat64(0, -0.1);
    expect(values(file, 1, [...data])).toMatchObject({ D: -0.1 });
    expect(readDbcFile(file).faults).toEqual(['Line 8: N cannot be a floating-point number of 16 bits.']);
  });

  it('have comments and units in UTF-8, UTF-16 or Windows-1252', () => {
    const file = `BO_ 1 M: 1 A
 SG_ T : 0|8@1+ (1,0) [0|0] "°C" X
CM_ SG_ 1 T "Öl
in zwei \\"Zeilen\\"; BO_ 9 No: 8 A";
CM_ BO_ 1 "path C:\\";
CM_ "for all";
`;
    const utf16 = Uint8Array.from([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(file, (unit) => unit.charCodeAt(0)).buffer),
    ]);
    const latin = Uint8Array.from(file, (unit) => unit.charCodeAt(0));
    const utf8 = new TextEncoder().encode(file);
    for (const bytes of [utf8, utf16, latin, Uint8Array.from([0xef, 0xbb, 0xbf, ...utf8])]) {
      const { messages, faults } = readDbcFile(bytes);
      expect(faults).toEqual([]);
      expect(messages).toHaveLength(1);
      expect(messages[0]?.comment).toBe('path C:\\');
      expect(messages[0]?.signals[0]).toMatchObject({ unit: '°C', comment: 'Öl\nin zwei "Zeilen"; BO_ 9 No: 8 A' });
    }
  });

  it('match parameter groups of J1939 from any source, where the file says so', () => {
    const file = (formats: string) => `BO_ 2566844926 EngineTemp: 8 A
${signal('Coolant')}BO_ 2364539904 ToOne: 8 A
${signal('Torque')}BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
${formats}`;
    // 0x18FEF1FE of the file, and 0x0CFEF121: priority 3, source 0x21.
    expect(values(file(''), 0x0cfe_f121, [9], true)).toEqual({ Coolant: 9 });
    expect(values(file(''), 0x18fe_f221, [9], true)).toEqual({});
    expect(values(file(''), 0x0cfe_f121, [9], false)).toEqual({});
    expect(values(file('BA_ "VFrameFormat" BO_ 2566844926 1;\n'), 0x0cfe_f121, [9], true)).toEqual({});
    expect(values(file('BA_ "VFrameFormat" BO_ 2566844926 3;\n'), 0x0cfe_f121, [9], true)).toEqual({ Coolant: 9 });
    // 0x0CF00400 of the file names a receiver? Below format 240 the receiver is no part of the group.
    expect(readDbcFile(file('')).find(0x0cef_1234, true)?.name).toBeUndefined();
  });

  it('name each fault with its line and use the rest', () => {
    const file = `BO_ 1 M: 8 A
 SG_ Bad : 0|65@1+ (1,0) [0|0] "" X
 SG_ Bad2 : 0|8@1+ (x,0) [0|0] "" X
${signal('Good')}${signal('Good')}BO_ x Broken: 8 A
${signal('Lost')}BO_ 1 Again: 8 A
BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 A
${signal('Free')}`;
    expect(readDbcFile(file).faults).toEqual([
      'Line 2: the signal Bad cannot be read.',
      'Line 3: the signal Bad2 cannot be read.',
      'Line 5: the signal Good is there twice.',
      'Line 6: this message cannot be read.',
      'Line 7: the signal Lost belongs to no message.',
      'Line 8: Again has the identifier of another message.',
    ]);
    expect(values(file, 1, [3])).toEqual({ Good: 3 });
  });

  it('may have 10,000 messages', () => {
    const message = (id: number) =>
      `BO_ ${id} M${id}: 8 A\n${signal('A')}${signal('B', '15|16@0+')}CM_ BO_ ${id} "M";\n`;
    const file = readDbcFile(Array.from({ length: 10_000 }, (_, index) => message(2_147_483_648 + index)).join(''));
    expect(file.faults).toEqual([]);
    expect(file.messages).toHaveLength(10_000);
    expect(file.find(9_999, true)?.name).toBe(`M${2_147_483_648 + 9_999}`);
  });

  it('cost bounded time, whatever they contain', () => {
    const parts = [
      'BO_ 1 M: 8 A\n',
      'SG_ ',
      '"',
      '\\"',
      ';',
      'NS_ :',
      'VAL_ 1 A ',
      '(1,0)',
      ' : 0|8@1+',
      '[0|',
      'CM_ ',
      '\n',
      '0 "',
    ];
    const numbers = random('hostile');
    const mixed = Array.from({ length: 20_000 }, () => parts[numbers.below(parts.length)] ?? '').join('');
    for (const part of [
      ...parts,
      'NS_ :\n',
      'SG_ A : 0|8@1+ (1,0) [',
      'SG_ A m0 : ',
      `SG_ ${'A'.repeat(300)}`,
      'VAL_ 1 A 0 "',
    ]) {
      expect(readDbcFile(part.repeat(Math.ceil(1_000_000 / part.length))).faults.length).toBeLessThanOrEqual(20);
    }
    expect(readDbcFile(mixed).faults.length).toBeLessThanOrEqual(20);
    expect(readDbcFile(randomBytes(1_000_000)).messages).toEqual([]);
    expect(() => readDbcFile(new Uint8Array(32 * 1024 * 1024 + 1))).toThrow('larger than 32 MiB');
  });

  describe('with lines that cannot be read', () => {
    const body = (line: string) =>
      `BO_ 1 One : 8 A\n${signal('A')}${line}\n${signal('B', '8|8@1+')}BO_ 2 Two : 1 A\n${signal('C')}VAL_ 2 C 7 "seven" ;\n`;
    const rest = (line: string) => {
      const file = readDbcFile(body(line));
      return [...file.messages.map(({ signals }) => signals.map(({ name }) => name).join(' ')), file.faults.join(' ')];
    };

    it.each([
      ['a signal behind //', '//SG_ V : 16|8@1+ (1,0) [0|0] "" B', 'Line 3: the statement is commented out.'],
      ['a message behind //', '// BO_ 9 Nine : 8 A', 'Line 3: the statement is commented out.'],
      [
        'a factor with three numbers',
        ' SG_ V : 16|8@1+ (0,1,0) [0|0] "" B',
        'Line 3: the signal V cannot be read: (0,1,0) must be a factor and an offset, such as (0.1,0).',
      ],
      ['a factor that is no number', ' SG_ V : 16|8@1+ (x,0) [0|0] "" B', 'Line 3: the signal V cannot be read.'],
      ['a comment without a semicolon', 'CM_ SG_ 1 A "text"', 'Line 3: the statement has no end.'],
      ['a comment without its second quote', 'CM_ SG_ 1 A "text;', 'Line 3: the statement has no end.'],
      [
        'names without a second quote',
        'VAL_ 1 A 0 "off ;',
        'Line 3: some names of A cannot be read. Line 3: the statement has no end.',
      ],
      ['names with a number missing', 'VAL_ 1 A 0 "off" "on" ;', 'Line 3: some names of A cannot be read.'],
      ['an unknown statement', 'FOO_ 1 2 3', 'Line 3: FOO_ is no statement of a DBC file.'],
      ['words', 'this is a note', 'Line 3: this is no statement of a DBC file.'],
      ['a comment in words', '// this is a note', ''],
      ['a lone semicolon', ';', ''],
    ] as const)('have the rest, and name %s', (_name, line, fault) => {
      expect(rest(line)).toEqual(['A B', 'C', fault]);
      expect(values(body(line), 2, [7])).toEqual({ C: 'seven' });
    });

    it('count what they do not name', () => {
      const { faults } = readDbcFile(`${body('')}${'FOO\n'.repeat(25)}`);
      expect(faults).toHaveLength(20);
      expect(faults.at(-1)).toBe('6 more statements were not read.');
    });
  });
});
