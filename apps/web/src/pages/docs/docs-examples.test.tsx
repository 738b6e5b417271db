/** The examples of the documentation are what they say. */
import { cleanup, render, screen } from '@testing-library/react';
import { JkitContent } from '@wirebench/contract';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { DocsPage } from './docs-page.tsx';
import { flasherDocument } from './flasher/flasher-document.ts';
import { releasesDocument } from './releases/releases-document.ts';
import { jkitSample, runSample } from './terminal/ports.tsx';
import { terminalDocument } from './terminal/terminal-document.ts';

afterEach(cleanup);

it.each([
  ['jkit.json', jkitSample],
  ['modem-check.json', runSample],
])('%s is a JKit', (_name, text) => {
  expect(() => JkitContent.parse(JSON.parse(text))).not.toThrow();
});

it('the table of the fields of a message has all that a JKit understands', () => {
  show(terminalDocument);
  const table = screen.getByRole('region', { name: 'Fields of a message' });
  const names = [...table.querySelectorAll('tbody th')].map(({ textContent }) => textContent);
  expect(names).toEqual(['content', 'type', 'expect', 'timeoutMs', 'delayMs', 'repeat']);
});

it.each([
  ['terminal', terminalDocument],
  ['flasher', flasherDocument],
  ['releases', releasesDocument],
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
