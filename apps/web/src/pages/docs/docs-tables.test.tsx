import { cleanup, render, screen, within } from '@testing-library/react';
import { BuildGuards, NewBuild } from '@wirebench/contract';
import { checkChip } from '@wirebench/contract/chips';
import { guidanceTopics } from '@wirebench/contract/constants';
import { labFailureText } from '@wirebench/lab';
import { logPrograms } from '@wirebench/serial/opened-log';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { DocsSections } from './docs-sections.tsx';
import { esp32Document } from './esp32/esp32-document.ts';
import { flasherDocument } from './flasher/flasher-document.ts';
import { releasesDocument } from './releases/releases-document.ts';
import { terminalDocument } from './terminal/terminal-document.ts';

afterEach(cleanup);

function show(document: typeof flasherDocument): void {
  render(
    <MemoryRouter>
      <DocsSections document={document} />
    </MemoryRouter>,
  );
}

/** The cells of each row of a table. */
function rowsOf(label: string): string[][] {
  const [, ...rows] = within(screen.getByRole('region', { name: label })).getAllByRole('row');
  return rows.map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent ?? ''));
}

/** Programs in the title of a kind of log: "minicom or Tera Term", "ts -i, time since the previous line". */
const programsIn = (title: string) =>
  title
    .split(/, (?=time|dates|seconds|once|elapsed|with|CSV)/)[0]
    ?.split(/, | or /)
    .map((name) => name.replace(/ (?:-\w|\d)$/, '')) ?? [];

/** Forms of dates that no program has to itself. */
const formsAlone = [
  'ISO 8601',
  'RFC 3339',
  'Seconds since 1970',
  'Day',
  'Month',
  'month',
  'day',
  'year',
  '12-hour clock',
];

describe('the paragraph about logs in the terminal documentation', () => {
  it('names every program whose logs are recognised', () => {
    show(terminalDocument);
    const paragraph = screen.getByText(/are recognised by their first lines/).textContent;
    const programs = Object.values(logPrograms).flatMap(({ title }) => programsIn(title));
    const named = [...new Set(programs)].filter((name) => !formsAlone.includes(name));
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((name) => !paragraph.includes(name))).toEqual([]);
  });
});

describe('tables of the flasher documentation', () => {
  it('name every chip and USB bridge that is supported', () => {
    show(flasherDocument);
    const chips = rowsOf('Supported chips').map(([name]) => name);
    expect(chips).toEqual(
      expect.arrayContaining(['ESP32', 'ESP32-S2', 'ESP32-S3', 'ESP32-C3', 'ESP32-C6', 'ESP32-H2', 'ESP8266']),
    );
    const devices = screen.getByRole('heading', { name: /^Supported devices/ }).closest('section')?.textContent ?? '';
    for (const name of ['ESP8285', 'CP210x', 'CH340', 'CH341', 'FTDI FT232', 'CH9102']) {
      expect(devices).toContain(name);
    }
  });

  it('have every choice of the flash settings', () => {
    show(flasherDocument);
    const settings = Object.fromEntries(rowsOf('Flash settings'));
    expect(settings['Mode']).toBe('DIO, DOUT, QIO, QOUT');
    expect(settings['Frequency']).toContain('20, 26, 40, 80 MHz');
    expect(settings['Size']).toContain('1 MB, 2 MB, 4 MB, 8 MB, 16 MB');
  });

  it('have the usual layouts of ESP32 and ESP8266', () => {
    show(flasherDocument);
    const [bootloader = [], ...others] = rowsOf('Layout of the ESP32 family');
    expect(bootloader.slice(0, 2)).toEqual(['Bootloader', '0x1000 on ESP32']);
    expect(others.map(([name, at]) => [name, at])).toEqual([
      ['Partition table', '0x8000'],
      ['Application', '0x10000'],
      ['Data', 'from 0x110000'],
    ]);
    expect(rowsOf('Layout of the ESP8266').map(([name, at]) => [name, at])).toEqual([
      ['Application', '0x0'],
      ['Data', 'from 0x300000'],
    ]);
  });

  it('the fifteen guidance topics have their headings', () => {
    show(flasherDocument);
    const specified =
      'connection timeout, permission denied, device not found, port access denied, flash write failed, verification failed, invalid address, file too large, wrong chip type, flash size mismatch, boot mode required, brown-out reset, serial access blocked, extension conflicts, memory errors';
    expect(Object.values(guidanceTopics).map((title) => title.toLowerCase())).toEqual(specified.split(', '));
    for (const title of Object.values(guidanceTopics)) {
      const section = screen.getByRole('heading', { level: 2, name: new RegExp(`^${title}`) }).closest('section');
      expect(section?.querySelectorAll('ol li').length).toBeGreaterThan(2);
    }
  });
});

it('the shortcuts of the terminal are documented as they act', () => {
  show(terminalDocument);
  expect(rowsOf('Keyboard shortcuts').slice(0, 4)).toEqual([
    ['Shift+H', 'switch between text and hex'],
    ['Shift+A', 'follow the newest lines'],
    ['Shift+C', 'clear the log'],
    ['Shift+X', 'save the log as text'],
  ]);
});

it('both kinds of release links are documented', () => {
  show(releasesDocument);
  expect(rowsOf('Types of release links').map(([name]) => name)).toEqual(['Project link', 'Version link']);
});

it.each([
  ['Fields of a build', NewBuild],
  ['Guards of a build', BuildGuards],
])('%s are those of the API', (label, schema) => {
  show(releasesDocument);
  expect(rowsOf(label).map(([name]) => name)).toEqual(Object.keys(schema.shape));
});

describe('tables of the ESP32 bench', () => {
  it.each([
    ['Fields of a description', (entry: object) => entry],
    ['Fields of a register', (entry: object) => ({ registers: [entry] })],
    ['Fields of a reading', (entry: object) => ({ registers: [{ name: 'raw', address: 0 }], readings: [entry] })],
  ])('%s has only what the check of descriptions knows', (label, within) => {
    show(esp32Document);
    const unknown = (name: string) =>
      checkChip(JSON.stringify(within({ [name]: null }))).faults.some((fault) => fault.includes('unknown entry'));
    expect(unknown('colour')).toBe(true);
    const names = rowsOf(label).map(([name = '']) => name);
    expect(names.length).toBeGreaterThan(7);
    expect(names.filter(unknown)).toEqual([]);
  });

  it('have a row for each failure of the bench', () => {
    show(esp32Document);
    expect(rowsOf('Failures of the bench').map(([code]) => code)).toEqual(Object.keys(labFailureText));
  });
});
