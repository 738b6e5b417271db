/** The examples of the documentation are what they say. */

import { cleanup, render, screen } from '@testing-library/react';
import { boardsOf, families, familyIds, modelName, modelsOf } from '@wirebench/boards';
import { buildLimits, firmwareEndings, firmwareFormatOf, JkitContent, NewBuild } from '@wirebench/contract';
import { checkChip } from '@wirebench/contract/chips';
import { describedChip } from '@wirebench/lab/chip-jkit';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { type DocsDocument, sectionsOf, withValues } from './docs-model.ts';
import { DocsSections } from './docs-sections.tsx';
import { esp32Document } from './esp32/esp32-document.ts';
import { flasherDocument } from './flasher/flasher-document.ts';
import { programsDocument } from './programs/programs-document.ts';
import { releasesDocument } from './releases/releases-document.ts';
import { terminalDocument } from './terminal/terminal-document.ts';

afterEach(cleanup);

/** A sample of code by its name, as a reader copies it. */
function sample(document: DocsDocument, name: string): string {
  for (const node of sectionsOf(document).flatMap(({ body }) => body)) {
    if (node[0] === 'pre' && node[1] === name) {
      return withValues(node[2], document.values);
    }
  }
  throw new RangeError(`No sample is called ${name}.`);
}

it.each(['jkit.json', 'modem-check.json', 'unlock.json'])('%s is a JKit', (name) => {
  expect(() => JkitContent.parse(JSON.parse(sample(terminalDocument, name)))).not.toThrow();
});

it('builds.json is what the server takes, and refers to each file of its upload', () => {
  const builds = (JSON.parse(sample(releasesDocument, 'builds.json')) as unknown[]).map((build) =>
    NewBuild.parse(build),
  );
  const names = [...sample(releasesDocument, 'upload-builds.sh').matchAll(/files=@(\S+)/g)].map(
    ([, name = '']) => name,
  );
  const indices = builds.flatMap(({ files }) => files.map(({ index }) => index));
  expect(indices).toEqual(names.map((_name, index) => index));
  for (const { index, offset } of builds.flatMap(({ files }) => files)) {
    expect(offset === undefined).toBe(firmwareFormatOf(names[index] ?? '') !== 'bin');
  }
});

it('tmp105.json describes a chip without a fault, and reads its temperature', () => {
  const { content, faults } = checkChip(sample(esp32Document, 'tmp105.json'));
  expect(faults).toEqual([]);
  if (content === null) {
    throw new Error('There is no description.');
  }
  const chip = describedChip(content, 0x48);
  expect(chip.initialise.map(({ write }) => [...write])).toEqual([[0x01, 0x60]]);
  const cycle = chip.cycle(chip.calibrate.value([]));
  // The data sheet's examples (SLLS648D, table 5): 25 °C and −0.25 °C.
  expect(cycle.value([Uint8Array.of(0x19, 0x00)])).toMatchObject([{ value: 25 }]);
  expect(cycle.value([Uint8Array.of(0xff, 0xc0)])).toMatchObject([{ value: -0.25 }]);
});

it('the table of the fields of a message has all that a JKit understands', () => {
  show(terminalDocument);
  const table = screen.getByRole('region', { name: 'Fields of a message' });
  const names = [...table.querySelectorAll('tbody th')].map(({ textContent }) => textContent);
  expect(names).toEqual([
    'content',
    'type',
    'label',
    'hidden',
    'expect',
    'file',
    'timeoutMs',
    'delayMs',
    'repeat',
    'flow',
  ]);
});

it.each([
  ['terminal', terminalDocument],
  ['flasher', flasherDocument],
  ['releases', releasesDocument],
  ['esp32', esp32Document],
  ['programs', programsDocument],
])('all snippets of the %s guide put the parts of one chip at the same offsets', (_name, document) => {
  show(document);
  const snippets = [...globalThis.document.querySelectorAll('pre')].map(({ textContent }) => textContent ?? '');
  for (const snippet of snippets.filter((text) => text.includes('bootloader.bin'))) {
    expect(snippet.match(/0x[\da-f]+/gi)).toEqual(['0x1000', '0x8000', '0x10000']);
  }
});

it('the release guide names every format, every family and the limits of a build', () => {
  show(releasesDocument);
  const text = document.body.textContent ?? '';
  for (const ending of Object.values(firmwareEndings).flat()) {
    expect(text).toContain(ending);
  }
  expect(text).toContain(`${familyIds.slice(0, -1).join(', ')}, or ${familyIds.at(-1)}`);
  expect(text).toContain(`A build has up to ${buildLimits.files} files`);
  expect(text).not.toMatch(/Convert Intel HEX|files are plain binaries/i);
});

it.each(familyIds)('the flasher guide leads to the flasher of %s by its name', (family) => {
  show(flasherDocument);
  const { name, page } = families[family];
  const links = [...document.querySelectorAll('a')].filter((link) => link.getAttribute('href') === page);
  expect(links.map(({ textContent }) => textContent)).toContainEqual(expect.stringContaining(`${name} flasher`));
});

it('the flasher guide has a row with each board of a family', () => {
  show(flasherDocument);
  const table = screen.getByRole('region', { name: 'Arduino boards and their bootloaders' });
  const shown = [...table.querySelectorAll('tbody tr')].flatMap(
    (row) => row.firstElementChild?.textContent?.split(',').map((name) => name.trim()) ?? [],
  );
  for (const board of familyIds.flatMap(boardsOf)) {
    const name = modelName(board).replace(/^Arduino /, '');
    expect(
      shown.some((text) => text === name || text.startsWith(`${name} `)),
      name,
    ).toBe(true);
  }
});

it('the release guide has a row for each family with all its models', () => {
  show(releasesDocument);
  const table = screen.getByRole('region', { name: 'Devices that a project can target' });
  const rows = [...table.querySelectorAll('tbody tr')].map(({ children }) =>
    [...children].map(({ textContent }) => textContent ?? ''),
  );
  expect(rows.map(([family]) => family)).toEqual(
    familyIds.map((id) => `${families[id].name}${families[id].experimental ? ' (experimental)' : ''}`),
  );
  for (const [index, family] of familyIds.entries()) {
    const [, usual = '', more = ''] = rows[index] ?? [];
    const models = [usual, more].filter((text) => text !== '').flatMap((text) => text.split(', '));
    expect(models).toEqual(modelsOf(family).map(modelName));
  }
});

function show(document: typeof terminalDocument): void {
  render(
    <MemoryRouter>
      <DocsSections document={document} />
    </MemoryRouter>,
  );
}
