import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNvs, changesOf, type NvsChange } from './change-nvs.ts';
import { nvsCsv, readNvsCsv, type SourceFile } from './nvs-csv.ts';
import { NvsError } from './nvs-failure.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';
import { modelOf, modelText, storeChange, storeChanges, valueText } from './testing/nvs-model.ts';

const head = 'key,type,encoding,value\n';

function read(rows: string, files?: readonly SourceFile[]): string[] {
  return readNvsCsv(head + rows, files).changes.map((change) =>
    change.kind === 'set' ? `${change.namespace}/${change.key}=${valueText(change.value)}` : JSON.stringify(change),
  );
}

function faultOf(text: string): NvsError | null {
  try {
    return readNvsCsv(text).faults[0] ?? null;
  } catch (error) {
    if (error instanceof NvsError) {
      return error;
    }
    throw error;
  }
}

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('readNvsCsv', () => {
  it('reads every encoding', () => {
    expect(
      read(
        'app,namespace,,\nu8,data,u8,255\ni64,data,i64,-9223372036854775808\nname,data,string,Grüße\nraw,data,hex2bin, 00fF \n' +
          'packed,data,base64,AAECAw==\ntext,data,binary,abc\n',
      ),
    ).toEqual([
      '{"kind":"add-namespace","namespace":"app"}',
      'app/u8=u8:255',
      'app/i64=i64:-9223372036854775808',
      `app/name=str:${hex('Grüße')}`,
      'app/raw=blob:00ff',
      'app/packed=blob:00010203',
      `app/text=blob:${hex('abc')}`,
    ]);
  });

  it('fills blobs to a length, and puts the length without the filling in front where the encoding says so', () => {
    expect(
      read(
        'app,namespace,,\na,data,blob_fill(4;0x00),\nb,data,blob_fill(4;0xfF),AB\nc,data,blob_sz_fill(4;0x20),AB\n' +
          'd,data,blob_sz_fill(2;0x00),\ne,data,blob_fill(3;0x00),ü\nf,data,blob_fill(0;0x00),\n',
      ).slice(1),
    ).toEqual([
      'app/a=blob:00000000',
      'app/b=blob:4142ffff',
      'app/c=blob:0200000041422020',
      'app/d=blob:000000000000',
      'app/e=blob:c3bc00',
      'app/f=blob:',
    ]);
  });

  it('reads numbers and Base64 as Python reads them', () => {
    expect(
      read(
        'app,namespace,,\na,data,u32,1_000\nb,data,i8, +5 \nc,data,base64,"AA EC\nAw==more"\nd,data,base64,\n',
      ).slice(1),
    ).toEqual(['app/a=u32:1000', 'app/b=i8:5', 'app/c=blob:00010203', 'app/d=blob:']);
  });

  it('reads quoted values with commas, quotation marks and line breaks, and leaves comments and empty lines out', () => {
    expect(
      read('# a comment\n\napp,namespace,,\na,data,string,"1, ""two""\n3"\nb,data,string,say "hi"\n').slice(1),
    ).toEqual([`app/a=str:${hex('1, "two"\n3')}`, `app/b=str:${hex('say "hi"')}`]);
  });

  it('reads the columns in another order, with a byte order mark and Windows line ends', () => {
    const { changes } = readNvsCsv('\ufeffvalue,key,encoding,type\r\n,app,,namespace\r\n7,a,u8,data\r\n');
    expect(changes[1]).toEqual({ kind: 'set', namespace: 'app', key: 'a', value: { type: 'u8', value: 7n } });
  });

  it('returns to a namespace that is named again', () => {
    expect(read('a,namespace,,\nb,namespace,,\na,namespace,,\nk,data,u8,1\n').at(-1)).toBe('a/k=u8:1');
  });

  it('takes values of the type file from the files that are given', () => {
    const files = [
      { name: 'cert.pem', bytes: Buffer.from('abc') },
      { name: 'hex.txt', bytes: Buffer.from('0a0b\n') },
    ];
    const rows = 'app,namespace,,\na,file,string,certs/cert.pem\nb,file,binary,cert.pem\nc,file,hex2bin,hex.txt\n';
    expect(read(rows, files).slice(1)).toEqual([
      `app/a=str:${hex('abc')}`,
      `app/b=blob:${hex('abc')}`,
      'app/c=blob:0a0b',
    ]);
  });

  it('tells files of one name by their folders, and refuses rows where those do not tell', () => {
    const one = { name: '/home/a/cert.pem', bytes: Buffer.from('one') };
    const two = { name: 'C:\\work\\b\\cert.pem', bytes: Buffer.from('two') };
    const rows = 'app,namespace,,\nx,file,string,a/cert.pem\ny,file,string,b/cert.pem\n';
    expect(read(rows, [two, one]).slice(1)).toEqual([`app/x=str:${hex('one')}`, `app/y=str:${hex('two')}`]);
    const bare = [one, two].map(({ bytes }) => ({ name: 'cert.pem', bytes }));
    for (const files of [bare, bare.slice(0, 1)]) {
      const { changes, faults } = readNvsCsv(head + rows, files);
      expect(changes).toHaveLength(1);
      expect(faults.map(({ code, message }) => `${code} ${message}`)).toEqual([
        expect.stringMatching(/^csv-files Line 3: x \(a\/cert.pem\): .*folders do not tell/),
        expect.stringMatching(/^csv-files Line 4: y \(b\/cert.pem\): /),
      ]);
    }
    const { faults } = readNvsCsv(head + rows, [one]);
    expect(faults.map(({ code, line }) => [code, line])).toEqual([['csv-file', 4]]);
  });

  it.each([
    ['no columns', 'app,namespace,,\n', 'csv-columns', 1],
    ['an empty file', '', 'csv-columns', 1],
    ['a key before the first namespace', `${head}a,data,u8,1\n`, 'csv-before-namespace', 2],
    ['an unknown type', `${head}app,namespace,,\na,text,u8,1\n`, 'csv-type', 3],
    ['an unknown encoding', `${head}app,namespace,,\na,data,u128,1\n`, 'csv-encoding', 3],
    ['a hexadecimal number', `${head}app,namespace,,\na,data,u8,0x10\n`, 'csv-number', 3],
    ['a fraction', `${head}app,namespace,,\na,data,u8,1.5\n`, 'csv-number', 3],
    ['an odd number of hex digits', `${head}app,namespace,,\na,data,hex2bin,abc\n`, 'csv-hex', 3],
    ['a filled blob without a length', `${head}app,namespace,,\na,data,blob_fill(;0x00),\n`, 'csv-fill', 3],
    ['a filled blob with a decimal byte', `${head}app,namespace,,\na,data,blob_fill(4;0),\n`, 'csv-fill', 3],
    ['a filled blob with another separator', `${head}app,namespace,,\na,data,"blob_fill(4,0x00)",\n`, 'csv-fill', 3],
    [
      'a value longer than its filling',
      `${head}app,namespace,,\na,data,blob_sz_fill(2;0x00),ABC\n`,
      'csv-fill-long',
      3,
    ],
    ['a filled blob of a gigabyte', `${head}app,namespace,,\na,data,blob_fill(1073741824;0x00),\n`, 'nvs-blob-long', 3],
    ['semicolons', 'key;type;encoding;value\napp;namespace;;\n', 'csv-columns', 1],
    ['bad Base64', `${head}app,namespace,,\na,data,base64,A\n`, 'csv-base64', 3],
    ['a file that was not added', `${head}app,namespace,,\na,file,binary,cert.pem\n`, 'csv-file', 3],
    ['a number out of range', `${head}app,namespace,,\na,data,u8,256\n`, 'nvs-number-range', 3],
    ['a long key', `${head}app,namespace,,\nsixteen_letters_,data,u8,1\n`, 'nvs-name-long', 3],
    ['a key twice', `${head}app,namespace,,\na,data,u8,1\n\na,data,u8,2\n`, 'csv-twice', 5],
    ['an open quotation mark', `${head}app,namespace,,\na,data,string,"abc\ndef\n`, 'csv-quote', 3],
  ])('refuses %s with its line', (_, text, code, line) => {
    expect(faultOf(text)).toMatchObject({ code, line });
  });

  it('reads the other rows and lists each fault with its line', () => {
    const { changes, faults } = readNvsCsv(
      `${head}app,namespace,,\na,data,u8,x\nb,data,u8,2\nsixteen_letters_,namespace,,\nc,data,u8,3\nnet,namespace,,\nd,text,u8,4\n`,
    );
    expect(
      changes.map(({ namespace, ...change }) => ('key' in change ? `${namespace}/${change.key}` : namespace)),
    ).toEqual(['app', 'app/b', 'net']);
    expect(faults.map(({ code, line }) => [code, line])).toEqual([
      ['csv-number', 3],
      ['nvs-name-long', 5],
      ['csv-type', 8],
    ]);
  });

  it('keeps values out of its errors', () => {
    const fault = faultOf(`${head}app,namespace,,\npassword,data,u8,hunter2\n`);
    expect(fault?.message).toBe('Line 3: password: The value is not a whole decimal number.');
  });
});

