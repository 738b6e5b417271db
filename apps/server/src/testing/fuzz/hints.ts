/** Values for fields with rules that the document's schemas do not contain. Without them few requests would succeed. */
import { modelsOf } from '@wirebench/boards';
import fc from 'fast-check';
import { knownId } from './known-ids.ts';
import type { Hints } from './values.ts';

const short = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength });

export const hints: Hints = {
  // Feedback: 20 to 140 characters.
  message: fc.string({ unit: 'grapheme-ascii', minLength: 20, maxLength: 140 }),
  timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Los_Angeles'),
  // Few names, so that some are taken.
  name: fc.oneof(fc.constantFrom('One', ' one ', 'Two', 'İ'), short(60)),
  version: fc.oneof(fc.constantFrom('1.0.0', '1.0.0 ', 'V1'), short(30)),
  description: short(200),
  deviceFamily: fc.constant('esp'),
  deviceModel: fc.constantFrom(...modelsOf('esp')),
  projectId: knownId('project'),
  jkitId: knownId('jkit'),
  offsets: fc.constantFrom(
    '["0x0","0x10000","0x20000"]',
    '["0x20000","0x30000","0x0"]',
    '["0x0","0x1","0x2"]',
    '["65536","10000","0"]',
    '["0xffffffff","0x10000","0x0"]',
  ),
  // Mostly empty, which is a version of the simple form: builds are refused beside offsets.
  builds: fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '[{"deviceModel":"esp32","files":[{"index":0,"offset":"0x10000"}]}]',
        '[{"deviceModel":"esp32s3","files":[{"index":0,"offset":"0x0"}]},{"deviceModel":"esp32","files":[{"index":1}]}]',
      ),
    },
  ),
  acceptDamaged: fc.constantFrom('[]', '["app.bin"]'),
  console: fc.constantFrom(
    '{"baudRate":115200,"lineEnding":"lf","jkitId":null}',
    '{"baudRate":9600,"lineEnding":"crlf"}',
    'null',
  ),
  // A crash: few distinct ones, so that some repeat.
  id: fc.uuid(),
  fingerprint: fc.constantFrom('0123456789abcdef', 'fedcba9876543210'),
  chip: fc.constantFrom('ESP32', 'ESP32-C3'),
  cause: short(60),
  build: fc.constantFrom('0123456789abcdef', '7f454c46'),
  memory: fc.constantFrom('AAAA', 'f0VMRg=='),
  errorCode: fc.constantFrom('wrong-chip', 'port-busy'),
  sha256: fc.constantFrom('0123456789abcdef', '7f454c46'),
  content: fc
    .record({ fields: fc.array(fc.oneof(short(20), fc.record({ content: short(20), type: fc.constant('ascii') }))) })
    .map((content) => JSON.stringify(content)),
  shared: fc.constant(true),
  // Mostly public, which sharing requires.
  isPublic: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  endsAt: fc.constant('2099-01-31T12:00:00.000Z'),
  tags: fc.array(short(20), { maxLength: 3 }),
  q: fc.oneof(fc.constantFrom('AT', 'one', 'e'), short(12)),
  expiresInDays: fc.integer({ min: 1, max: 30 }),
};
