import { describe, expect, it } from 'vitest';
import { NewCrashReport } from './crash-reports.ts';
import { NewFeedback } from './feedback.ts';
import { NewJkit } from './jkit-bodies.ts';
import { ModerationReason } from './moderation.ts';
import { NewVersion } from './new-version.ts';
import { NewProject, NewPull } from './release-bodies.ts';
import { normalizeLine, readableLine, singleLineFault } from './single-line.ts';
import { NewToken } from './tokens.ts';

/** Characters that a name must not have, by their number in hexadecimal. */
const refused: readonly number[] = [
  0x00, 0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
  0x202c, 0x202d, 0x202e, 0x2060, 0x2062, 0x2066, 0x2067, 0x2068, 0x2069, 0x206f, 0x3164, 0xfeff, 0xfff9, 0xe0041,
];

describe('a single line', () => {
  it.each(refused.map((code) => [code.toString(16), `a${String.fromCodePoint(code)}b`]))(
    'is refused with U+%s in it',
    (_code, text) => {
      expect(singleLineFault(normalizeLine(text), 100)).toMatch(/^(control|invisible)$/);
      expect(singleLineFault(readableLine(text), 100)).toBeNull();
      expect(readableLine(text)).toBe('a b');
    },
  );

  it.each([
    ['Latin', 'Wetter­Station'.replace('­', ' ')],
    ['Persian, with its non-joiner', 'می‌خواهم'],
    ['Hindi, with its joiner', 'क्‍ष'],
    ['an emoji of several', '👩🏽‍🔬 ESP32'],
    ['a flag', 'Board 🇪🇺'],
    ['an emoji with a variation selector', 'Heart ❤️'],
    ['Hebrew', 'תחנה 3'],
  ])('may be %s', (_what, text) => {
    expect(singleLineFault(normalizeLine(text), 100)).toBeNull();
    expect(readableLine(text)).toBe(normalizeLine(text));
  });

  it.each(['a‌b', 'a‍b', 'a‍', '‍a', 'Ж‍Ж', '1‌2', ' ‌ا'])('is refused with a joiner that joins nothing: %j', (text) => {
    expect(singleLineFault(normalizeLine(text), 100)).toBe('invisible');
  });

  it('replaces lone surrogates and has no white space around it', () => {
    expect(normalizeLine(' a\ud800b\udc00 ')).toBe('a\ufffdb\ufffd');
  });

  it('is refused when its composed form is too long, although what was entered is not', () => {
    const entered = '\ufb2c'.repeat(30);
    expect(entered).toHaveLength(30);
    expect(singleLineFault(entered, 80)).toBe('long');
  });
});

const crash = {
  id: 'c1e3ac41-35a0-4ca8-8b35-4a06bd4ab0ef',
  fingerprint: '0123456789abcdef',
  chip: 'ESP32',
  cause: 'LoadProhibited',
  tasks: [],
};
const frame = { pc: 1, guess: false };
const task = { name: null, crashed: true, stackUsed: null, stackSize: null };

/** Every field that is shown in one line, with a body that has `text` there. */
const fields: readonly [string, { safeParse(body: unknown): { success: boolean } }, (text: string) => object][] = [
  ['name of a project', NewProject, (name) => ({ name, deviceModel: 'esp32' })],
  ['number of a version', NewVersion, (version) => ({ projectId: 'p', version, description: 'x', offsets: [] })],
  ['number of a pulled version', NewPull, (version) => ({ manifest: 'https://x.example/m.json', version })],
  ['address of a manifest', NewPull, (text) => ({ manifest: `https://x.example/${text}` })],
  ['name of a token', NewToken, (name) => ({ name, projectId: 'p' })],
  ['name of a JKit', NewJkit, (name) => ({ name, content: '{"fields":[]}' })],
  ['tag of a JKit', NewJkit, (tag) => ({ name: 'x', content: '{"fields":[]}', tags: [tag] })],
  ['version of a JKit', NewJkit, (version) => ({ name: 'x', content: '{"fields":[]}', version })],
  ['sender of feedback', NewFeedback, (email) => ({ message: 'A message of twenty letters', email })],
  ['reason of an operator', ModerationReason, (reason) => ({ reason })],
  ['cause of a crash', NewCrashReport, (cause) => ({ ...crash, cause })],
  ['name of a crashed task', NewCrashReport, (name) => ({ ...crash, tasks: [{ ...task, name, frames: [] }] })],
  [
    'function of a crash',
    NewCrashReport,
    (text) => ({
      ...crash,
      tasks: [{ ...task, frames: [{ ...frame, places: [{ function: text, file: null, line: 1 }] }] }],
    }),
  ],
  [
    'source file of a crash',
    NewCrashReport,
    (text) => ({
      ...crash,
      tasks: [{ ...task, frames: [{ ...frame, places: [{ function: null, file: text, line: 1 }] }] }],
    }),
  ],
];

describe.each(fields)('the %s', (_name, schema, bodyWith) => {
  it('is accepted as plain text', () => {
    expect(schema.safeParse(bodyWith('abc'))).toMatchObject({ success: true });
  });

  it.each(['202e', '2066', '200f', '200b', '2028', '0a', 'e0041'])('is refused with U+%s', (code) => {
    const text = `abc${String.fromCodePoint(Number.parseInt(code, 16))}def`;
    expect(schema.safeParse(bodyWith(text))).toMatchObject({ success: false });
  });
});
