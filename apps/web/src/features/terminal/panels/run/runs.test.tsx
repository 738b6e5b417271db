import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type MessageFlow, plainFlow } from '@wirebench/runs';
import { type ExchangeOutcome, newRule, type Rule } from '@wirebench/serial';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../../../../shared/testing/stores.ts';
import { CallError } from '../../../../workbench/bench-client.ts';
import { PanelsPane } from '../panels-pane.tsx';
import { changePanels, panelsNow } from '../store/panels-store.ts';
import {
  notices as allNotices,
  ascii,
  beat,
  call,
  checks,
  onePanel,
  outcomes,
  pauses,
  sent,
  showTime,
  type TestMessage,
  transfers,
} from '../testing/panel-rig.ts';

const show = (...messages: TestMessage[]) => {
  onePanel(...messages);
  render(<PanelsPane onShowTime={showTime} />);
};
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const said = () => screen.getAllByRole('status').at(-1)?.textContent?.trim();
/** Verdicts that are shown, one for each panel that has one. */
const verdict = () =>
  screen
    .getAllByRole('status')
    .slice(0, -1)
    .map(({ textContent }) => withoutTime(textContent))
    .filter(Boolean);
/** A text with the time of a run in it, as `withoutTime` leaves it. */
const timed = (before: string, after = '') => `${before}t s${after}`;
const withoutTime = (text: unknown) => String(text).replace(/(?<= · )\d+\.\d\d s/, 't s');
const notices = () => allNotices().map(([level, text]) => [level, withoutTime(text)]);
const settle = async () => {
  await act(() => vi.dynamicImportSettled());
  await act(() => Promise.resolve());
};

afterEach(cleanup);

describe('one message', () => {
  it('is sent with one press, and reported', async () => {
    show(ascii('help'));
    await click('Send help');
    await click('Send help');
    expect(sent()).toEqual([
      [1, 'help\n'],
      [1, 'help\n'],
    ]);
    expect(said()).toBe('"help" sent to Port 1');
  });

  it('shows the delay of its answer if it waits for one', async () => {
    show({ ...ascii('AT'), expect: ascii('OK'), repeat: 5 });
    await click('Send AT');
    await settle();
    expect(sent()).toEqual([[1, 'AT\n', 'OK']]);
    expect(screen.getByText('12 ms')).toBeDefined();
    expect(said()).toBe('Answer received');
    expect(notices()).toEqual([]);
  });

  it('without an answer says so in its row and on the timeline', async () => {
    show({ ...ascii('AT'), expect: ascii('OK'), timeoutMs: 300 });
    outcomes.push({ kind: 'no-answer' });
    await click('Send AT');
    await settle();
    expect(screen.getByText('No answer')).toBeDefined();
    expect(notices()).toEqual([['warning', 'Panel 1: no answer to "AT" within 300 ms.']]);
  });

  it('is waited for until it is stopped', async () => {
    show({ ...ascii('AT'), expect: ascii('OK') });
    const outcome = Promise.withResolvers<Pick<ExchangeOutcome, 'kind'>>();
    outcomes.push(outcome.promise);
    await click('Send AT');
    await click('Stop AT');
    expect(call).toHaveBeenCalledWith('endWait', call.mock.calls.find(([name]) => name === 'exchange')?.[3]);
    outcome.resolve({ kind: 'cancelled' });
    await settle();
    expect(said()).toBe('Stopped waiting for the answer');
    expect(screen.getByRole('button', { name: 'Send AT' })).toBeDefined();
  });

  it('shows in its panel why the bench refused it', async () => {
    show(ascii('help'));
    call.mockImplementationOnce(() =>
      Promise.reject(new CallError({ name: 'SessionError', message: 'Port 1 is not connected', code: null })),
    );
    await click('Send help');
    expect(screen.getByText('Port 1 is not connected')).toBeDefined();
  });
});

