/**
 * DMX512 as adapters with the USB Pro protocol give it (Enttec, DMX USB Pro Widget API 1.44): 7E, label, length with the
 * low byte first, data, E7. Slots are those of ANSI E1.11; the start code counts as slot 0.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const dmx: DecoderDraft = {
  name: 'dmx',
  title: 'DMX512 (USB Pro)',
  source: 'Enttec, DMX USB Pro Widget API 1.44; ANSI E1.11',
  when: { usb: ['0403:6001'] },
  framing: {
    kind: 'length',
    start: ['7E'],
    length: { at: 2, type: 'u16', order: 'little', add: 5 },
    end: ['E7'],
    longest: 605,
  },
  order: 'little',
  fields: [
    { name: 'label', type: 'u8', at: 1, header: true },
    { name: 'bytes', type: 'u16', at: 2, header: true },
  ],
  messages: [
    {
      name: 'received',
      when: [
        { field: 'label', is: 5 },
        { field: 'bytes', from: 2 },
      ],
      fields: [
        { name: 'status', type: 'u8', flags: { '0': 'queue overflow', '1': 'overrun' } },
        { name: 'start_code', type: 'u8', header: true },
        { name: 'slot', type: 'u8', count: 'rest', first: 1 },
      ],
      // The step adds a status that has something to say.
      line: 'received, start code {start_code}: {slot.*}',
    },
    {
      name: 'send',
      when: [{ field: 'label', is: 6 }],
      fields: [
        { name: 'start_code', type: 'u8', header: true },
        { name: 'slot', type: 'u8', count: 'rest', first: 1 },
      ],
      line: 'send, start code {start_code}: {slot.*}',
    },
    {
      name: 'changed',
      when: [{ field: 'label', is: 9 }],
      fields: [{ name: 'first', type: 'u8', scale: 8 }],
      line: 'changed: {slot.*}',
    },
    {
      name: 'get parameters',
      when: [
        { field: 'label', is: 3 },
        { field: 'frame.direction', is: 'sent' },
      ],
      question: true,
    },
    {
      name: 'parameters',
      when: [{ field: 'label', is: 3 }],
      fields: [
        { name: 'firmware_minor', type: 'u8' },
        { name: 'firmware_major', type: 'u8' },
        { name: 'break_us', type: 'u8', scale: 10.67, unit: 'µs' },
        { name: 'mark_us', type: 'u8', scale: 10.67, unit: 'µs' },
        { name: 'rate', type: 'u8', unit: 'frames/s' },
      ],
      line: 'firmware {firmware_major}.{firmware_minor}, break {break_us}, mark {mark_us}, {rate}',
      answers: ['get parameters'],
    },
    {
      name: 'get serial number',
      when: [
        { field: 'label', is: 10 },
        { field: 'frame.direction', is: 'sent' },
      ],
      question: true,
    },
    {
      name: 'serial number',
      when: [{ field: 'label', is: 10 }],
      fields: [{ name: 'serial', type: 'bcd', length: 4, order: 'little' }],
      answers: ['get serial number'],
    },
  ],
  steps: ['dmx'],
};
