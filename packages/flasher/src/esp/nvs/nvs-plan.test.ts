import { describe, expect, it } from 'vitest';
import type { Partition } from '../images/partition-table.ts';
import { buildNvs, type NvsChange } from './change-nvs.ts';
import {
  draftChanges,
  emptyDraft,
  groupsOf,
  isEmptyDraft,
  type NvsDraft,
  type NvsEdit,
  rebaseDraft,
  withEdit,
  withNamespace,
  withoutEdit,
  withoutNamespace,
} from './nvs-draft.ts';
import { NvsError } from './nvs-failure.ts';
import { planNvs } from './nvs-plan.ts';
import { compareNvs } from './nvs-source.ts';
import { type NvsValue, stringValue } from './nvs-value.ts';
import { readNvs } from './read-nvs.ts';

const partition: Partition = {
  name: 'nvs',
  type: 1,
  subtype: 2,
  offset: 0x9000,
  size: 0x6000,
  encrypted: false,
  readOnly: false,
};

const set = (namespace: string, key: string, value: NvsValue): NvsChange => ({ kind: 'set', namespace, key, value });
const u32 = (value: number): NvsValue => ({ type: 'u32', value: BigInt(value) });
const contents = buildNvs(0x6000, [
  set('app', 'interval_s', u32(60)),
  set('app', 'mqtt_pass', stringValue('correct horse')),
  set('app', 'old_token', stringValue('8f1c0a2e')),
  set('net', 'host', stringValue('mqtt.bench.lan')),
]);
const store = readNvs(contents);
const basis = '0123456789abcdef'.repeat(2);
const start = emptyDraft(basis);

const edited = (...edits: NvsEdit[]): NvsDraft =>
  edits.reduce<NvsDraft>((draft, edit) => withEdit(store, draft, edit), start);

/** Carries the writes of a plan out. */
function written(draft: NvsDraft): Uint8Array {
  const image = contents.slice();
  for (const { offset, bytes } of planNvs(partition, contents, store, draft)?.change.writes ?? []) {
    image.set(bytes, offset - partition.offset);
  }
  return image;
}

describe('drafts of NVS', () => {
  it('drop an edit that restores the value of the board', () => {
    const draft = edited({ namespace: 'app', key: 'interval_s', value: u32(300) });
    expect(draft.edits).toHaveLength(1);
    expect(isEmptyDraft(withEdit(store, draft, { namespace: 'app', key: 'interval_s', value: u32(60) }))).toBe(true);
    expect(isEmptyDraft(withoutEdit(draft, 'app', 'interval_s'))).toBe(true);
    expect(isEmptyDraft(edited({ namespace: 'app', key: 'unknown', value: null }))).toBe(true);
  });

  it('keep one edit for a key', () => {
    const draft = edited(
      { namespace: 'app', key: 'interval_s', value: u32(1) },
      { namespace: 'app', key: 'interval_s', value: { type: 'u8', value: 60n } },
    );
    expect(draft.edits).toEqual([{ namespace: 'app', key: 'interval_s', value: { type: 'u8', value: 60n } }]);
  });

  it('delete a namespace with its keys, and keep it again', () => {
    const draft = withoutNamespace(store, edited({ namespace: 'app', key: 'a', value: u32(1) }), 'app');
    expect(draftChanges(draft)).toEqual([{ kind: 'delete-namespace', namespace: 'app' }]);
    expect(readNvs(written(draft)).namespaces).toEqual(['net']);
    expect(isEmptyDraft(withNamespace(draft, 'app'))).toBe(true);
    const again = withEdit(store, draft, { namespace: 'app', key: 'interval_s', value: u32(60) });
    expect(compareNvs(store, readNvs(written(again))).map(({ kind, key }) => [kind, key])).toEqual([
      ['removed', 'mqtt_pass'],
      ['removed', 'old_token'],
    ]);
  });

  it('keep the edits that still change something when the contents change', () => {
    const draft = edited(
      { namespace: 'app', key: 'interval_s', value: u32(300) },
      { namespace: 'app', key: 'old_token', value: null },
      { namespace: 'net', key: 'port', value: u32(1883) },
    );
    const other = readNvs(buildNvs(0x6000, [set('app', 'interval_s', u32(300)), set('net', 'host', stringValue('x'))]));
    expect(rebaseDraft(other, draft, 'b').edits).toEqual([{ namespace: 'net', key: 'port', value: u32(1883) }]);
  });

  it('list keys of the board first, then added ones, with their namespaces', () => {
    const draft = edited({ namespace: 'new', key: 'a', value: u32(1) }, { namespace: 'app', key: 'b', value: u32(2) });
    expect(groupsOf(store, draft).map(({ namespace, rows }) => [namespace, rows.map(({ key }) => key)])).toEqual([
      ['app', ['interval_s', 'mqtt_pass', 'old_token', 'b']],
      ['net', ['host']],
      ['new', ['a']],
    ]);
  });
});