describe('all messages', () => {
  it('are sent in order, as often as they say, each after the answer to the one before', async () => {
    show({ ...ascii('AT'), expect: ascii('OK') }, { ...ascii('beep'), repeat: 2, delayMs: 50 }, ascii('end'));
    await click('Run Panel 1');
    await settle();
    expect(sent()).toEqual([
      [1, 'AT\n', 'OK'],
      [1, 'beep\n'],
      [1, 'beep\n'],
      [1, 'end\n'],
    ]);
    expect(call.mock.calls.filter(([name]) => name === 'pause').map(([, duration]) => duration)).toEqual([50, 50]);
    expect(notices()).toEqual([['info', timed('Panel 1: PASSED, 1 of 1 checks · ')]]);
  });

  it('stop where an answer stays away', async () => {
    show(ascii('a'), { ...ascii('b'), expect: ascii('OK'), timeoutMs: 300 }, ascii('c'));
    outcomes.push({ kind: 'no-answer' });
    await click('Run Panel 1');
    await settle();
    expect(sent()).toHaveLength(2);
    expect(notices()).toEqual([
      [
        'warning',
        timed(
          'Panel 1: FAILED, 0 of 1 checks · ',
          '. Port 1: no answer to "b" within 300 ms: awaited "OK"; nothing came.',
        ),
      ],
    ]);
  });

  it('are not sent while one has a key that this version does not know, and the key is named', async () => {
    show(ascii('a'), { ...ascii('AT'), others: { flow: { answers: [{ text: 'OK' }], loop: 4 } } });
    await click('Run Panel 1');
    await click('Send AT');
    await settle();
    expect(sent()).toEqual([]);
    expect(screen.getByText(/"AT": this version cannot read its "flow.loop", so nothing is sent/)).toBeDefined();
  });

  it('stop when the port is closed', async () => {
    show({ ...ascii('a'), expect: ascii('OK') }, ascii('b'));
    outcomes.push({ kind: 'closed' });
    await click('Run Panel 1');
    await settle();
    expect(notices()).toEqual([
      [
        'warning',
        timed(
          'Panel 1: FAILED, 0 of 1 checks · ',
          '. Port 1: Port 1 was closed before "a" was answered: awaited "OK"; nothing came.',
        ),
      ],
    ]);
    expect(screen.getByText('Port closed')).toBeDefined();
  });

  it('stop on request, when the target changes, and when the panel is removed', async () => {
    const ways = [
      () => click('Stop the run of Panel 1'),
      async () => {
        changePanels(({ panels }) => ({ panels: panels.map((panel) => ({ ...panel, pinnedTargetPort: -1 })) }));
      },
      async () => changePanels({ panels: [] }),
    ];
    for (const stop of ways) {
      show({ ...ascii('a'), delayMs: 1_000 }, ascii('b'));
      const pause = Promise.withResolvers<void>();
      pauses.push(pause.promise);
      await click('Run Panel 1');
      expect(screen.getByText(/^Command 1 of 2/)).toBeDefined();
      await act(stop);
      expect(call.mock.calls.filter(([name]) => name === 'endWait')).toHaveLength(1);
      pause.resolve();
      await settle();
      expect(sent()).toHaveLength(1);
      const kept = panelsNow().panels.length > 0;
      expect(verdict()).toEqual(kept ? [timed('STOPPED after 1 command · ')] : []);
      expect(notices()).toEqual([]);
      cleanup();
    }
  });

  it('are not begun with one that cannot be sent', async () => {
    show(ascii('a'), { content: 'B5 6', type: 'hex' });
    await click('Run Panel 1');
    expect(sent()).toEqual([]);
    expect(screen.getByText('"B5 6": Hex string must have even number of characters')).toBeDefined();
  });
});

