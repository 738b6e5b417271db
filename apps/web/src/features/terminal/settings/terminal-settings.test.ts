import {
  defaultFraming,
  type Framing,
  framingNames,
  framingWith,
  longestGap,
  type PortNumber,
  portNumbers,
  shortestGap,
} from '@wirebench/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeModes } from '../../../workbench/console/row-times.ts';
import {
  bufferSizes,
  consoleViews,
  defaultTerminalSettings,
  lineEndings,
  type PortPreferences,
  readTerminalSettings,
  rowHeights,
  sendModes,
  type TerminalSettings,
  writeTerminalSettings,
} from './terminal-settings.ts';

const gap = fc.integer({ min: shortestGap, max: longestGap });
const framingOf: fc.Arbitrary<Framing> = fc
  .tuple(fc.constantFrom(...framingNames), gap)
  .map(([name, gap]) => framingWith(name, { gap }));
const port: fc.Arbitrary<PortPreferences> = fc.record({
  name: fc.string({ maxLength: 32 }),
  settings: fc.record({
    baudRate: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    dataBits: fc.constantFrom(7 as const, 8 as const),
    stopBits: fc.constantFrom(1 as const, 2 as const),
    parity: fc.constantFrom('none' as const, 'even' as const, 'odd' as const),
    flowControl: fc.constantFrom('none' as const, 'hardware' as const),
  }),
  framing: framingOf,
  decoder: fc.constantFrom(null, 'modbus' as const, 'nmea' as const),
  answersOn: fc.constantFrom(null, ...portNumbers),
  reconnect: fc.boolean(),
  inputMode: fc.constantFrom(...sendModes),
  lineEnding: fc.constantFrom(...lineEndings),
  pieces: fc.option(
    fc.record({ bytes: fc.integer({ min: 1, max: 4_096 }), pause: fc.integer({ min: 1, max: 10_000 }) }),
  ),
  linePause: fc.nat({ max: 60_000 }),
});
const settings: fc.Arbitrary<TerminalSettings> = fc.record({
  ports: fc.record({ 1: port, 2: port, 3: port, 4: port }),
  layout: fc.constantFrom('text' as const, 'hex' as const, 'frames' as const),
  rowHeight: fc.constantFrom(...rowHeights),
  bufferSize: fc.constantFrom(...bufferSizes),
  times: fc.constantFrom(...timeModes),
  marks: fc.boolean(),
  lineEnds: fc.boolean(),
  controls: fc.boolean(),
  echoes: fc.boolean(),
  view: fc.constantFrom(...consoleViews),
  wrap: fc.boolean(),
  settingsPinned: fc.boolean(),
  panelsShown: fc.constantFrom(true, false, null),
  dockWidth: fc.option(fc.integer({ min: 1, max: 4_000 })),
});

describe('terminal settings', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(settings, (kept) => {
        expect(readTerminalSettings(writeTerminalSettings(kept))).toEqual(kept);
      }),
    );
  });

  it('have a decoder in place of the framing that it has replaced', () => {
    const stored = { version: 1, ports: { 2: { framing: { name: 'modbus-rtu', options: {} } } } };
    const { ports } = readTerminalSettings(JSON.stringify(stored));
    expect(ports[2]).toMatchObject({ decoder: 'modbus', framing: { name: 'newline' } });
    expect(ports[1].decoder).toBeNull();
  });

  it('are the defaults when nothing, nonsense or another version was stored', () => {
    for (const text of [null, '', '{', '[]', '"x"', '{"version":2,"layout":"hex"}', '{"layout":"hex"}']) {
      expect(readTerminalSettings(text)).toEqual(defaultTerminalSettings);
    }
  });

  it('end lines at newlines when the silence that was stored cannot be', () => {
    for (const framing of [{ newline: false, idleGap: null }, { newline: false, idleGap: 0.5 }, 'never', null]) {
      const text = JSON.stringify({ version: 1, ports: { 1: { framing } } });
      expect(readTerminalSettings(text).ports[1].framing).toEqual(defaultFraming);
    }
  });

  it('end lines where they ended before framings had names', () => {
    const read = (framing: unknown) =>
      readTerminalSettings(JSON.stringify({ version: 1, ports: { 1: { framing } } })).ports[1].framing;
    expect(read({ newline: true, idleGap: null })).toEqual({ name: 'newline', options: {} });
    expect(read({ newline: false, idleGap: 35 })).toEqual({ name: 'gap', options: { gap: 35 } });
    expect(read({ newline: true, idleGap: 35 })).toEqual({ name: 'newline-or-gap', options: { gap: 35 } });
  });

  it('give every port the kind and ending that were stored for all of them', () => {
    const ports = { 2: { name: 'GNSS' }, 3: { inputMode: 'text', lineEnding: 'cr' }, 4: { inputMode: 'morse' } };
    const read = readTerminalSettings(JSON.stringify({ version: 1, inputMode: 'hex', lineEnding: 'crlf', ports }));
    expect([1, 2, 3, 4].map((port) => read.ports[port as PortNumber])).toMatchObject([
      { inputMode: 'hex', lineEnding: 'crlf' },
      { name: 'GNSS', inputMode: 'hex', lineEnding: 'crlf' },
      { inputMode: 'text', lineEnding: 'cr' },
      { inputMode: 'hex', lineEnding: 'crlf' },
    ]);
    expect(JSON.parse(writeTerminalSettings(read))).not.toHaveProperty('lineEnding');
  });

  it('take over the width of a tool that an earlier version kept, if it is the only one', () => {
    const read = (kept: object) => readTerminalSettings(JSON.stringify({ version: 1, ...kept })).dockWidth;
    expect(read({ toolWidths: { plot: 610 } })).toBe(610);
    expect(read({ toolWidths: { plot: 610, rules: 352 } })).toBeNull();
    expect(read({ toolWidths: { plot: 'wide' } })).toBeNull();
    expect(read({ toolWidths: { plot: 610 }, dockWidth: 480 })).toBe(480);
    expect(read({ toolWidths: { plot: 610 }, dockWidth: null })).toBeNull();
  });

  it('lose only the values that are wrong', () => {
    const text = JSON.stringify({
      version: 1,
      layout: 'hex',
      rowHeight: 21,
      ports: { 2: { name: 'GNSS', settings: { baudRate: 38_400, dataBits: 9, parity: 'odd' } } },
    });
    const read = readTerminalSettings(text);
    expect(read.layout).toBe('hex');
    expect(read.rowHeight).toBe(25);
    expect(read.ports[2]).toEqual({
      ...defaultTerminalSettings.ports[2],
      name: 'GNSS',
      settings: { baudRate: 38_400, dataBits: 8, stopBits: 1, parity: 'odd', flowControl: 'none' },
    });
    expect(read.ports[1]).toEqual(defaultTerminalSettings.ports[1]);
  });

  it('never take a baud rate that no port can be opened with', () => {
    for (const baudRate of [0, -1, 1.5, 2 ** 32, '9600', null]) {
      const text = JSON.stringify({ version: 1, ports: { 1: { settings: { baudRate } } } });
      expect(readTerminalSettings(text).ports[1].settings.baudRate).toBe(115_200);
    }
  });

  it('survive whatever else stands in the storage', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(Object.keys(readTerminalSettings(text))).toEqual(Object.keys(defaultTerminalSettings));
      }),
    );
  });
});
