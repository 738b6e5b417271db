import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecord } from './export-csv.ts';
import { exportFileName } from './export-file-name.ts';
import { exportRaw } from './export-raw.ts';
import { cutAt, receivedChannel, utf8 } from './testing/line-channels.ts';
import { connected, testRig } from './testing/test-rig.ts';

function joined(chunks: Iterable<Uint8Array>): Uint8Array {
  return Uint8Array.from([...chunks].flatMap((chunk) => [...chunk]));
}

function text(chunks: Iterable<Uint8Array>): string {
  return new TextDecoder().decode(joined(chunks));
}

/** Formats the test rig's start time plus `milliseconds` in the machine's time zone. */
function stamp(milliseconds: number): string {
  const date = new Date(Date.UTC(2026, 10, 20, 13, 0, 0) + milliseconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

async function smallLog() {
  const test = testRig();
  const device = await connected(test, 2);
  await test.clock.advance(5);
  device.receive('\x1b[32mready\x1b[0m, "go"\r\n');
  await test.clock.settle();
  await test.clock.advance(1_000);
  await test.bench.send(2, utf8('a,b\r\n'));
  device.receive('> ');
  await test.clock.settle();
  return test.bench;
}

describe('lines that end LF CR', () => {
  it('begin without a return in text and CSV, and are raw what they were', async () => {
    const test = testRig();
    const device = await connected(test, 1);
    const sent = 'one\n\rtwo\n\r\n\rthree';
    for (const byte of sent) {
      device.receive(byte);
    }
    await test.clock.settle();
    const contents = text(test.bench.exportText({ channels: ['received-1'] }))
      .split('\n')
      .map((line) => line.replace(/^.*RX {2}/, ''));
    expect(contents).toEqual(['one', 'two', '', 'three', '']);
    expect(text(test.bench.exportCsv({ channels: ['received-1'] }))).not.toMatch(/\\r/);
    expect(text(test.bench.exportRaw(1))).toBe(sent);
  });
});

describe('control functions in an export', () => {
  it('are obeyed in text and CSV, and are raw what they were', async () => {
    const test = testRig();
    const device = await connected(test, 1);
    const received = 'a\x1b]8;;https://example.com\x07link\x1b]8;;\x07\x1b[K\n\x1b]0;two\nlines\x07b\x08c\n';
    device.receive(received);
    await test.clock.settle();
    const contents = text(test.bench.exportText({ channels: ['received-1'] })).match(/RX {2}.*/g);
    expect(contents).toEqual(['RX  alink', 'RX  ', 'RX  c']);
    expect(text(test.bench.exportCsv({ channels: ['received-1'] }))).toMatch(/RX,alink\r\n.*RX,\r\n.*RX,c\r\n/);
    expect(text(test.bench.exportRaw(1))).toBe(received);
  });
});

describe('raw export', () => {
  it('gives back any bytes exactly, all 256 values, however they were read', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        fc.array(fc.nat({ max: 600 }), { maxLength: 9 }),
        (bytes, places) => {
          const channel = receivedChannel(1_024);
          for (const read of cutAt(bytes, places)) {
            channel.append(read, 0);
          }
          expect(joined(exportRaw(channel))).toEqual(bytes);
        },
      ),
    );
    const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const channel = receivedChannel(1_024);
    channel.append(everyByte, 0);
    expect(joined(exportRaw(channel))).toEqual(everyByte);
  });

  it('comes in pieces, and in full', () => {
    const channel = receivedChannel(8 * 1024 * 1024);
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 251);
    channel.append(bytes, 0);
    const chunks = [...exportRaw(channel)];
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  it('gives the newest bytes when older ones had to leave, and skips what leaves while it runs', () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    const line = utf8(`${'x'.repeat(1_023)}\n`);
    const fill = () => {
      for (let lines = 0; lines < 6_000; lines++) {
        channel.append(line, 0);
      }
    };
    fill();
    const reading = exportRaw(channel);
    expect(reading.next().value?.length).toBe(1024 * 1024);
    fill();
    expect(reading.next().done).toBe(true);
  });

  it('stays within the port that it is of', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2)];
    one.receive('one');
    two.receive('two');
    await test.clock.settle();
    expect(text(test.bench.exportRaw(2))).toBe('two');
    expect(text(test.bench.exportRaw(3))).toBe('');
  });
});