describe('a run that rules decide', () => {
  const noPanic = newRule({
    id: 'panic',
    name: 'No panic',
    must: 'not-fire',
    condition: { kind: 'line', find: 'panic', matchCase: false },
  });
  const showWith = (rule: Partial<Rule>, ...messages: TestMessage[]) => {
    show(...messages);
    act(() =>
      changePanels(({ panels }) => ({
        panels: panels.map((panel) => ({ ...panel, rules: [{ ...noPanic, ...rule }] })),
      })),
    );
  };
  const opened = () => call.mock.calls.filter(([name]) => name === 'openChecks').map(([, ...args]) => args);

  it('passes when they are kept, and says so', async () => {
    showWith({}, ascii('a'), ascii('b'));
    checks.verdicts = [{ name: 'No panic', after: null, fault: null }];
    await click('Run Panel 1');
    await settle();
    expect(opened()).toEqual([
      [1, [{ name: 'No panic', must: 'not-fire', condition: noPanic.condition }], expect.any(Number)],
    ]);
    expect(notices()).toEqual([['info', timed('Panel 1: PASSED, 1 of 1 checks · ')]]);
  });

  it('ends with a rule that must not fire', async () => {
    showWith({}, { ...ascii('a'), delayMs: 1_000 }, ascii('b'));
    checks.verdicts = [{ name: 'No panic', after: 812, fault: 'the rule "No panic" fired after 0.812 s: panic' }];
    const pause = Promise.withResolvers<void>();
    pauses.push(pause.promise);
    await click('Run Panel 1');
    await act(async () => checks.broken.resolve());
    pause.resolve();
    await settle();
    expect(sent()).toHaveLength(1);
    expect(notices()).toEqual([
      [
        'warning',
        timed('Panel 1: FAILED, 0 of 1 checks · ', '. Port 1: the rule "No panic" fired after 0.812 s: panic.'),
      ],
    ]);
  });

  it('fails by a rule that did not fire, although every answer came', async () => {
    showWith({ must: 'fire' }, { ...ascii('a'), expect: ascii('OK') });
    checks.verdicts = [{ name: 'No panic', after: null, fault: 'the rule "No panic" did not fire' }];
    await click('Run Panel 1');
    await settle();
    expect(notices()).toEqual([
      ['warning', timed('Panel 1: FAILED, 1 of 2 checks · ', '. Port 1: the rule "No panic" did not fire.')],
    ]);
  });

  it('is not begun with a check that this version cannot read', async () => {
    showWith({ must: null, others: { rule: { must: 'maybe' }, when: {}, do: {} } }, ascii('a'));
    await click('Run Panel 1');
    await settle();
    expect(sent()).toEqual([]);
    expect(screen.getByText(/^Rule "No panic": must: it is "fire" or "not-fire"\./)).toBeDefined();
  });

  it('ends the watch of its rules when the bench refuses a message', async () => {
    showWith({}, ascii('a'));
    const usual = call.getMockImplementation();
    call.mockImplementation((name, ...args) =>
      name === 'exchange'
        ? Promise.reject(new CallError({ name: 'SessionError', message: 'Port 1 is not connected', code: null }))
        : (usual?.(name, ...args) ?? Promise.resolve(undefined)),
    );
    await click('Run Panel 1');
    await settle();
    call.mockImplementation(usual ?? (async () => undefined));
    const names = call.mock.calls.map(([name]) => name);
    expect(names.filter((name) => name === 'closeChecks')).toHaveLength(1);
    expect(screen.getByText(/Port 1 is not connected/)).toBeDefined();
    expect(verdict()).toEqual([timed('FAILED 0 of 2 checks · ')]);
  });

  it('is no matter for one message, and for rules that are off or no check', async () => {
    showWith({ isOn: false }, ascii('a'), ascii('b'));
    await click('Run Panel 1');
    await settle();
    cleanup();
    showWith({}, ascii('a'), ascii('b'));
    await click('Send a');
    await settle();
    expect(opened()).toEqual([]);
  });

  it('ends after the longest time that its JKit allows', async () => {
    show({ ...ascii('a'), delayMs: 1_000 }, ascii('b'));
    act(() =>
      changePanels(({ panels }) => ({
        panels: panels.map((panel) => ({ ...panel, jkitKept: { content: { test: { seconds: 3 } }, settings: {} } })),
      })),
    );
    const limit = Promise.withResolvers<void>();
    const delay = Promise.withResolvers<void>();
    pauses.push(limit.promise, delay.promise);
    await click('Run Panel 1');
    await act(async () => limit.resolve());
    delay.resolve();
    await settle();
    expect(call.mock.calls.filter(([name]) => name === 'pause').map(([, duration]) => duration)).toEqual([
      3_000, 1_000,
    ]);
    expect(notices()).toEqual([
      ['warning', timed('Panel 1: FAILED, 0 of 1 checks · ', '. Port 1: not done within 3 s.')],
    ]);
  });
});

