import { jkitLimits } from '@wirebench/contract/constants';
import { allDecoders } from '@wirebench/contract/decoder-library';
import { describe, expect, it } from 'vitest';
import { decoderText } from './decoder-text.ts';

describe('the text of a decoder', () => {
  it('has short parts on one line, and long ones on several', () => {
    const fields = [{ name: 'speed', type: 'i16', unit: 'rpm' }];
    const messages = Array.from({ length: 3 }, (_, index) => ({ name: `message number ${index}`, fields }));
    expect(decoderText({ name: 'motor', fields, messages: messages.slice(0, 2) })).toBe(`{
  "name": "motor",
  "fields": [{"name":"speed","type":"i16","unit":"rpm"}],
  "messages": [
    {"name":"message number 0","fields":[{"name":"speed","type":"i16","unit":"rpm"}]},
    {"name":"message number 1","fields":[{"name":"speed","type":"i16","unit":"rpm"}]}
  ]
}
`);
  });

  it.each(allDecoders.map(({ name, content }) => [name, content] as const))(
    '%s is one that can be saved',
    (_, content) => {
      const text = decoderText(content);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(content)));
      expect(text.length).toBeLessThan(jkitLimits.contentSize);
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400);
    },
  );

  it('has no line breaks if it would be too large with them', () => {
    const large = { fields: Array.from({ length: 1_700 }, (_, index) => ({ name: `f${index}`, type: 'u8', at: 0 })) };
    expect(decoderText(large)).toBe(JSON.stringify(large));
  });
});
