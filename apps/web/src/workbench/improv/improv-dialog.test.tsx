import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImprovAnswer, ImprovJob } from '../../protocol/bench/improv-part.ts';
import { benchStatus } from '../bench-status.ts';
import { fakeBench } from '../testing/fake-bench.ts';
import { ImprovDialog } from './improv-dialog.tsx';

const improvJob = vi.fn();
const bench = fakeBench(async (name, ...args) => (name === 'improvJob' ? improvJob(...args) : undefined));

const utf8 = (text: string) => new TextEncoder().encode(text);
const network = (name: string, signal: number, isLocked: boolean) => ({
  name,
  bytes: utf8(name),
  signal,
  isLocked,
  protection: '',
});
const nothing: ImprovAnswer = {
  information: null,
  state: null,
  address: '',
  networks: [],
  isWhole: true,
  failure: null,
};
const networks = [network('bench-lab', -48, true), network('guests', -71, false)];
const failed = (code: 'no-answer' | 'unable-to-connect' | 'unknown-command', message: string): ImprovAnswer => ({
  ...nothing,
  failure: { code, message },
});

let jobs: ImprovJob[] = [];
/** Answers by kind of job, used one after the other; the last one stays. */
let answers: Partial<Record<ImprovJob['kind'], (ImprovAnswer | Promise<ImprovAnswer>)[]>> = {};

function connected(): void {
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[1], state: 'connected' as const, connectedAt: 5 };
  benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 1: port } } });
}

const closed = vi.fn();
const show = (isOffered = false) => render(<ImprovDialog port={1} isOffered={isOffered} onClose={closed} />);
const sent = () => {
  const last = jobs.findLast((job) => job.kind === 'connect');
  return last?.kind === 'connect' ? [last.name, last.password].map((bytes) => new TextDecoder().decode(bytes)) : null;
};

beforeEach(() => {
  jobs = [];
  answers = { ask: [nothing], scan: [{ ...nothing, networks }] };
  bench.mockClear();
  improvJob.mockImplementation(async (_port: number, job: ImprovJob) => {
    jobs.push(job);
    const list = answers[job.kind] ?? [];
    return (list.length > 1 ? list.shift() : list[0]) ?? nothing;
  });
  connected();
});
afterEach(() => {
  cleanup();
  closed.mockReset();
  localStorage.clear();
});