describe('text export', () => {
  it('has time, port and direction of each line, in order', async () => {
    const bench = await smallLog();
    expect(text(bench.exportText())).toBe(
      [
        `${stamp(0)}  Port 2  SUCCESS  Port 2 connected (115200 8N1)`,
        `${stamp(5)}  Port 2  RX  ready, "go"`,
        `${stamp(1_005)}  Port 2  TX  a,b`,
        `${stamp(1_005)}  Port 2  RX  > `,
        '',
      ].join('\n'),
    );
  });

  it('takes names for ports, a choice of channels, and hex', async () => {
    const bench = await smallLog();
    bench.notice('warning', 'of no port', null);
    const exported = bench.exportText({
      channels: ['sent-2', 'notices'],
      content: 'hex',
      portNames: { 2: 'Left motor' },
    });
    expect(text(exported)).toBe(
      [
        `${stamp(0)}  Left motor  SUCCESS  Port 2 connected (115200 8N1)`,
        `${stamp(1_005)}  Left motor  TX  61 2C 62 0D 0A`,
        `${stamp(1_005)}  WARNING  of no port`,
        '',
      ].join('\n'),
    );
  });

  it('ends with what was held when it began', () => {
    const { bench } = testRig();
    for (let line = 0; line < 10_000; line++) {
      bench.notice('info', 'before', null);
    }
    let exported = '';
    let chunks = 0;
    for (const chunk of bench.exportText()) {
      exported += new TextDecoder().decode(chunk);
      chunks++;
      bench.notice('info', 'meanwhile', null);
    }
    expect(chunks).toBeGreaterThan(1);
    expect(exported.match(/before\n/g)).toHaveLength(10_000);
    expect(exported).not.toContain('meanwhile');
  });
});

describe('export through a filter', () => {
  it('has the lines that were found, in text and CSV, and of those the channels that are asked for', async () => {
    const bench = await smallLog();
    const filter = bench.search({ kind: 'regex', source: '[a>]', ignoreCase: false });
    await filter.run(async () => undefined);
    const contents = (exported: string) => exported.replaceAll(/^.*?(RX|TX|SUCCESS) {1,2}/gm, '$1 ').split('\n');
    expect(contents(text(bench.exportText({}, filter)))).toEqual(['RX ready, "go"', 'TX a,b', 'RX > ', '']);
    expect(contents(text(bench.exportText({ channels: ['sent-2'] }, filter)))).toEqual(['TX a,b', '']);
    expect(text(bench.exportCsv({}, filter)).match(/\r\n/g)).toHaveLength(4);
  });
});

describe('CSV export', () => {
  it('quotes what has to be quoted, and nothing else', async () => {
    const bench = await smallLog();
    const at = Date.UTC(2026, 10, 20, 13, 0, 0);
    expect(text(bench.exportCsv({ channels: ['received-2', 'sent-2'] }))).toBe(
      [
        'time,epoch_ms,port,direction,text',
        `${stamp(5)},${at + 5}.000,Port 2,RX,"ready, ""go"""`,
        `${stamp(1_005)},${at + 1_005}.000,Port 2,TX,"a,b"`,
        `${stamp(1_005)},${at + 1_005}.000,Port 2,RX,> `,
        '',
      ].join('\r\n'),
    );
  });

  it('can be read back, whatever stands in the fields', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2 }), (fields) => {
        const read = readCsvRecord(csvRecord(fields));
        // The only allowed difference is added apostrophes.
        const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll("'", ''));
        expect(plain(read)).toEqual(plain(fields));
      }),
    );
  });

  it('lets no device put a formula into a spreadsheet, and keeps numbers', () => {
    expect(csvRecord(['=1+1', 'fine words;=1+1;the rest', 'a\t@SUM(A1)', '-1.5', '+3', '-1e-3', '-x'])).toBe(
      `'=1+1,"fine words;'=1+1;the rest","a\t'@SUM(A1)",-1.5,+3,-1e-3,'-x\r\n`,
    );
  });
});

describe('file name', () => {
  it('is the local time, with nothing that a file system refuses', () => {
    expect(exportFileName(new Date(2026, 10, 20, 4, 3, 5), 'txt')).toBe('wirebench-2026-11-20-04-03-05.txt');
    expect(exportFileName(new Date(987, 0, 2, 14, 33, 55), 'bin')).toBe('wirebench-0987-01-02-14-33-55.bin');
  });
});

/** Reads one record by the grammar of RFC 4180. */
function readCsvRecord(record: string): string[] {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let field = '';
    if (record[at] === '"') {
      at++;
      for (; record[at] !== '"' || record[at + 1] === '"'; at++) {
        if (record[at] === '"') {
          at++;
        }
        field += record[at];
      }
      at++;
    } else {
      while (record[at] !== ',' && record[at] !== '\r') {
        field += record[at++];
      }
    }
    fields.push(field);
    if (record[at++] === '\r') {
      return fields;
    }
  }
}
