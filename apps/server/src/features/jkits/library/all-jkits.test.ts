import { Jkit, JkitContent, type JkitMessage, jkitLimits, NewJkit } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { allJkits } from './all-jkits.ts';

const cases = allJkits.map((jkit) => [jkit.name, jkit] as const);

function messagesOf({ fields }: JkitContent): readonly JkitMessage[] {
  return fields.map((field) => (typeof field === 'string' ? { content: field } : field));
}

describe('the jkits that come with the product', () => {
  it('are a dozen or more, each with an id and a name of its own', () => {
    expect(allJkits.length).toBeGreaterThanOrEqual(12);
    expect(new Set(allJkits.map(({ id }) => id)).size).toBe(allJkits.length);
    expect(new Set(allJkits.map(({ name }) => name.toLowerCase())).size).toBe(allJkits.length);
    for (const { id } of allJkits) {
      expect(Jkit.shape._id.safeParse(id).success, id).toBe(true);
    }
  });
});

describe.each(cases)('%s', (_name, { name, description, tags, content }) => {
  it('could have been saved by anybody, and comes out as it stands', () => {
    const draft = { name, description, tags: [...tags], content: JSON.stringify(content), shared: true };
    expect(NewJkit.parse(draft)).toEqual({ ...draft, type: 'uart', version: '1.0.0' });
  });

  it('has nothing in it that a terminal would not understand', () => {
    expect(JkitContent.parse(content)).toEqual(content);
    expect(content.fields.length).toBeLessThanOrEqual(jkitLimits.messages);
    expect(content.settings?.lineEnding).toBeTypeOf('boolean');
  });

  it('says what it is for, in sentences, and can be found by tags', () => {
    expect(description).toMatch(/^[A-Z].{40,}\.$/);
    expect(tags.length).toBeGreaterThanOrEqual(4);
  });

  it('sends nothing by accident: no white space around, hex in pairs of capitals', () => {
    for (const { content: text, type } of messagesOf(content)) {
      expect(text).toBe(text.trim());
      if (type === 'hex') {
        expect(text).toMatch(/^[\dA-F]{2}( [\dA-F]{2})*$/);
      } else {
        expect(text).toMatch(/^[ -~]+$/);
      }
    }
  });

  it('waits for answers that a device can give within ten minutes', () => {
    for (const { expect: answer, timeoutMs } of messagesOf(content)) {
      // A timeout without an expected answer has no effect.
      expect(timeoutMs === undefined || answer !== undefined).toBe(true);
    }
  });
});