describe('the dialog that sets up Wi-Fi', () => {
  it('asks, lists networks with signal and lock, and sends the chosen one with its password', async () => {
    answers.connect = [{ ...nothing, address: 'http://192.168.1.40' }];
    show();
    const group = await screen.findByRole('group', { name: 'Networks that the board sees' });
    expect(
      within(group)
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent),
    ).toEqual(['bench-lab−48 dBm', 'guestsopen−71 dBm', 'Other network…']);
    fireEvent.click(within(group).getByRole('radio', { name: /bench-lab\s*needs a password/ }));
    fireEvent.change(await screen.findByLabelText('Password of bench-lab'), { target: { value: 'correct horse' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    const link = await screen.findByRole('link', { name: 'Open the board’s page' });
    expect([link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('target')]).toEqual([
      'http://192.168.1.40/',
      'noopener noreferrer',
      '_blank',
    ]);
    expect(document.activeElement).toBe(link);
    expect(sent()).toEqual(['bench-lab', 'correct horse']);
    expect(jobs.map(({ kind }) => kind)).toEqual(['ask', 'scan', 'connect']);
  });

  it('keeps the network and the password after a failure, and says what the board said', async () => {
    answers.connect = [failed('unable-to-connect', 'The board could not connect.'), { ...nothing, address: '' }];
    show();
    fireEvent.click(await screen.findByRole('radio', { name: /bench-lab/ }));
    fireEvent.change(screen.getByLabelText('Password of bench-lab'), { target: { value: 'wrong horse' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('The board could not connect.')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Password of bench-lab').value).toBe('wrong horse');
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText('It sent no address of a page.')).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('shows the password only while its eye is pressed', async () => {
    show();
    fireEvent.click(await screen.findByRole('radio', { name: /bench-lab/ }));
    const field = screen.getByLabelText<HTMLInputElement>('Password of bench-lab');
    expect(field.type).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Show the password' }));
    expect(field.type).toBe('text');
    fireEvent.click(screen.getByRole('button', { name: 'Hide the password' }));
    expect(field.type).toBe('password');
  });

  it('sends an open network without a password, and a network by its name', async () => {
    answers.connect = [failed('no-answer', 'No answer.')];
    show();
    fireEvent.click(await screen.findByRole('radio', { name: /guests/ }));
    expect(screen.queryByLabelText(/^Password/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await screen.findByText('Not connected.');
    expect(sent()).toEqual(['guests', '']);
    fireEvent.click(screen.getByRole('radio', { name: 'Other network…' }));
    fireEvent.change(screen.getByLabelText('Name of the network'), { target: { value: 'hidden one' } });
    fireEvent.change(screen.getByLabelText('Password of hidden one'), { target: { value: 'secret99' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(sent()).toEqual(['hidden one', 'secret99']));
  });

  it('refuses what no network has, at its field', async () => {
    show();
    await screen.findByRole('radio', { name: /guests/ });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByText('Choose a network.')).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: /bench-lab/ }));
    fireEvent.change(screen.getByLabelText('Password of bench-lab'), { target: { value: 'abcd' } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByText(/at least 8 characters/)).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Password of bench-lab'));
    fireEvent.click(screen.getByRole('radio', { name: 'Other network…' }));
    fireEvent.change(screen.getByLabelText('Name of the network'), { target: { value: 'ä'.repeat(17) } });
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(screen.getByText('The name of a network has at most 32 bytes.')).toBeDefined();
    expect(jobs.filter(({ kind }) => kind === 'connect')).toHaveLength(0);
  });

  it('asks for the name when the board lists no networks', async () => {
    answers.scan = [failed('unknown-command', 'Unknown.')];
    show();
    expect(await screen.findByText('This board does not list networks. Enter the name of yours.')).toBeDefined();
    expect(screen.getByLabelText('Name of the network')).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('looks again, and says when the list is not whole', async () => {
    answers.scan = [
      { ...nothing, networks: [] },
      { ...nothing, networks, isWhole: false },
    ];
    show();
    expect(await screen.findByText('The board sees no network. Enter the name of yours.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Look again' }));
    expect(await screen.findByText(/Networks may be missing/)).toBeDefined();
    expect(screen.getByRole('radio', { name: /guests/ })).toBeDefined();
  });

  it('says that a board does not answer, and asks again', async () => {
    answers.ask = [failed('no-answer', 'The board did not answer.'), nothing];
    show();
    expect((await screen.findByRole('alert')).textContent).toContain('The board did not answer.');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('radio', { name: /bench-lab/ })).toBeDefined();
  });

  it('stops an attempt to connect, but not by a double click', async () => {
    const waiting = Promise.withResolvers<ImprovAnswer>();
    answers.connect = [waiting.promise];
    show();
    fireEvent.click(await screen.findByRole('radio', { name: /guests/ }));
    const press = (name: string, at: number) => {
      const event = new MouseEvent('click', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: at });
      fireEvent(screen.getByRole('button', { name }), event);
    };
    press('Connect', 1_000);
    await screen.findByRole('button', { name: 'Stop' });
    press('Stop', 1_300);
    expect(bench).not.toHaveBeenCalledWith('endWait', expect.anything());
    press('Stop', 1_700);
    expect(bench).toHaveBeenLastCalledWith('endWait', improvJob.mock.lastCall?.[2]);
    expect(document.activeElement?.textContent).not.toBe('Not now');
    await act(async () => waiting.resolve(failed('unable-to-connect', 'Stopped.')));
    expect(screen.getByRole('button', { name: 'Connect' })).toBeDefined();
  });

  it('remembers Not now for this board only if it was offered', async () => {
    const { unmount } = show();
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    expect(localStorage.length).toBe(0);
    unmount();
    show(true);
    fireEvent.click(await screen.findByRole('button', { name: 'Not now' }));
    expect(localStorage.getItem('wirebench.improv-not-now')).toBe('["none:none:1"]');
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it('shows no link for an address that is no web page', async () => {
    answers.connect = [{ ...nothing, address: 'javascript:alert(1)' }];
    show();
    fireEvent.click(await screen.findByRole('radio', { name: /guests/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Connect' }));
    expect(await screen.findByText(/not one of a web page: javascript:alert\(1\)/)).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });
});
