/** `wirebench modbus` as a process, on the simulated line and on pseudo-terminals of socat. */
import { execFileSync } from 'node:child_process';
import { readRequest } from '@wirebench/frames/modbus';
import { describe, expect, it } from 'vitest';
import { plugged, ran, wirebench } from './testing/monitored-port.ts';
import { hasSocat } from './testing/served-board.ts';

const simulated = ['modbus', '--simulate', 'modbus-line', '--baud', '19200', '--units', '7', '--registers', '0-3'];

describe('modbus on the simulated line', () => {
  it('finds a device beside the other master as text, JSON and CSV, and sends nothing beside it unless told to', async () => {
    const [text, json, table, quiet] = await Promise.all([
      ran(...simulated, '--anyway'),
      ran(...simulated, '--anyway', '--json'),
      ran(...simulated, '--anyway', '--csv'),
      ran(...simulated),
    ]);
    expect(text.code).toBe(0);
    expect(text.text).toMatch(/^Asks unit 7 for one holding register \(function 3\), at 19200 8N1: at most 3 requests/);
    expect(text.text).toMatch(
      /^unit 7 {4}19200 8N1 {2}read {2}\S+ ms {2}Wirebench demo {2}pump drive {2}1\.0\n {2}holding registers 0–3$/m,
    );
    expect(text.text).toMatch(/1 device answered\. \d+ requests sent\.\n$/);
    // Standard output has the JSON.
    const [plan, end] = json.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(plan).toMatchObject({
      event: 'plan',
      sentences: [/^Asks unit 7/, /^Then reads/, 'Nothing is written.'].map((one) =>
        typeof one === 'string' ? one : expect.stringMatching(one),
      ),
    });
    expect(end).toMatchObject({
      event: 'end',
      end: 'complete',
      devices: [{ unit: 7, settings: '19200 8N1', tables: [{ table: 'holding', ranges: [{ from: 0, to: 3 }] }] }],
    });
    expect(table.text).toMatch(/^7,19200 8N1,read,/m);
    expect(quiet.code).toBe(1);
    expect(quiet.text).toMatch(/Nothing was sent\. --anyway asks beside the other master\.\n$/);
  }, 60_000);

  it.each([
    ['units out of range', ['modbus', 'x', '--units', '0-300'], /units are 1 to 247/],
    ['a range that is none', ['modbus', 'x', '--registers', '1..9'], /--registers takes a number or a range/],
    ['a parity that no line has', ['modbus', 'x', '--also-parity', 'mark'], /--also-parity takes none, even, odd/],
    ['two kinds of results', ['modbus', 'x', '--json', '--csv'], /give --json or --csv/],
  ] as const)('refuses %s', async (_what, args, sentence) => {
    const { code, text } = await ran(...args);
    expect([code, text]).toEqual([2, expect.stringMatching(sentence)]);
  });
});

describe.runIf(hasSocat)('modbus on a port', () => {
  const requests = (...units: readonly number[]) =>
    Buffer.concat(units.map((unit) => readRequest(unit, 3, [0, 0, 0, 1]))).toString('hex');
  const sent = (got: readonly Buffer[]) => Buffer.concat(got).toString('hex');

  it('asks each unit once and ends with 1 if none answers; with --plan it sends nothing', async () => {
    const port = await plugged();
    const search = ['modbus', port.path, '--units', '3-5', '--answer', '20', '--no-registers'];
    const plan = await ran(...search, '--plan');
    expect([plan.code, plan.text]).toEqual([
      0,
      expect.stringMatching(/^Asks units 3 to 5 .*\n.*\nNothing is written\.\n$/),
    ]);
    expect(sent(port.got)).toBe('');
    const { code, text } = await ran(...search);
    expect([code, text]).toEqual([1, expect.stringMatching(/No device answered\. 3 requests sent\.\n$/)]);
    expect(sent(port.got)).toBe(requests(3, 4, 5));
  }, 30_000);

  it('stops at once at Ctrl+C, says what was found, and sends nothing more', async () => {
    const port = await plugged();
    const asked = new Promise<void>((resolve) => {
      port.onBytes = () => resolve();
    });
    const program = wirebench(['modbus', port.path, '--units', '1-247', '--answer', '20000', '--also-baud', '9600']);
    await asked;
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(program.text()).toMatch(/Stopped\. No device answered until then\. 1 request sent\.\n$/);
    expect(sent(port.got)).toBe(requests(1));
  }, 30_000);

  it('has the port at its own settings again when it is stopped at other ones', async () => {
    const port = await plugged();
    const speed = () => execFileSync('stty', ['-F', port.path, 'speed'], { encoding: 'utf8' }).trim();
    const atOther = new Promise<void>((resolve) => {
      port.onBytes = () => {
        if (speed() === '9600') {
          resolve();
        }
      };
    });
    const program = wirebench(['modbus', port.path, '--units', '1-3', '--answer', '100', '--also-baud', '9600']);
    await atOther;
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(speed()).toBe('115200');
  }, 30_000);

  it('says which ports are there if the named one is not', async () => {
    const { code, text } = await ran('modbus', '/dev/ttyNONE');
    expect([code, text]).toEqual([3, expect.stringMatching(/\/dev\/ttyNONE is not there\./)]);
  });
});
