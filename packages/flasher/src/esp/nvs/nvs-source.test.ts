import { describe, expect, it } from 'vitest';
import { readNvsSource } from './nvs-source.ts';

const csv = 'key,type,encoding,value\napp,namespace,,\nname,data,string,Lämpchen\n';

describe('CSV of keys', () => {
  it.each([
    ['UTF-8 with a mark', 'keys.csv', Buffer.from(`\ufeff${csv}`)],
    ['UTF-16 of a spreadsheet', 'keys.csv', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['UTF-16 without a mark, and without a name', 'keys', Buffer.from(csv, 'utf16le')],
  ])('is read in %s', async (_name, name, content) => {
    const { keys, refusal } = await readNvsSource([{ name, bytes: Uint8Array.from(content) }], 'nvs');
    expect(refusal).toBeNull();
    expect(keys).toMatchObject([
      { namespace: 'app', key: 'name', value: { type: 'str', bytes: new TextEncoder().encode('Lämpchen') } },
    ]);
  });

  it('is refused in Latin-1, because its values would be damaged', async () => {
    const { refusal } = await readNvsSource(
      [{ name: 'keys.csv', bytes: Uint8Array.from(Buffer.from(csv, 'latin1')) }],
      'nvs',
    );
    expect(refusal).toBe('The CSV is not UTF-8 text. Save it again with this encoding.');
  });
});