describe('planNvs', () => {
  it('names each change, and writes only sectors of the partition', () => {
    const draft = edited(
      { namespace: 'app', key: 'interval_s', value: u32(300) },
      { namespace: 'app', key: 'mqtt_pass', value: stringValue('battery staple') },
      { namespace: 'app', key: 'old_token', value: null },
      { namespace: 'net', key: 'port', value: u32(1883) },
      { namespace: 'net', key: 'api_key', value: stringValue('s3cr3t') },
    );
    const planned = planNvs(partition, contents, store, draft);
    expect(planned).toMatchObject({
      what: '5 changed keys',
      count: 5,
      note: 'Page 0 of 6',
      entries: [
        'app/interval_s 60 → 300',
        'app/mqtt_pass changed',
        'app/old_token deleted',
        'net/port added: 1883',
        'net/api_key added',
      ],
      change: { name: 'nvs', range: { offset: 0x9000, length: 0x6000 }, basis, erases: [] },
    });
    expect(planned?.change.writes.map(({ offset, bytes }) => [offset, bytes.length])).toEqual([[0x9000, 0x1000]]);
    expect(compareNvs(store, readNvs(written(draft))).map(({ kind, key }) => [kind, key])).toEqual([
      ['changed', 'interval_s'],
      ['changed', 'mqtt_pass'],
      ['removed', 'old_token'],
      ['added', 'api_key'],
      ['added', 'port'],
    ]);
  });

  it('puts no secret into its texts: neither the old value nor the new one', () => {
    const secrets = ['correct horse', 'battery staple', '8f1c0a2e', 's3cr3t', 'MHcCAQEEIA', 'bond-of-a-phone'];
    const key = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA';
    const planned = planNvs(
      partition,
      contents,
      store,
      edited(
        { namespace: 'app', key: 'mqtt_pass', value: stringValue('battery staple') },
        { namespace: 'app', key: 'old_token', value: null },
        { namespace: 'net', key: 'api_key', value: stringValue('s3cr3t') },
        { namespace: 'net', key: 'host', value: stringValue(key) },
        { namespace: 'nimble_bond', key: 'our_sec_1', value: { type: 'blob', bytes: Buffer.from('bond-of-a-phone') } },
      ),
    );
    const { change, ...texts } = planned ?? { change: null };
    const { writes: _, ...rest } = change ?? { writes: [] };
    const said = JSON.stringify([texts, rest]);
    expect(said).toContain('net/host changed');
    for (const secret of secrets) {
      expect(said).not.toContain(secret);
      expect(said).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('says that long values changed if they begin equally', () => {
    const long = 'x'.repeat(40);
    const image = buildNvs(0x3000, [set('app', 'a', stringValue(`${long}1`))]);
    const draft = withEdit(readNvs(image), emptyDraft(''), {
      namespace: 'app',
      key: 'a',
      value: stringValue(`${long}2`),
    });
    expect(planNvs({ ...partition, size: 0x3000 }, image, readNvs(image), draft)?.entries).toEqual(['app/a changed']);
  });

  it('plans nothing without an edit', () => {
    expect(planNvs(partition, contents, store, start)).toBeNull();
  });

  it('refuses what does not fit', () => {
    const value: NvsValue = { type: 'blob', bytes: new Uint8Array(19_900) };
    expect(() => planNvs(partition, contents, store, edited({ namespace: 'app', key: 'a', value }))).toThrow(NvsError);
  });
});
