import { readEspBoot } from '@wirebench/flasher/esp';
import { describe, expect, it } from 'vitest';
import type { StartObservation, StartVerdict } from '../state/start-observation.ts';
import { startText } from './start-text.ts';

const facts = {
  application: 'wirebench-demo 2.0.0',
  baudRate: 115_200,
  words: { restart: 'Press its EN button.', bootloader: 'Hold BOOT.' },
  demo: false,
};
const of = (verdict: StartVerdict, waited = true, told: Partial<StartObservation> = {}) =>
  startText({ verdict, waited, ...told }, facts);

describe('text about a board after its restart', () => {
  it('reports an app alone on an erased chip as not started: the flash has no bootloader', () => {
    const looping = `rst:0x10 (RTCWDT_RTC_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n${'invalid header: 0xffffffff\r\n'.repeat(8)}`;
    const said = of(readEspBoot(looping.repeat(3)), false);
    expect(said.tone).toBe('failure');
    expect(said.what).toBe('The board does not start: the flash is empty where its bootloader should be.');
    expect(said.remedy).toContain('Write the complete set');
  });

  it('waits before it reports silence', () => {
    expect(of({ kind: 'silence' }, false)).toMatchObject({ tone: 'waiting' });
    expect(of({ kind: 'starting' }, false)).toMatchObject({ tone: 'waiting' });
    expect(of({ kind: 'silence' })).toEqual({
      tone: 'quiet',
      what: 'The board was restarted. It has printed nothing, as some programs do.',
      remedy: '',
    });
  });

  it('misses the output of a program only if its file says that it prints', () => {
    const prints = 'the banner of Zephyr';
    expect(of({ kind: 'silence' }, true, { prints })).toMatchObject({
      tone: 'unsure',
      what: 'The board was restarted and has printed nothing, though its file holds the banner of Zephyr.',
    });
    expect(of({ kind: 'starting' }, true, { prints }).tone).toBe('unsure');
    expect(of({ kind: 'starting' }).tone).toBe('quiet');
    expect(of({ kind: 'unreadable' })).toMatchObject({
      tone: 'quiet',
      remedy: expect.stringContaining('rate of its program'),
    });
  });

  it('reports a board that did not come back as a failure only where its program should have a port', () => {
    expect(of({ kind: 'absent' })).toMatchObject({ tone: 'quiet', remedy: '' });
    expect(of({ kind: 'absent' }, true, { prints: 'MicroPython' })).toMatchObject({
      tone: 'failure',
      what: 'The board did not come back, though its file holds MicroPython.',
      remedy: 'Hold BOOT. Then connect it, and write another program.',
    });
    expect(of({ kind: 'absent' }, true, { cannotStart: 'Its start is not in flash.' }).remedy).toBe(
      'Its start is not in flash. Hold BOOT. Then connect it, and write another program.',
    );
  });

  it('names a program only if it named itself', () => {
    expect(of({ kind: 'app', project: null, version: null })).toEqual({
      tone: 'good',
      what: 'The board restarted and is talking.',
      remedy: '',
    });
    const named = of({ kind: 'app', project: 'wirebench-demo', version: '2.0.0' });
    expect(named.what).toBe('The board restarted and runs wirebench-demo 2.0.0.');
    expect(of({ kind: 'app', project: 'wirebench-demo', version: null }, false).tone).toBe('good');
  });

  it.each([
    ['another program', { kind: 'app', project: 'factory-test', version: '1.0' }],
    ['an older version', { kind: 'app', project: 'wirebench-demo', version: '1.0.0' }],
  ] as const)('reports %s instead of the written program as a failure', (_, verdict) => {
    const { tone, what } = of(verdict);
    expect(tone).toBe('failure');
    expect(what).toBe(`The board runs ${verdict.project} ${verdict.version}, not wirebench-demo 2.0.0.`);
  });

  it.each([
    { kind: 'download' },
    { kind: 'invalid-header', word: 0x12, empty: false },
    { kind: 'no-partition-table' },
    { kind: 'no-app' },
    { kind: 'bad-image', line: 'csum err' },
    { kind: 'panic', line: 'Guru Meditation Error' },
    { kind: 'brown-out' },
    { kind: 'boot-loop', resets: 4, reason: null },
  ] satisfies StartVerdict[])('reports $kind at once as a failure with a remedy', (verdict) => {
    const { tone, remedy } = of(verdict, false);
    expect(tone).toBe('failure');
    expect(remedy).not.toBe('');
  });
});
