import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logPrefix } from './log-prefix.ts';
import { utf8 } from './testing/line-channels.ts';

function parts(line: string): unknown {
  const bytes = utf8(line);
  const prefix = logPrefix(bytes, 0, bytes.length);
  return prefix && [line.slice(prefix.tagStart, prefix.tagEnd), line.slice(prefix.textStart)];
}

describe('prefix of a log line', () => {
  it.each([
    ['E (995) bme280: i2c read 0x76 failed', ['bme280', 'i2c read 0x76 failed']],
    ['\x1b[0;33mW (765) wifi: no saved channel\x1b[0m', ['wifi', 'no saved channel\x1b[0m']],
    ['\x1b[0m\x1b[1;32mI (7) wifi: up', ['wifi', 'up']],
    ['\x1b[2K\x1b[GI (7) wifi: up', ['wifi', 'up']],
    ['I (14:12:07.020) main_task:Started', ['main_task', 'Started']],
    ['D (12) a b: text', ['a b', 'text']],
    ['V (12) tag:', ['tag', '']],
  ])('is told apart from the text: %s', (line, expected) => {
    expect(parts(line)).toEqual(expected);
  });

  it.each([
    ['E (20-02-02 00:00:00.100) x: y', 'error', 'x', 'y'],
    ['W (2026-11-25 19:30:05.123456) x: y', 'warning', 'x', 'y'],
    ['I (19:30:05.123) x: y', 'info', 'x', 'y'],
    ['\x1b[0;31mE (  512) x: y\x1b[0m', 'error', 'x', 'y\x1b[0m'],
    ['\x1b[0;31mE x: y\x1b[0m', 'error', 'x', 'y\x1b[0m'],
    ['D (1) x: y', null, 'x', 'y'],
    ['[  1234][E][WiFiGeneric.cpp:739] setMode(): failed: 3', 'error', 'WiFiGeneric.cpp', 'failed: 3'],
    ['[W][main.cpp:12] loop(): low', 'warning', 'main.cpp', 'low'],
    ['[12:34:56][W][component:214]: took 60 ms', 'warning', 'component', 'took 60 ms'],
    ['[12:34:56.123][C][wifi:600][main]: up', null, 'wifi', 'up'],
    ['[ERR ][coap]: no route', 'error', 'coap', 'no route'],
    ['[ERROR] no card', 'error', '', 'no card'],
    ['[00:00:01.250,000] <err> i2c_nrfx: timeout', 'error', 'i2c_nrfx', 'timeout'],
    ['[00:00:01.250,000] \x1b[1;33m<wrn> bt_hci.open: slow\x1b[0m', 'warning', 'bt_hci.open', 'slow\x1b[0m'],
    ['[2026-11-25 19:30:05,250] [main] <inf> app: up', 'info', 'app', 'up'],
    ['[00001234] <dbg> app: up', null, 'app', 'up'],
    ['<error> app: ERROR 7 [NRF_ERROR_INVALID_PARAM]', 'error', 'app', 'ERROR 7 [NRF_ERROR_INVALID_PARAM]'],
    ['<wrn> no tag here', 'warning', '', 'no tag here'],
    ['\x1b[32mINFO - up\x1b[0m', 'info', '', 'up\x1b[0m'],
    ['ERROR - no card', 'error', '', 'no card'],
  ])('has a level, whatever system wrote it: %j', (line, level, tag, text) => {
    const bytes = utf8(line);
    const prefix = logPrefix(bytes, 0, bytes.length);
    expect(prefix && [prefix.level, line.slice(prefix.tagStart, prefix.tagEnd), line.slice(prefix.textStart)]).toEqual([
      level,
      tag,
      text,
    ]);
  });

  it('is not looked for behind the next m of a sequence that is no colour', () => {
    expect(parts('\x1b[Ktemp E (1) a: b')).toBeNull();
    expect(parts('\x1bomE (1) a: b')).toBeNull();
  });

  it.each([
    '',
    'E',
    'E (',
    'E (995',
    'E (995)',
    'E (995) ',
    'E (995) no colon',
    'E () a: b',
    'E (1) : b',
    'X (1) a: b',
    'E(1) a: b',
    '  E (1) a: b',
    '\x1b[0',
    'E (so) x: y',
    `E (${'1'.repeat(41)}) x: y`,
    'I am: here',
    'W load: 3',
    '[1, 2.5, -3e2]',
    '[adc] 12',
    '[adc][E] 12',
    '<b>bold</b>',
    '[12:34:56] ready',
    'ERROR: no card',
    'INFORMATION - x',
    'INF - 0',
    'ERR - 0',
    '[[[[[[[[',
    '[',
    '<err',
  ])('is not seen in %j', (line) => {
    expect(parts(line)).toBeNull();
  });

  it('is looked for in any bytes without a fault, and stays in the line', () => {
    const soup = fc.array(fc.constantFrom(...'EW[]<>():- 1:a\x1bm'), { maxLength: 24 }).map((all) => all.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        const bytes = utf8(`${text}] <err> x: y`);
        const prefix = logPrefix(bytes, 0, text.length);
        expect(prefix?.textStart ?? 0).toBeLessThanOrEqual(text.length);
        expect(prefix?.tagEnd ?? 0).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends with the line, not with the one behind it', () => {
    const bytes = utf8('I (1) ab\nc: d');
    expect(logPrefix(bytes, 0, 8)).toBeNull();
  });
});