describe('nvsCsv', () => {
  const set = (key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace: 'app', key, value });
  const csvOf = (...changes: readonly NvsChange[]) => nvsCsv(readNvs(buildNvs(0x3000, changes)));

  it('writes rows as the generator reads them', () => {
    const { text } = csvOf(
      set('a', { type: 'i8', value: -3n }),
      set('name', stringValue('1, "two"\n3')),
      set('#raw', { type: 'blob', bytes: Uint8Array.of(0, 255) }),
      { kind: 'add-namespace', namespace: 'empty' },
    );
    expect(text).toBe(
      `${head}app,namespace,,\na,data,i8,-3\nname,data,string,"1, ""two""\n3"\n"#raw",data,hex2bin,00ff\nempty,namespace,,\n`,
    );
  });

  it.each([
    ['a line that the generator takes for a comment', stringValue('one\n#two')],
    ['a carriage return', stringValue('one\r\ntwo')],
    ['bytes that are not UTF-8', { type: 'str', bytes: Uint8Array.of(0xff, 0x41) } as const],
  ])('leaves a string out that contains %s, and says it in a comment', (_, value) => {
    const { text, leftOut } = csvOf(set('a', value), set('b', stringValue('two')));
    expect(leftOut.map(({ key }) => key)).toEqual(['a']);
    expect(text).toBe(`${head}app,namespace,,\n# "a" is left out: CSV cannot hold its value.\nb,data,string,two\n`);
  });

  it('names hidden keys in comments and leaves their values out', () => {
    const image = buildNvs(0x3000, [set('a', stringValue('one')), set('pass', stringValue('hunter2'))]);
    const { text, leftOut } = nvsCsv(readNvs(image), ({ key }) => key === 'pass');
    expect(text).toBe(`${head}app,namespace,,\na,data,string,one\n# "pass" is left out: its value is secret.\n`);
    expect(leftOut).toEqual([]);
  });

  it('carries every store through CSV', () => {
    fc.assert(
      fc.property(storeChanges, (changes) => {
        const sets = changes.filter(({ kind }) => kind === 'set');
        const image = buildNvs(0x20000, sets);
        const { text, leftOut } = nvsCsv(readNvs(image));
        const copy = buildNvs(0x20000, readNvsCsv(text).changes);
        const rest = changesOf(readNvs(image), ({ namespace, key }) =>
          leftOut.some((one) => one.namespace === namespace && one.key === key),
        );
        expect(modelText(rest.reduce(storeChange, modelOf(copy)))).toBe(modelText(modelOf(image)));
      }),
      { numRuns: 30 },
    );
  });
});
