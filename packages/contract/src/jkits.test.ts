import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkJkitContent,
  JkitChange,
  JkitListQuery,
  JkitSearchQuery,
  jkitContentFault,
  jkitLimits,
  jkitText,
  jkitTypes,
  NewJkit,
  NewRating,
} from './index.ts';

const content = JSON.stringify({ fields: ['AT', { content: '41 54', type: 'hex' }], settings: { lineEnding: true } });
const jkit = { name: 'SIM7600 modem', content };
const refusalOf = (body: unknown) => NewJkit.safeParse(body).error?.issues[0]?.message;

describe('content of a jkit', () => {
  it.each([
    ['a list of fields', content, null],
    ['no fields in the list', '{"fields":[]}', null],
    ['anything beside the fields', '{"fields":[],"later":{"a":[1]}}', null],
    ['no JSON', 'AT', 'invalid'],
    ['nothing', '', 'invalid'],
    ['a list', '[]', 'invalid'],
    ['null', 'null', 'invalid'],
    ['a text', '"fields"', 'invalid'],
    ['an object without fields', '{}', 'noFields'],
    ['fields that are no list', '{"fields":{"length":0}}', 'noFields'],
    ['fields of another', '{"__proto__":{"fields":[]}}', 'noFields'],
    ['nesting without end', '['.repeat(60_000), 'invalid'],
  ])('is accepted or refused: %s', (_name, text, fault) => {
    expect(checkJkitContent(text)).toBe(fault);
    expect(refusalOf({ ...jkit, content: text })).toBe(
      fault === null ? undefined : jkitText[fault as keyof typeof jkitText],
    );
  });

  it('is measured in bytes: 64 KiB are the most', () => {
    const ofBytes = (bytes: number, filling: string) => {
      const empty = JSON.stringify({ fields: [''] });
      return JSON.stringify({
        fields: [filling.repeat((bytes - empty.length) / new TextEncoder().encode(filling).length)],
      });
    };
    expect(checkJkitContent(ofBytes(jkitLimits.contentSize, 'x'))).toBeNull();
    expect(checkJkitContent(ofBytes(jkitLimits.contentSize + 1, 'x'))).toBe('tooLarge');
    expect(checkJkitContent(ofBytes(jkitLimits.contentSize + 2, 'é'))).toBe('tooLarge');
  });

  it('keeps every key and every space as sent', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
        const text = `{${space}"fields":${space}[${json}],"later":${json}}`;
        expect(NewJkit.parse({ ...jkit, content: text }).content).toBe(text.toWellFormed());
      }),
    );
  });
});

