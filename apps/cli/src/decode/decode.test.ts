/** `wirebench decode` as a process, on the golden frames of the package. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ReadyDecoder, readyDecoders } from '@wirebench/frames/ready-decoders';
import { localStamp } from '@wirebench/serial';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GoldenCase, goldenCases } from '../../../../packages/frames/src/testing/golden-cases.ts';
import { isInstalled, runJudge } from '../../../../packages/frames/src/testing/judges.ts';
import { programFile, wirebench } from '../testing/monitored-port.ts';

const start = new Date(2026, 10, 20, 14).getTime();
/** Time between two cases in ms, which decides about what waits for an answer. */
const PAUSE = 10_000;
const golden = fileURLToPath(new URL('../../../../packages/frames/src/testing/golden/', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-decode-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function saved(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Writes cases as the page records them, in hex. */
function logOf(cases: readonly GoldenCase[]): string {
  const lines = cases.flatMap(({ chunks }, index) =>
    chunks.map(([micros, direction, digits]) => {
      const at = localStamp(start + index * PAUSE + micros / 1_000);
      return `${at}  Port 1  ${direction.toUpperCase()}  ${digits.match(/../g)?.join(' ')}\n`;
    }),
  );
  return lines.join('');
}

const casesOf = (name: string, count: number) => goldenCases(name).slice(0, count);
const decode = (args: readonly string[], input: string | Uint8Array = ''): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [programFile, 'decode', ...args], { encoding: 'utf8', input, timeout: 60_000 });

/** First row of each golden file. */
const firstRows: Readonly<Record<ReadyDecoder, RegExp>> = {
  modbus: /^2026-11-20 14:00:00\.705 {2}TX {2}49 {2}read coil 37 from 1$/m,
  nmea: /RX {2}GP {2}lat 39\.018478°, lon -95\.214738°, status valid/,
  ubx: /RX {2}lat 65\.020388°, lon 37\.230827°, no fix/,
  slcan: /RX {2}101 {2}8 bytes: FF 07 F9 8C 00 01 00 00/,
  mavlink: /RX {2}89\.1 {2}HEARTBEAT custom_mode 2406637383/,
  dmx: /RX {2}received, start code 0: 231, 231, 231, 0/,
  at: /TX {2}AT\n.* {2}RX {2}OK {2}35 ms$/m,
  cobs: /RX {2}payload 00 51 FD 00 B5 AB/,
};

describe('decode', { timeout: 120_000 }, () => {
  it.each(readyDecoders.map(({ name }) => name))('shows the frames of %s', (name) => {
    const log = saved(`${name}.txt`, logOf(casesOf(name, 2)));
    const { status, stdout, stderr } = decode([log, '--as', name]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(firstRows[name]);
    expect(status).toBe(0);
  });

  it('prints the golden values as JSON, and none of a frame with a wrong checksum', () => {
    const cases = goldenCases('modbus').slice(0, 12);
    const { stdout } = decode(['-', '--as', 'modbus', '--json'], logOf(cases));
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const wanted = cases.flatMap(({ frames }) => frames).filter(({ hex }) => hex !== undefined);
    expect(rows.map(({ bytes }) => bytes.replaceAll(' ', '').toLowerCase())).toEqual(wanted.map(({ hex }) => hex));
    for (const [index, frame] of wanted.entries()) {
      const { fields } = rows[index];
      for (const name of ['unit', 'function', 'address', 'count'].filter((one) => frame[one] !== undefined)) {
        expect([frame['hex'], name, fields[name]]).toEqual([frame['hex'], name, frame[name]]);
      }
    }
    const [, , broken] = casesOf('modbus', 3);
    const damaged = logOf([broken as GoldenCase])
      .replace(/ (\S\S)\n/, ' $1 \n')
      .replace(/\S\S \n/, '00\n');
    const [first] = decode(['-', '--as', 'modbus', '--json'], damaged).stdout.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ state: 'broken' });
    expect(JSON.parse(first ?? '').fields?.count).toBeUndefined();
  });

  it('prints the role of each frame as JSON, with its number and that of its question', () => {
    const log = [
      [0, 'TX', '01 03 00 00 00 02 C4 0B'],
      [1_500, 'RX', '01 03 04 00 07 00 09 8B F4'],
      [2_000, 'TX', '01 03 00 00 00 02 C4 0B'],
      [2_018, 'RX', '01 03 04 00 07 00 09 8B F4'],
    ].map(([ms, direction, digits]) => `${localStamp(start + Number(ms))}  Port 1  ${direction}  ${digits}\n`);
    const rowsOf = (...more: readonly string[]) =>
      decode(['-', '--as', 'modbus', '--json', ...more], log.join(''))
        .stdout.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ number, role, question, ms, late, noAnswerAfter }) => ({
          ...{ number, role, question },
          ...{ ms, late, noAnswerAfter },
        }));
    const rows = [
      { number: 1, role: 'question', noAnswerAfter: 1_000 },
      { number: 2, role: 'answer', question: 1, ms: 1_500, late: true },
      { number: 3, role: 'question' },
      { number: 4, role: 'answer', question: 3, ms: 18 },
    ];
    expect(rowsOf()).toEqual(rows);
    // The numbers are those of the whole log.
    expect(rowsOf('--find', 'dir:rx')).toEqual([rows[1], rows[3]]);
  });

  it('prints the words of a field without a value as JSON', () => {
    const line = '\\s:r003,c:1700000000*7A\\$GPGLL,4916.45,N,12311.12,W,225444,A,*1D\r\n';
    const row = JSON.parse(decode(['-', '--as', 'nmea', '--json'], line).stdout.split('\n')[0] ?? '');
    expect(row.names['tag.checksum']).toBe('wrong');
    expect(row.fields).not.toHaveProperty('tag.checksum');
    expect(row.role).toBe('notice');
  });

  it('keeps all digits of 64-bit numbers, and leaves out what has no value', () => {
    const gps = goldenCases('mavlink')
      .filter(({ kind }) => kind.includes('GPS_RAW_INT'))
      .slice(0, 1);
    const row = JSON.parse(decode(['-', '--as', 'mavlink', '--json'], logOf(gps)).stdout.split('\n')[0] ?? '');
    const wanted = gps[0]?.frames[0]?.['fields'] as Record<string, unknown>;
    expect(row.fields.time_usec).toBe(wanted['time_usec']);
    expect(Object.values(row.fields)).not.toContain(null);
  });

  it('reads lines of hex digits without times, and raw bytes', () => {
    const [{ frames } = { frames: [] }] = goldenCases('modbus');
    const digits = frames.flatMap(({ hex }) => (typeof hex === 'string' ? [hex] : []));
    const asText = decode(['-', '--as', 'modbus'], `${digits.join('\n')}\n`);
    expect(asText.stdout).toMatch(/^RX {2}49 {2}read coil 37 from 1\nRX {2}49 {2}read coil 1–37: 0100/);
    const raw = decode(['-', '--as', 'modbus'], new Uint8Array(Buffer.from(digits.join(''), 'hex')));
    expect(raw.stdout).toBe(asText.stdout);
  });

  it.each([
    ['at', ['41 54 0D', '30 0D'], ['41 54 0D', '30 0D']],
    ['slcan', ['56 0D', '56 31 30 31 33 0D', '7A 0D', '0D'], ['56 0D', '56 31 30 31 33 0D', '7A 0D', '0D']],
    ['nmea', ['24 47 50 54 58 54 2C', '30 0D', '0A'], ['24 47 50 54 58 54 2C 30 0D 0A']],
  ] as const)('takes short rows of a log in hex for bytes as all others: %s', (name, rows, frames) => {
    const { stdout } = decode(['-', '--as', name, '--json'], `${rows.join('\n')}\n`);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).bytes),
    ).toEqual(frames);
  });

  it('names each line of a DBC file and of message definitions that was not read', () => {
    const dbc = saved(
      'damaged.dbc',
      'BO_ 1 M: 8 A\n SG_ A : 0|8@1+ (1,0) [0|0] "" B\n//SG_ V : 16|8@1+ (1,0) [0|0] "" B\n SG_ W : 8|8@1+ (0,1,0) [0|0] "" B\nBO_ 2 N: 1 A\n SG_ C : 0|8@1+ (1,0) [0|0] "" B\n',
    );
    const { stdout, stderr } = decode(['-', '--as', 'slcan', '--file', dbc], 't00110A\rt002107\r');
    expect(stdout).toMatch(/M, 1 of 8 bytes A 10[\s\S]*N C 7/);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `wirebench: ${dbc}: Line 3: the statement is commented out.`,
      `wirebench: ${dbc}: Line 4: the signal W cannot be read: (0,1,0) must be a factor and an offset, such as (0.1,0).`,
    ]);
  });

  it('names signals by a DBC file and registers by a table', () => {
    const can = saved('can.txt', logOf(casesOf('slcan', 1)));
    expect(decode([can, '--as', 'slcan', '--file', join(golden, 'shared.dbc')]).stdout).toContain(
      'MotorStatus Speed 8160.875 rpm, Torque -423 Nm',
    );
    const holding = goldenCases('modbus')
      .filter(({ kind }) => kind === 'fc03')
      .slice(0, 1);
    const { unit, address } = holding[0]?.frames[0] ?? {};
    const rows = [`fan,${unit},holding,${address}`, `bad,${unit},holding,x`];
    const table = saved('registers.csv', ['name,device,table,address', ...rows, ''].join('\n'));
    const bus = saved('bus.txt', logOf(holding));
    const { stdout, stderr } = decode([bus, '--as', 'modbus', '--file', table]);
    expect(stdout).toContain('fan');
    expect(stderr).toContain('Row 3: address must be a whole number');
  });

  it('takes two DBC files of one name, and refuses two definitions of one name', () => {
    const can = saved('can2.txt', logOf(casesOf('slcan', 1)));
    const motor = readFileSync(join(golden, 'shared.dbc'), 'utf8');
    for (const place of ['one', 'two']) {
      mkdirSync(join(folder, place), { recursive: true });
    }
    const [own, other] = [saved('one/bus.dbc', motor), saved('two/bus.dbc', 'BO_ 2047 Other: 8 Vector__XXX\n')];
    for (const files of [
      [own, other],
      [other, own],
    ]) {
      const args = files.flatMap((file) => ['--file', file]);
      expect(decode([can, '--as', 'slcan', ...args]).stdout).toContain('MotorStatus Speed 8160.875 rpm');
    }
    const xml = (id: number) => `<mavlink><messages><message id="${id}" name="M${id}"></message></messages></mavlink>`;
    const definitions = [saved('one/own.xml', xml(9_000)), saved('two/own.xml', xml(9_001))];
    const refused = decode(['-', '--as', 'mavlink', ...definitions.flatMap((file) => ['--file', file])], '');
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('--file names two files own.xml') });
  });

  it('takes a decoder of a file', () => {
    const own = saved(
      'motor.json',
      JSON.stringify({
        name: 'motor',
        title: 'Motor',
        framing: { kind: 'length', start: ['A5'], length: 3 },
        fields: [{ name: 'speed', type: 'u16', at: 1, unit: 'rpm' }],
        order: 'big',
        line: 'at {speed}',
      }),
    );
    expect(decode(['-', '--decoder', own], 'A5 01 02\n').stdout).toBe('RX  at 258 rpm\n');
    expect(decode(['-', '--decoder', own, '--find', 'speed>300'], 'A5 01 02\nA5 02 00\n').stdout).toBe(
      'RX  at 512 rpm\n',
    );
  });

  it('takes several decoders for one line, and pairs across them', () => {
    const part = (name: string, start: string, message: object) =>
      saved(
        `${name}.json`,
        JSON.stringify({
          name,
          title: name,
          framing: { kind: 'length', start: [start], length: 2 },
          fields: [{ name: 'id', type: 'u8', at: 1, header: true }],
          messages: [{ name: 'only', ...message }],
          pairing: { same: ['id'] },
        }),
      );
    const ask = part('ask', 'A5', { question: true, line: 'asks {id}' });
    const answer = part('answer', '5A', { answers: ['ask.only'], line: 'answers {id}' });
    const both = decode(['-', '--decoder', ask, '--decoder', answer, '--json'], 'A5 07\n5A 07\n5A 08\n');
    const rows = both.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ decoder, text, role, question }) => [decoder, text, role, question])).toEqual([
      ['ask', 'asks 7', 'question', undefined],
      ['answer', 'answers 7', 'answer', rows[0]?.['number']],
      ['answer', 'answers 8', 'answer', undefined],
    ]);
    expect(decode(['-', '--decoder', ask, '--decoder', ask], 'A5 07\n')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('are both named ask: give one of them another name.'),
    });
  });

  it('writes a table, and a capture of which tshark reads each frame', () => {
    const log = saved('capture.txt', logOf(casesOf('modbus', 4)));
    const table = decode([log, '--as', 'modbus', '--csv', '--find', 'unit:49']).stdout.split('\r\n');
    expect(table[0]).toMatch(/^time,epoch_ms,port,direction,text,who,message,state,unit,function,/);
    expect(table).toHaveLength(4);
    const capture = join(folder, 'bus.pcapng');
    expect(decode([log, '--as', 'modbus', '--pcapng', capture])).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    const before = readFileSync(capture);
    const again = decode([log, '--as', 'modbus', '--pcapng', capture]);
    expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('is there already') });
    expect(readFileSync(capture)).toEqual(before);
    expect(decode([log, '--as', 'modbus', '--pcapng', capture, '--force']).status).toBe(0);
    const toOutput = spawnSync(process.execPath, [programFile, 'decode', log, '--as', 'modbus', '--pcapng', '-']);
    expect(toOutput.stdout.equals(readFileSync(capture))).toBe(true);
    if (isInstalled('tshark', '--version')) {
      const fields = ['mbrtu.unit_id', 'modbus.func_code', 'frame.time_epoch'].flatMap((name) => ['-e', name]);
      const read = runJudge('tshark', ['-r', capture, '-T', 'fields', ...fields], '');
      const rows = read
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
      const wanted = casesOf('modbus', 4).flatMap(({ frames }) => frames.filter(({ hex }) => hex !== undefined));
      expect(rows.map(([unit, code]) => [Number(unit), Number(code)])).toEqual(
        wanted.map(({ unit, function: code }) => [unit, code]),
      );
      expect(Number(rows[0]?.[2])).toBeCloseTo((start + 705) / 1_000, 6);
    }
  });

  it('keeps an older capture, and the log, when it cannot write', () => {
    const log = saved('kept.txt', logOf(casesOf('modbus', 1)));
    expect(decode([log, '--as', 'modbus', '--pcapng', log])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is the log itself'),
    });
    expect(readFileSync(log, 'utf8')).toBe(logOf(casesOf('modbus', 1)));
    expect(decode([log, '--as', 'modbus', '--pcapng', join(folder, 'none', 'x.pcapng')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
  });

  it.each([
    [['-'], 2, '--as says how the log is read: modbus, nmea,'],
    [['-', '--as', 'mqtt'], 2, 'there is no decoder mqtt. --as takes one of modbus,'],
    [['/no/such.log', '--as', 'at'], 2, 'the file cannot be read'],
    [['-', '--as', 'slcan', '--file', '/no/such.dbc'], 2, 'the file cannot be read'],
    [['-', '--as', 'nmea', '--file', programFile], 2, 'NMEA 0183 takes no file'],
    [['-', '--as', 'slcan', '--file', programFile], 2, 'Choose a DBC file.'],
    [['-', '--decoder', programFile], 2, 'main.ts is no decoder that can be used: '],
    [['-', '--as', 'at', '--json', '--csv'], 2, 'name one of them'],
    [['-', '--as', 'at', '--find', 'port:9'], 2, '--find port:9: There is no port 9.'],
    [['-', '--as', 'modbus'], 1, 'there is no whole frame of Modbus RTU in standard input.'],
    [['-', '--as', 'modbus', '--find', 'unit:7'], 1, 'there is no frame of Modbus RTU that unit:7 finds in standard'],
  ] as const)('says what is wrong with %j', (args, status, words) => {
    expect(decode(args, 'I (30) boot: up\n')).toMatchObject({ status, stderr: expect.stringContaining(words) });
  });

  it('ends with 0 when the reader of its output has gone', () => {
    const log = saved('head.txt', logOf(goldenCases('modbus')));
    const line = '"$0" "$1" decode "$2" --as modbus --json | head -n 1 > /dev/null; exit $PIPESTATUS';
    expect(spawnSync('bash', ['-c', line, process.execPath, programFile, log], { timeout: 60_000 }).status).toBe(0);
  });

  it('leaves no part of a capture behind when it is interrupted', async () => {
    const log = saved('long.txt', logOf(casesOf('modbus', 40)).repeat(300));
    const capture = join(folder, 'long.pcapng');
    const writing = wirebench(['decode', log, '--as', 'modbus', '--pcapng', capture]);
    await vi.waitUntil(() => existsSync(`${capture}.part`), 20_000);
    writing.interrupt();
    expect(await writing.exited).toBe(130);
    expect(readdirSync(folder).filter((name) => name.startsWith('long.pcapng'))).toEqual([]);
  });

  it('writes no controls of a log to the terminal', () => {
    const { stdout } = decode(['-', '--as', 'at'], 'AT+X=\u009b31m\u202eowned\r\nOK\r\n');
    expect(['\u009b', '\u202e'].filter((control) => stdout.includes(control))).toEqual([]);
  });
});
