/** The lines of `wirebench monitor`, as a process on pseudo-terminals of socat. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plugged, utf8, wirebench } from '../testing/monitored-port.ts';
import { hasSocat } from '../testing/served-board.ts';
import { readRuleFiles } from './shown-rules.ts';

/** No colours, whatever runs the tests. */
const plain = { NO_COLOR: '1' };

/** Joins the contents of received lines: of those that are shown before their end, or of the others. */
const contentOf = (output: string, isOpen: boolean) =>
  output
    .split('\n')
    .filter((line) => /^[\d:.]+ {2}(?!\* )/.test(line) && /^[\d:.]+ {2}\(open\) /.test(line) === isOpen)
    .map((line) => line.replace(/^[\d:.]+ {2}(?:\(open\) )?/, ''))
    .join('');

describe.runIf(hasSocat)('lines of monitor', () => {
  it('shows two ports line by line, and a line without an end after a moment, marked as open', async () => {
    const [one, two] = [await plugged(), await plugged()];
    const program = wirebench(['monitor', one.path, two.path], plain);
    await program.until(/(port connected[\s\S]*){2}/);
    one.send(utf8('E (12) main: no card\r\n'));
    await program.until(/no card/);
    two.send(utf8('login: '));
    await program.until(/login: /);
    one.send(utf8('later\n'));
    await program.until(/later/);
    two.send(utf8('root\n'));
    await program.until(/root/);
    program.interrupt();
    expect(await program.exited).toBe(130);
    const lines = program
      .text()
      .split('\n')
      .filter((line) => !line.includes(' * '));
    expect(lines.map((line) => line.replace(/^[\d:.]+ /, ''))).toEqual([
      'port  E (12) main: no card',
      'port  (open) login: ',
      'port  later',
      'port  login: root',
      '',
    ]);
  });

  it('shows a long line as it grows, each character once and marked as open, and prints it whole at its end', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time'], plain);
    await program.until(/connected/);
    const text = Array.from({ length: 500 }, (_, word) => `w${word} `).join('');
    for (let at = 0; at < text.length; at += 400) {
      const piece = text.slice(at, at + 400);
      port.send(utf8(piece));
      // The rest of a row comes when the row is full.
      const shown = Math.floor((at + piece.length) / 512) * 512;
      await expect.poll(() => contentOf(program.text(), true).length).toBeGreaterThanOrEqual(shown);
    }
    port.send(utf8('end\nnext\n'));
    await program.until(/next/);
    expect(text.startsWith(contentOf(program.text(), true))).toBe(true);
    expect(contentOf(program.text(), false)).toBe(`${text}endnext`);
  });

  it('waits for a line without the NUL that ends the string of a board', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--json', '--until', '/^PASS$/', '--timeout', '20']);
    await program.until(/connected/);
    port.send(utf8('temp\r\n\0PASS\0\r\n'));
    expect(await program.exited).toBe(0);
  });

  it.each([
    ['--time', /^[\d:.]+ {2}first half second half$/m, /^[\d:.]+ {2}\(open\) first half $/m],
    [
      '--json',
      /^\{"at":"[^"]+","port":"port","kind":"received","text":"first half second half"\}$/m,
      /^\{"at":"[^"]+","port":"port","kind":"received","text":"first half ","open":true\}$/m,
    ],
  ])('prints a line that comes in two halves once, with %s', async (option, whole, open) => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, option, '--until', 'half\\n'], plain);
    await program.until(/connected/);
    port.send(utf8('first half '));
    await program.until(open);
    port.send(utf8('second half\n'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toMatch(whole);
    expect(program.text().match(/second half/g)).toHaveLength(1);
  });

  it('prints a last line without an end when the port is closed', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time', '--until', 'login: '], plain);
    await program.until(/connected/);
    port.send(utf8('up\nlogin: '));
    expect(await program.exited).toBe(0);
    expect(contentOf(program.text(), false)).toBe('uplogin: ');
  });

  it('prints all of a line of 200 KB, and of one that was shown as it grew', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--json', '--until', 'the end\\n']);
    await program.until(/connected/);
    port.send(utf8(`${'x'.repeat(200_000)}y\n`));
    await program.until(/xy"/);
    port.send(utf8('z'.repeat(80_000)));
    await program.until(/z{512}"/);
    port.send(utf8('tail\nthe end\n'));
    expect(await program.exited).toBe(0);
    const received = program
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'received');
    const whole = received.filter(({ open }) => open === undefined).map(({ text }) => text);
    expect(whole).toEqual([`${'x'.repeat(200_000)}y`, `${'z'.repeat(80_000)}tail`, 'the end']);
  });

  it('paints levels and keeps the colours of the board', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time'], { FORCE_COLOR: '1', NO_COLOR: '' });
    await program.until(/connected/);
    port.send(utf8('W (1) app: hot\n\x1b[32mgreen\n'));
    await program.until(/green/);
    expect(program.text()).toContain('  \x1b[33mW (1) app: hot\x1b[0m\n');
    expect(program.text()).toContain('  \x1b[32mgreen\x1b[0m\n');
  });

  it('prints only lines from a level on, and logs all', async () => {
    const port = await plugged();
    const file = join(port.folder, 'run.txt');
    const args = ['monitor', port.path, '--level', 'warn', '--log', file, '--until', 'end\\n'];
    const program = wirebench(args, plain);
    await program.until(/connected/);
    port.send(utf8('I (1) app: up\nW (2) app: hot\n<err> mod: bad\nD (3) app: x\nE (4) app: off\nend\n'));
    expect(await program.exited).toBe(0);
    const lines = program
      .text()
      .split('\n')
      .filter((line) => line !== '' && !line.includes(' * '));
    expect(lines.map((line) => line.replace(/^[\d:.]+ +/, ''))).toEqual([
      'W (2) app: hot',
      '<err> mod: bad',
      'E (4) app: off',
    ]);
    expect(readFileSync(file, 'utf8')).toContain('RX  I (1) app: up');
  });

  it('colours lines by the rules of a JKit, and names those with a note', async () => {
    const port = await plugged();
    const file = join(port.folder, 'rules.json');
    const rules = [
      { name: 'Low battery', when: { line: 'battery' }, do: { note: true } },
      { name: 'Heat', when: { line: 'temp /\\d+/' }, do: { colour: 'violet', of: 'match' } },
      { name: 'Alarm', when: { line: 'alarm' }, do: { colour: 'red', answer: 'reset' } },
      { name: 'Notices', when: { line: 'dir:notice Rule' }, do: { note: true } },
      { name: 'Off', on: false, when: { line: 'plain' }, do: { note: true } },
    ];
    writeFileSync(file, JSON.stringify({ name: 'Greenhouse', fields: [], rules }));
    const program = wirebench(['monitor', port.path, '--rules', file], { FORCE_COLOR: '1', NO_COLOR: '' });
    await program.until(/connected/);
    port.send(utf8('alarm: door\nplain\nthe temp 21 today\nbattery 3 %\n'));
    await program.until(/Rule "Low battery": battery 3 %/);
    const text = program.text();
    expect(text).toContain('Rule "Alarm": what it sends or records is left to the page');
    expect(text).toContain('  \x1b[31malarm: door\x1b[0m\n');
    expect(text).toContain('  the \x1b[35mtemp\x1b[0m \x1b[35m21\x1b[0m today\n');
    expect(text).toContain('  plain\n');
    expect(text).not.toMatch(/Rule "(Off|Notices)"/);
    expect(port.got).toEqual([]);
  });

  it('reads rules that an editor has saved as UTF-16', async () => {
    const { folder } = await plugged();
    const file = join(folder, 'rules.json');
    const text = JSON.stringify({ rules: [{ name: 'Wärme', when: { line: 'heiß' } }] });
    writeFileSync(file, Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect((await readRuleFiles([file])).map(({ name }) => name)).toEqual(['Wärme']);
  });

  it('refuses rules that cannot be used, with their place', async () => {
    const port = await plugged();
    const file = join(port.folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ rules: [{ when: { line: 'x' } }, { when: { line: '/(/' } }] }));
    const program = wirebench(['monitor', port.path, '--rules', file]);
    expect(await program.exited).toBe(2);
    expect(program.text()).toMatch(/rules\.json: rules\[1\]: .*Unterminated group/);
  });

  it.each([
    ['elapsed', /^ +\d+\.\d{3} {2}one$/m],
    ['delta', /^ +\+\d+\.\d{3} {2}one$/m],
    ['iso', /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}one$/m],
    ['epoch', /^\d{13}\.\d{3} {2}one$/m],
  ] as const)('prints times as %s', async (format, line) => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time-format', format, '--until', 'one\\n'], plain);
    await program.until(/connected/);
    port.send(utf8('one\n'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toMatch(line);
  });

  it('keeps the controls of a hostile board off the terminal in lines', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time'], plain);
    await program.until(/connected/);
    port.send(utf8('\x1b]0;title\x07\x1b[2Jshown\x9b\n'));
    await program.until(/shown/);
    expect(program.text()).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('prints lines as JSON', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--json', '--until', 'end\\n']);
    await program.until(/connected/);
    port.send(utf8('\x1b[31ma "quoted"\x1b[0m line\nend\n'));
    expect(await program.exited).toBe(0);
    const lines = program
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ port: name, kind, text }) => [name, kind, text])).toEqual([
      ['port', 'success', 'port connected (115200 8N1)'],
      ['port', 'received', 'a "quoted" line'],
      ['port', 'received', 'end'],
      ['port', 'info', 'port disconnected'],
    ]);
  });
});
