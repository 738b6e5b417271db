import { random, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { commonSet } from './common-set.ts';
import { MavlinkDefinitionFault, type MavlinkDefinitions, readDefinitions } from './definitions.ts';

const read = (files: Readonly<Record<string, string>>): MavlinkDefinitions =>
  readDefinitions(Object.keys(files)[0] ?? '', (name) => files[name] ?? null);

const message = (fields: string, id = 1, name = 'TEST') =>
  `<mavlink><messages><message id="${id}" name="${name}">${fields}</message></messages></mavlink>`;

describe('MAVLink definitions', () => {
  it('order fields by the size of their type, extensions behind', () => {
    const { messages } = read({
      'a.xml': message(`<description>A &lt;test&gt;</description>
        <field type="uint8_t" name="small">x</field>
        <field type="uint16_t[2]" name="pair">x</field>
        <field type="float" name="first" units="m">x</field>
        <field type="int32_t" name="second">x</field>
        <field type="uint8_t_mavlink_version" name="version">x</field>
        <extensions/>
        <field type="uint8_t" name="later">x</field>
        <field type="uint64_t" name="last">x</field>`),
    });
    const test = messages.get(1);
    expect(
      test?.fields.map(({ name, offset, size, count, isExtension }) => [name, offset, size, count, isExtension]),
    ).toEqual([
      ['first', 0, 4, null, false],
      ['second', 4, 4, null, false],
      ['pair', 8, 2, 2, false],
      ['small', 12, 1, null, false],
      ['version', 13, 1, null, false],
      ['later', 14, 1, null, true],
      ['last', 15, 8, null, true],
    ]);
    expect([test?.baseLength, test?.fullLength]).toEqual([14, 23]);
  });

  it('compute the published CRC_EXTRA', () => {
    const { messages } = readDefinitions('common.xml', (name) => commonSet.get(name) ?? null);
    const extras = [0, 1, 24, 30, 76, 147, 253].map((id) => messages.get(id)?.crcExtra);
    expect(extras).toEqual([50, 124, 24, 39, 152, 154, 83]);
  });

  it('include other files once, and add entries to their enums', () => {
    const { messages, enums, faults } = read({
      'own.xml': `<?xml version="1.0"?><!-- own --><mavlink><include>sub/base.xml</include><include>other.xml</include>
        <enums><enum name="E"><entry name="E_OWN" value="0x10"/><entry name="E_NEXT"/></enum></enums>
        <messages><message id="3" name="OWN"><field type="uint8_t" name="e" enum="E"/></message></messages></mavlink>`,
      'base.xml': `<mavlink><enums><enum name="E" bitmask="true"><entry name="E_A" value="1"/><entry name="E_B" value="2**1"/></enum></enums>
        <messages><message id="1" name="BASE"><field type="uint8_t" name="e" enum="E"/></message></messages></mavlink>`,
      'other.xml': '<mavlink><include>base.xml</include><include>own.xml</include></mavlink>',
    });
    expect(faults).toEqual([]);
    expect([...messages.keys()]).toEqual([1, 3]);
    expect([...(enums.get('E')?.entries ?? [])]).toEqual([
      [1n, 'E_A'],
      [2n, 'E_B'],
      [16n, 'E_OWN'],
      [17n, 'E_NEXT'],
    ]);
    expect(messages.get(1)?.fields[0]).toMatchObject({ isBitmask: true, names: { name: 'E' } });
  });

  it('leave out a message that cannot be read, and name it', () => {
    const messages = [
      '<message id="1" name="GOOD"><field type="uint8_t" name="a"/></message>',
      '<message id="2" name="TYPE"><field type="uint128_t" name="a"/></message>',
      '<message id="3" name="TWICE"><field type="uint8_t" name="a"/><field type="uint8_t" name="a"/></message>',
      '<message id="4" name="LONG"><field type="uint64_t[32]" name="a"/></message>',
      '<message id="16777216" name="NUMBER"><field type="uint8_t" name="a"/></message>',
      '<message id="1" name="SAME"><field type="uint8_t" name="a"/></message>',
      '<message id="5" name="NONE"><field type="uint8_t[0]" name="a"/></message>',
    ];
    const set = read({ 'a.xml': `<mavlink><messages>\n${messages.join('\n')}\n</messages></mavlink>` });
    expect([...set.messages.values()].map(({ name }) => name)).toEqual(['GOOD']);
    expect(set.faults).toEqual([
      'a.xml, line 3: TYPE has a field that cannot be read (line 3).',
      'a.xml, line 4: TWICE has a field that cannot be read (line 4).',
      'a.xml, line 5: LONG has 256 bytes, more than 255.',
      'a.xml, line 6: a message needs a name, and a number from 0 to 16777215.',
      'a.xml, line 7: SAME has the number of another message.',
      'a.xml, line 8: NONE has a field that cannot be read (line 8).',
    ]);
  });

  it.each([
    ['<mavlink><include>base.xml</include></mavlink>', 'base.xml is missing: a.xml includes it.'],
    ['<mavlink><messages/></mavlink>', 'a.xml defines no message.'],
    ['<html/>', 'a.xml: this is no file of MAVLink message definitions.'],
    ['', 'a.xml: Line 1: there is no element.'],
    ['<mavlink>\n<messages></mavlink>', 'a.xml: Line 2: </mavlink> ends <messages>.'],
    ['<mavlink>', 'a.xml: Line 1: <mavlink> has no end.'],
    ['<mavlink a=b/>', 'a.xml: Line 1: the tag <mavlink> cannot be read.'],
    ['<!DOCTYPE mavlink [<!ENTITY a "aa">]><mavlink/>', 'a.xml: Line 1: a document type is not read.'],
    ['<mavlink>&bomb;</mavlink>', 'a.xml: Line 1: the entity &bomb; is not known.'],
    ['<mavlink><!-- </mavlink>', 'a.xml: Line 1: --> is missing.'],
    ['<mavlink/><mavlink/>', 'a.xml: Line 1: there is a second element at the top.'],
    ['text<mavlink/>', 'a.xml: Line 1: there is text outside of the element at the top.'],
  ])('refuse %j', (text, sentence) => {
    expect(() => read({ 'a.xml': text })).toThrow(new MavlinkDefinitionFault(sentence));
  });

  it('cost bounded time, whatever they contain', () => {
    const parts = [
      '<mavlink>',
      '<',
      '>',
      '<a b="',
      '&amp;',
      '<!--',
      ']]>',
      '<![CDATA[',
      '</a>',
      '<a>',
      "<a b='c'/>",
      '\n',
      '<?',
      ' a="b"',
      '&#x1F600;',
    ];
    const numbers = random('hostile');
    const mixed = Array.from({ length: 20_000 }, () => parts[numbers.below(parts.length)] ?? '').join('');
    const whole = parts.map((part) => part.repeat(Math.ceil(1_000_000 / part.length)));
    for (const text of [
      mixed,
      ...whole,
      ...whole.map((part) => `<mavlink>${part}`),
      randomBytes(1_000_000).toString('latin1'),
    ]) {
      expect(() => read({ 'a.xml': text })).toThrow(MavlinkDefinitionFault);
    }
    const enums = Array.from({ length: 100_000 }, (_, index) => `<entry name="E${index}"/>`).join('');
    const once = `<enum name="E">${enums}</enum>`;
    const many = '<enum name="E"><entry name="A"/></enum>'.repeat(20_000);
    const full = `<mavlink><enums>${once}${many}</enums><messages><message id="1" name="A"/></messages></mavlink>`;
    expect(read({ 'a.xml': full }).enums.get('E')?.entries.size).toBeLessThanOrEqual(100_000);
  });
});