describe('a run with branches', () => {
  const flow = (change: Partial<MessageFlow>): MessageFlow => ({ ...plainFlow, ...change });
  const failed = { kind: 'stop', passed: false, say: 'No modem here.' } as const;

  it('waits for all answers of a message, and says which of them stopped it', async () => {
    const answers = [{ form: 'text', content: 'ERROR', go: failed }] as const;
    show(ascii('first'), { ...ascii('AT'), expect: ascii('OK'), flow: flow({ answers }) }, ascii('last'));
    outcomes.push({ kind: 'answered', answer: 1 });
    await click('Run Panel 1');
    await settle();
    expect(sent()).toEqual([
      [1, 'first\n'],
      [1, 'AT\n', 'OK', 'ERROR'],
    ]);
    expect(notices()).toEqual([
      [
        'warning',
        timed(
          'Panel 1: FAILED, 0 of 1 checks · ',
          '. Port 1: failed: No modem here: awaited "OK" or "ERROR"; nothing came.',
        ),
      ],
    ]);
  });

  it('goes to a message by its label, and ends well where the author says so', async () => {
    const toEnd = [{ form: 'expression', content: '/v(\\d+)/', go: { kind: 'goto', to: 'End' } }] as const;
    const passed = [
      { form: 'hex', content: '06', go: { kind: 'stop', passed: true, say: 'The board is ready.' } },
    ] as const;
    show({ ...ascii('version'), flow: flow({ answers: toEnd }) }, ascii('skipped'), {
      ...ascii('bye {1}'),
      label: 'End',
      flow: flow({ insert: true, answers: passed }),
    });
    outcomes.push({ kind: 'answered', groups: [null, new TextEncoder().encode('42')], names: [null, null] });
    await click('Run Panel 1');
    await settle();
    expect(sent()).toEqual([
      [1, 'version\n', '/v(\\d+)/'],
      [1, 'bye 42\n', '\x06'],
    ]);
    expect(notices()).toEqual([['info', timed('Panel 1: PASSED, 2 of 2 checks · ', '. The board is ready.')]]);
  });

  it('shows the try and the last answer while it goes on, and then offers its transcript', async () => {
    const answers = [{ form: 'text', content: 'busy', go: { kind: 'again' } }] as const;
    show({ ...ascii('status'), expect: ascii('ready'), flow: flow({ answers }) });
    const second = Promise.withResolvers<Pick<ExchangeOutcome, 'kind'>>();
    outcomes.push({ kind: 'answered', answer: 1 }, second.promise);
    const run = click('Run Panel 1');
    expect(await screen.findByText('try 2, after "busy"')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Save and copy the command' })).toBeNull();
    second.resolve({ kind: 'answered' });
    await run;
    await settle();
    const saved: Blob[] = [];
    vi.stubGlobal('URL', {
      createObjectURL: (blob: Blob) => saved.push(blob) && 'blob:',
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await click('Other ways to save the run of Panel 1');
    await userEvent.click(await screen.findByRole('menuitem', { name: /^Report of this run/ }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(await saved[0]?.text()).toContain('Panel 1: PASSED, 1 of 1 checks');
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('is copied as the command that runs it in a shell', async () => {
    show({ ...ascii('AT'), expect: ascii('OK') });
    await click('Options of Panel 1');
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await userEvent.click(screen.getByRole('menuitem', { name: 'Copy as a command' }));
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith('wirebench test Panel-1.json --port PORT'));
    vi.unstubAllGlobals();
  });

  it('is refused before it sends when a branch leads nowhere or text is captured by no answer', async () => {
    show({ ...ascii('AT'), expect: ascii('OK'), flow: flow({ otherwise: { kind: 'goto', to: 'Reset' } }) });
    await click('Run Panel 1');
    expect(screen.getByText('"AT": it goes to "Reset", and no command has this label.')).toBeDefined();
    cleanup();
    show({ ...ascii('unlock {1}'), flow: flow({ insert: true }) });
    await click('Run Panel 1');
    expect(screen.getByText('"unlock {1}": no answer of this run captures {1}. For a brace write {{.')).toBeDefined();
    expect(sent()).toEqual([]);
  });
});

describe('a message with a file', () => {
  const loady = { ...ascii('loady'), expect: ascii('Ready'), file: { by: 'ymodem', name: 'u-boot.bin' } } as const;
  const file = new File(['firmware'], 'u-boot.bin');

  /** Answers the browser's dialog with these files, or cancels it. */
  const pick = (...files: File[]) => {
    vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function dialog(this: HTMLInputElement) {
      Object.defineProperty(this, 'files', { value: files });
      this.dispatchEvent(new Event(files.length === 0 ? 'cancel' : 'change'));
    });
  };
  const transfer = (isComplete: boolean) => transfers.push({ isComplete, received: [] });
  const sentFiles = () => call.mock.calls.filter(([name]) => name === 'transferTo').map(([, ...args]) => args);
  afterEach(() => {
    vi.restoreAllMocks();
    resetStores();
    transfers.length = 0;
  });

  it('asks for the file when the run starts, and sends it after the answer', async () => {
    show(loady, ascii('go'));
    pick(file);
    transfer(true);
    await click('Run Panel 1');
    await vi.waitFor(() => expect(notices()).toHaveLength(1));
    const order = call.mock.calls.map(([name]) => name).filter((name) => !String(name).endsWith('Conversation'));
    expect(order).toEqual(['exchange', 'transferTo', 'exchange', 'notice']);
    expect(sentFiles()).toEqual([[1, [file], 'ymodem', false, expect.any(Number)]]);
    expect(notices()).toEqual([['info', timed('Panel 1: PASSED, 1 of 1 checks · ')]]);
    expect(screen.getByText('File sent')).toBeDefined();
  });

  it('keeps the file for the next run', async () => {
    show(loady);
    pick(file);
    transfer(true);
    await click('Send loady');
    await vi.waitFor(() => expect(said()).toBe('File sent'));
    pick();
    transfer(true);
    await click('Send loady');
    await vi.waitFor(() => expect(sentFiles()).toHaveLength(2));
  });

  it('sends nothing when no file is chosen, and says so', async () => {
    show(loady, ascii('go'));
    pick();
    await click('Run Panel 1');
    expect(await screen.findByText('Choose the file that is sent after "loady".')).toBeDefined();
    expect(sent()).toEqual([]);
  });

  it('stops the run when its file does not get through, and says where', async () => {
    show(ascii('version'), loady, ascii('go'));
    pick(file);
    transfer(false);
    await click('Run Panel 1');
    await vi.waitFor(() => expect(notices()).toHaveLength(1));
    expect(notices()).toEqual([
      ['warning', timed('Panel 1: FAILED, 0 of 1 checks · ', '. Port 1: the file after "loady" was not sent whole.')],
    ]);
    expect(screen.getByText('File not sent')).toBeDefined();
    expect(sent()).toHaveLength(2);
  });

  it('is not sent while another run of its panel goes on', async () => {
    show({ ...ascii('AT'), expect: ascii('OK') }, { ...loady, expect: null });
    const outcome = Promise.withResolvers<Pick<ExchangeOutcome, 'kind'>>();
    outcomes.push(outcome.promise);
    await click('Send AT');
    await click('Send loady');
    expect(await screen.findByText('Stop the run first, then send "loady" and its file.')).toBeDefined();
    expect(sent()).toHaveLength(1);
    outcome.resolve({ kind: 'cancelled' });
    await settle();
  });
});

describe('a repetition', () => {
  it('sends every so often, says how often, and is stopped', async () => {
    show({ ...ascii('adc 0'), everyMs: 500 });
    await click('Options of adc 0');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Repeat…' }));
    const field = screen.getByRole('textbox', { name: 'Every' });
    expect(field).toHaveProperty('value', '500');
    await userEvent.clear(field);
    await userEvent.type(field, '5{Enter}');
    expect(screen.getByText('Enter a whole number from 10 to 3 600 000.')).toBeDefined();
    expect(sent()).toEqual([]);
    await userEvent.type(field, '0{Enter}');
    await settle();
    expect(call).toHaveBeenCalledWith('repeat', 1, new TextEncoder().encode('adc 0\n'), 50, expect.any(Number));
    beat();
    expect(panelsNow().panels[0]?.pinnedMessages[0]?.everyMs).toBe(50);
    expect(screen.getByText('1×')).toBeDefined();
    beat();
    expect(screen.getByText('2×')).toBeDefined();
    await click('Stop');
    await settle();
    beat();
    expect(screen.queryByText('2×')).toBeNull();
  });
});