describe('a new jkit', () => {
  it('needs a name and content, and has defaults for the rest', () => {
    expect(NewJkit.parse({ ...jkit, name: ' SIM7600 modem ' })).toEqual({
      ...jkit,
      type: 'uart',
      description: '',
      shared: false,
      tags: [],
      version: '1.0.0',
    });
  });

  it('drops fields that a client must not set', () => {
    const parsed = NewJkit.parse({
      ...jkit,
      _id: 'mine',
      publisher: 'somebody',
      rating: 5,
      ratingCount: 1_000,
      owner: 'x',
    });
    expect(Object.keys(parsed).sort()).toEqual(['content', 'description', 'name', 'shared', 'tags', 'type', 'version']);
  });

  it.each<[string, unknown, string]>([
    ['no body', undefined, 'The body must be a JSON object'],
    ['no name', { content }, 'Please enter a jkit name'],
    ['a blank name', { ...jkit, name: ' ' }, 'Please enter a jkit name'],
    ['a number as name', { ...jkit, name: 7 }, 'Please enter a jkit name'],
    ['61 characters', { ...jkit, name: 'x'.repeat(61) }, 'JKit name cannot exceed 60 characters'],
    ['a name of two lines', { ...jkit, name: 'two\nlines' }, 'JKit name cannot contain control characters'],
    ['no content', { name: 'x' }, 'Invalid jkit format'],
    ['content that is not text', { ...jkit, content: { fields: [] } }, 'Invalid jkit format'],
    ['501 characters', { ...jkit, description: 'x'.repeat(501) }, 'Description cannot exceed 500 characters'],
    ['eleven tags', { ...jkit, tags: [...'abcdefghijk'] }, 'A JKit can have at most 10 tags'],
    ['a tag of 25 characters', { ...jkit, tags: ['x'.repeat(25)] }, 'A tag cannot exceed 24 characters'],
    ['an empty tag', { ...jkit, tags: ['gsm', ' '] }, 'A tag cannot be empty'],
    ['tags in a text', { ...jkit, tags: 'gsm, lte' }, 'Tags must be a list of strings'],
    ['a flag as text', { ...jkit, shared: 'true' }, 'shared must be true or false'],
    ['another type', { ...jkit, type: 'spi' }, 'JKit type must be one of uart, chip, decoder'],
    ['a number as version', { ...jkit, version: 2 }, 'Version must be text'],
    ['a NUL, which no PostgreSQL keeps', { ...jkit, description: '\0' }, 'Text cannot contain a NUL character'],
  ])('is refused with %s', (_name, body, refusal) => {
    expect(refusalOf(body)).toBe(refusal);
  });

  it('accepts values just within the limits', () => {
    const full = {
      ...jkit,
      name: 'x'.repeat(60),
      description: 'x'.repeat(500),
      tags: Array.from({ length: 10 }, (_, number) => `${number}`.padEnd(24, 'x')),
    };
    expect(NewJkit.parse(full)).toMatchObject(full);
  });

  it('has each tag once', () => {
    expect(NewJkit.parse({ ...jkit, tags: ['gsm', ' gsm ', 'GSM'] }).tags).toEqual(['gsm', 'GSM']);
  });
});

describe('a change of a jkit', () => {
  it('contains the fields of the body and nothing else', () => {
    expect(JkitChange.parse({ shared: true, rating: 5 })).toEqual({ shared: true });
    expect(JkitChange.parse({})).toEqual({});
    // A change carries no type, so its content is checked later against the stored type.
    expect(JkitChange.parse({ content: '{}' })).toEqual({ content: '{}' });
    expect(jkitTypes.map((type) => jkitContentFault(type, '{}'))).toEqual([
      jkitText.noFields,
      'Name must be text',
      'Name must be a name',
    ]);
  });
});

describe('queries for jkits', () => {
  it('have defaults', () => {
    expect(JkitListQuery.parse({})).toEqual({ limit: 20, sort: 'createdAt' });
    expect(JkitListQuery.parse({ type: 'uart', limit: '20', offset: '0', sort: 'updatedAt' })).toEqual({
      type: 'uart',
      limit: 20,
      offset: 0,
      sort: 'updatedAt',
    });
    expect(JkitSearchQuery.parse({ q: 'AT', shared: 'true' })).toEqual({ q: 'AT', limit: 20, skip: 0 });
    expect(JkitSearchQuery.parse({})).toEqual({ q: '', limit: 20, skip: 0 });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { skip: '-1' },
    { sort: 'publisher' },
    { type: 'spi' },
    { limit: ['1', '2'] },
  ])('refuse %j', (query) => {
    expect(JkitListQuery.safeParse(query).success).toBe(false);
  });

  it.each([{ q: 'x'.repeat(101) }, { q: ['a', 'b'] }, { q: '\0' }, { limit: '101' }, { skip: '1001' }])(
    'refuse %j for a search',
    (query) => {
      expect(JkitSearchQuery.safeParse(query).success).toBe(false);
    },
  );
});

describe('a rating', () => {
  it.each([0, 6, 2.5, '3', null, undefined])('cannot have %j stars', (stars) => {
    expect(NewRating.safeParse({ stars }).error?.issues[0]?.message).toBe('stars must be a whole number from 1 to 5');
  });

  it.each([1, 2, 3, 4, 5])('has %j stars', (stars) => {
    expect(NewRating.parse({ stars })).toEqual({ stars });
  });
});
