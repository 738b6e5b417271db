import { createHash, webcrypto } from 'node:crypto';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BoardJob } from '../../../../protocol/bench/board-files-part.ts';
import type { ManifestTaskFault, ManifestTaskMessage } from '../../../../protocol/manifest-protocol.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { BoardPackageDialog } from './board-package-dialog.tsx';
import type { BoardView } from './board-store.ts';

/** Answers of the worker that loads files from other hosts, one for each task. */
const answers: ManifestTaskMessage[] = [];

class Loader extends EventTarget {
  postMessage(): void {
    const data = answers.shift();
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
  }

  terminate = () => undefined;
}

const call = fakeBench(async () => ({ tree: null, files: [], written: [], removedFirst: [], failure: null }));
/** The files of each job that writes to the board, with the port. */
const writes = () =>
  call.mock.calls.flatMap(([name, port, job]) => {
    const { kind, files } = (job ?? {}) as Partial<Extract<BoardJob, { kind: 'write' }>>;
    return name === 'boardJob' && kind === 'write' ? [{ port, paths: files?.map(({ path }) => path) }] : [];
  });

vi.stubGlobal('Worker', Loader);
// Pages with Web Serial have it, and the simulated document does not.
vi.stubGlobal('crypto', webcrypto);

const entries = [{ path: '/lib/one.py', isFolder: false, size: 1 }];
const view = {
  tree: { system: '', entries, space: null, canHash: true },
} as unknown as BoardView;

async function lookUp(name: string): Promise<() => void> {
  const closed = vi.fn();
  render(<BoardPackageDialog port={1} view={view} open onClose={closed} />);
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: name } });
  fireEvent.click(screen.getByRole('button', { name: 'Look up' }));
  return closed;
}

afterEach(() => {
  cleanup();
  answers.length = 0;
  call.mockClear();
});

describe('installing a package', () => {
  it('shows the files before it writes them, and which replace others', async () => {
    const hash = createHash('sha256').update('1').digest('hex').slice(0, 8);
    const hashes = [
      ['one.py', hash],
      ['two.py', hash],
    ];
    answers.push(
      { contents: [new Blob([JSON.stringify({ v: 1, version: '1.0', hashes })])] },
      { contents: [new Blob(['1']), new Blob(['1'])] },
    );
    const closed = await lookUp('one');
    const files = await screen.findByRole('list', { name: 'Files of the package' });
    expect(files.textContent).toContain('/lib/one.py, 1 B, replaces the one on the board');
    expect(writes()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Write 2 files' }));
    expect(closed).toHaveBeenCalledOnce();
    expect(writes()).toEqual([{ port: 1, paths: ['/lib/one.py', '/lib/two.py'] }]);
  });

  it.each<[ManifestTaskFault['code'], string]>([
    ['refused-by-server', 'micropython-lib has no such package, or not in this version. micropython.org answered 404.'],
    ['no-cors', 'micropython.org answered 404. Ask the administrator.'],
  ])('says why the host refuses: %s', async (code, sentence) => {
    answers.push({ fault: { code, what: 'micropython.org answered 404.', remedy: 'Ask the administrator.' } });
    await lookUp('one');
    await waitFor(() => expect(screen.getByText(sentence)).toBeDefined());
    expect(screen.getByRole('button', { name: 'Write' }).hasAttribute('disabled')).toBe(true);
  });
});
