/** The examples of the documentation are what they say. */
import { cleanup, render, screen } from '@testing-library/react';
import { firmwareFormatOf, JkitContent, NewBuild } from '@wirebench/contract';
import { checkChip } from '@wirebench/contract/chips';
import { describedChip } from '@wirebench/lab/chip-jkit';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { DocsPage } from './docs-page.tsx';
import { chipSample } from './esp32/chips.tsx';
import { esp32Document } from './esp32/esp32-document.ts';
import { flasherDocument } from './flasher/flasher-document.ts';
import { buildsSample, publishBuilds } from './releases/how-to.tsx';
import { releasesDocument } from './releases/releases-document.ts';
import { branchSample, jkitSample, runSample } from './terminal/ports.tsx';
import { terminalDocument } from './terminal/terminal-document.ts';

afterEach(cleanup);

it.each([
  ['jkit.json', jkitSample],
  ['modem-check.json', runSample],
  ['unlock.json', branchSample],
])('%s is a JKit', (_name, text) => {
  expect(() => JkitContent.parse(JSON.parse(text))).not.toThrow();
});

it('builds.json is what the server takes, and refers to each file of its upload', () => {
  const builds = (JSON.parse(buildsSample) as unknown[]).map((build) => NewBuild.parse(build));
  const names = [...publishBuilds.matchAll(/files=@(\S+)/g)].map(([, name = '']) => name);
  const indices = builds.flatMap(({ files }) => files.map(({ index }) => index));
  expect(indices).toEqual(names.map((_name, index) => index));
  for (const { index, offset } of builds.flatMap(({ files }) => files)) {
    expect(offset === undefined).toBe(firmwareFormatOf(names[index] ?? '') !== 'bin');
  }
});

it('tmp105.json describes a chip without a fault, and reads its temperature', () => {
  const { content, faults } = checkChip(chipSample);
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
])('all snippets of the %s guide put the parts of one chip at the same offsets', (_name, document) => {
  show(document);
  const snippets = [...globalThis.document.querySelectorAll('pre')].map(({ textContent }) => textContent ?? '');
  for (const snippet of snippets.filter((text) => text.includes('bootloader.bin'))) {
    expect(snippet.match(/0x[\da-f]+/gi)).toEqual(['0x1000', '0x8000', '0x10000']);
  }
});

function show(document: typeof terminalDocument): void {
  render(
    <MemoryRouter>
      <DocsPage path="/" document={document} />
    </MemoryRouter>,
  );
}
