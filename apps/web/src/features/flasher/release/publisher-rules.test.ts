import { describe, expect, it } from 'vitest';
import type { MonitorMessages } from '../../../workbench/release/release.ts';
import { readReleaseRules, runningReleaseRules } from './publisher-rules.ts';

const picked: MonitorMessages = {
  name: 'Weather',
  lineEnding: 'crlf',
  messages: [{ content: 'B5 62', mode: 'hex', label: 'Poll', hidden: true }],
  rules: [
    { name: 'Errors', when: { line: 'level:error' }, do: { colour: 'red', mark: true, run: true, record: 'start' } },
    { name: 'Login', where: 'all', when: { line: 'login:' }, do: { answer: 'root', note: true } },
    { name: 'Poll', when: { line: 'ready' }, do: { answer: { pinned: 'Poll' } } },
    { name: 'Off', on: false, when: { line: 'off' }, do: { colour: 'blue' } },
    { when: { moon: 'full' } },
  ],
};
const { rules, faults } = readReleaseRules(picked);

describe('rules of a release', () => {
  it('are those that are on and can be read, with a sentence for the others', () => {
    expect(rules.map(({ name }) => name)).toEqual(['Errors', 'Login', 'Poll']);
    expect(faults).toEqual([expect.stringContaining('A rule was left out: This version does not know the condition')]);
  });

  it('colour, mark and note lines of the monitor alone, and send nothing until that is allowed', () => {
    expect(runningReleaseRules(rules, 2, picked, false)).toMatchObject([
      { name: 'Errors', ports: [2], colour: 'red', mark: true, answer: null, isReported: false },
      { name: 'Login', ports: [2], answer: null, isReported: true },
      { name: 'Poll', ports: [2], answer: null, isReported: false },
    ]);
  });

  it('answer with their text and ending, or with a message by its label, once that is allowed', () => {
    const [, login, poll] = runningReleaseRules(rules, 2, picked, true);
    expect(new TextDecoder().decode(login?.answer ?? undefined)).toBe('root\r\n');
    expect(poll).toMatchObject({ answer: Uint8Array.of(0xb5, 0x62), answerName: 'Poll' });
    expect(runningReleaseRules(rules, 2, { ...picked, messages: [] }, true)[2]?.answer).toBeNull();
  });

  it('are at most 50, and none of a JKit without rules', () => {
    const many = Array.from({ length: 60 }, () => picked.rules[0]);
    expect(readReleaseRules({ rules: many }).rules).toHaveLength(50);
    expect(readReleaseRules({ rules: [] })).toEqual({ rules: [], faults: [] });
  });
});
