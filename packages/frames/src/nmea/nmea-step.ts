/** Step `nmea`: sentences of NMEA 0183, their cells by name, satellites across systems, and AIS. */
import type { DecodedField, FrameLink } from '../frame-types.ts';
import { latinText } from '../latin-text.ts';
import type { ConversationFrame, FrameDraft, Step, StepConversation } from '../steps/step-types.ts';
import { AisParts, aisPart, joinParts, readAis } from './ais.ts';
import type { AisMessage } from './ais-messages.ts';
import { CellReader, type RowWords, rowOf, words } from './cells.ts';
import { type SentenceRule, sentenceRules } from './nmea-sentences.ts';
import { isUsed, systemOf, UsedLists, usedNumbers } from './satellites.ts';
import { measureSentence, parseSentence, type Sentence, type TagBlock } from './sentence.ts';

export const nmeaStep: Step = {
  prepare() {
    const reader = new CellReader();
    return {
      firstBytes: [0x24, 0x21, 0x5c],
      measure: measureSentence,
      decode: (draft) => decode(draft, reader),
      describeBroken,
      whoOfBroken: (frame) => parseSentence(frame)?.talker || null,
      converse: () => new NmeaConversation(),
    };
  },
};

function ruleOf({ type, address, cells }: Sentence) {
  // Sentences of vendors are told apart by their first cell as well.
  const own = type.startsWith('P') ? sentenceRules[`${address.text},${cells[0]?.text ?? ''}`] : undefined;
  return own ?? sentenceRules[type];
}

function decode(draft: FrameDraft, reader: CellReader): void {
  const sentence = parseSentence(draft.wire);
  if (sentence === null) {
    return;
  }
  const { address, talker, type } = sentence;
  const rule = ruleOf(sentence);
  draft.message = type;
  draft.who = talker === '' ? null : talker;
  if (sentence.tag !== null) {
    draft.fields.push(...tagFields(sentence.tag));
  }
  if (talker !== '' && talker !== 'P') {
    draft.fields.push({ name: 'talker', value: talker, from: address.from, to: address.from + 2 });
  }
  draft.fields.push({ name: 'type', value: type, from: address.to - type.length, to: address.to });
  const fields = reader.read(rule, sentence);
  draft.fields.push(...fields);
  const query = queryOf(sentence);
  if (query !== null) {
    draft.fields.push({ name: 'listener', value: query, from: address.from + 2, to: address.from + 4 });
  }
  const row =
    rule === undefined
      ? () => (query === null ? formOf(sentence) : `asks ${query} for ${formOf(sentence)}`)
      : () => rowOf(fields, words(rule.row)) || noRow(rule, fields);
  draft.sentence = particular[type]?.({ draft, sentence, fields, row }) ?? row;
  if (sentence.checksumCell !== null) {
    const { text, from, to } = sentence.checksumCell;
    const named = text.length === 1 ? `${sentence.checksum}, of one digit` : sentence.checksum;
    draft.fields.push({ name: 'checksum', value: text, named, from, to });
  }
}

/** Returns the device that is asked for a sentence: `GP` in `CCGPQ,GGA` (NMEA 0183 version 4.11, 5.3.2). */
function queryOf({ type, talker, cells }: Sentence): string | null {
  return talker !== 'P' && cells.length === 1 && /^[A-Z]{2}Q$/.test(type) ? type.slice(0, 2) : null;
}

/** Row of a sentence in which no cell of the row has a value. */
function noRow({ name }: SentenceRule, fields: readonly DecodedField[]): string {
  return fields.some(({ value }) => value !== null) ? name : `${name}, no values`;
}

function describeBroken(frame: Uint8Array) {
  const sentence = parseSentence(frame);
  if (sentence === null) {
    return null;
  }
  const { type, checksum, checksumCell, computed } = sentence;
  const right = computed.toString(16).toUpperCase().padStart(2, '0');
  const isWrong = checksum === 'wrong' && checksumCell !== null;
  return {
    message: type,
    fault: isWrong ? `wrong checksum ${checksumCell.text}, computed ${right}` : 'cut before its end',
  };
}

/** Row of a sentence that is known by its form alone. */
function formOf({ cells }: Sentence): string {
  return cells.map(({ text }) => text).join(', ');
}

const tagNames: Readonly<Record<string, string>> = {
  c: 'time',
  d: 'destination',
  g: 'group',
  n: 'line',
  r: 'relative_time',
  s: 'source',
  t: 'text',
};

/** A tag block whose checksum is wrong has no values. The sentence behind it has a checksum of its own. */
function tagFields({ checksum, entries, range }: TagBlock): DecodedField[] {
  if (checksum === 'wrong') {
    return [{ name: 'tag.checksum', value: null, named: 'wrong', ...range }];
  }
  return entries.map(({ code, text, from, to }) => {
    const isNumber = /^[cnr]$/.test(code) && /^\d{1,15}$/.test(text);
    return { name: `tag.${tagNames[code] ?? code}`, value: isNumber ? Number(text) : text, from, to };
  });
}

interface Decoding {
  readonly draft: FrameDraft;
  readonly sentence: Sentence;
  /** Fields of the cells. */
  readonly fields: readonly DecodedField[];
  readonly row: () => string;
}

/** Types of sentences whose meaning lies in more than one cell or sentence: adds fields, and returns the row. */
const particular: Readonly<Record<string, (decoding: Decoding) => () => string>> = {
  GSA: decodeUsed,
  GSV: decodeInView,
  VDM: decodeAis,
  VDO: decodeAis,
  XDR: decodeTransducers,
};

function decodeUsed({ draft, sentence, row }: Decoding): () => string {
  const numbers = usedNumbers(sentence);
  const system = systemOf(sentence);
  const [first, last] = [sentence.cells[2], sentence.cells[13]];
  const list = numbers.join(', ');
  if (first !== undefined && last !== undefined) {
    const how = numbers.length === 0 ? {} : { how: `counted: ${list}` };
    draft.fields.push({ name: 'used', value: numbers.length, ...how, from: first.from, to: last.to });
  }
  const used = numbers.length === 0 ? 'none used' : `used ${list}`;
  return () => [system === null ? used : `${system} ${used}`, row()].join(', ');
}

function decodeInView({ draft, sentence, fields }: Decoding): () => string {
  const lists = sentencesOf(draft.link.related);
  const system = systemOf(sentence);
  const satellites: { number: number; used: boolean | null; index: string }[] = [];
  for (const { name, value, from, to } of fields) {
    if (name.startsWith('prn') && typeof value === 'number') {
      const index = name.slice('prn'.length);
      const used = isUsed(lists, system, value);
      satellites.push({ number: value, used, index });
      if (used !== null) {
        draft.fields.push({ name: `used${index}`, value: used, from, to });
      }
    }
  }
  const text = (name: string) => fields.find((field) => field.name === name)?.value ?? '?';
  return () => {
    const head = `${text('in_view')} ${system ?? 'satellites'} in view, part ${text('part')} of ${text('parts')}`;
    const shown = satellites.map(({ number, used, index }) => {
      const strength = fields.find(({ name }) => name === `snr${index}`)?.value ?? null;
      const signal = strength === null ? 'no signal' : `${strength} dB-Hz`;
      return `${number} ${signal}${used === null ? '' : used ? ' used' : ' not used'}`;
    });
    return shown.length === 0 ? head : `${head}: ${shown.join(', ')}`;
  };
}

function sentencesOf(frames: readonly Uint8Array[]): Sentence[] {
  return frames.map(parseSentence).filter((sentence) => sentence !== null);
}

function decodeTransducers({ fields }: Decoding): () => string {
  return () => {
    const rows: string[] = [];
    for (let number = 1; fields.some(({ name }) => name === `measured${number}`); number++) {
      const of = (name: string) => fields.filter((field) => field.name === `${name}${number}`);
      const name = of('measured_name')[0]?.value ?? of('transducer')[0]?.named ?? `transducer ${number}`;
      rows.push(`${name} ${rowOf(of('measured'), [`measured${number}`]) || 'no value'}`);
    }
    return rows.join(', ');
  };
}

function decodeAis({ draft, sentence }: Decoding): () => string {
  const part = aisPart(sentence);
  if (part === null) {
    return () => 'AIS that cannot be read';
  }
  const { related } = draft.link;
  const earlier = related.length === 0 ? [] : sentencesOf(related).map(aisPart);
  const bits = joinParts(
    earlier.filter((one) => one !== null),
    part,
  );
  const content = bits === null ? null : readAis(bits);
  if (content === null) {
    return () => `part ${part.part} of ${part.parts} of an AIS message`;
  }
  const { message, type, mmsi, fields } = content;
  draft.message = `AIS ${type}`;
  draft.who = String(mmsi).padStart(9, '0');
  draft.fields.push(...fields);
  return () => rowOf(fields, words(message.row), (name) => aisWords(message, name)) || message.name;
}

function aisWords({ fields }: AisMessage, own: string): RowWords {
  const label = fields.find(([name]) => name === own)?.[2]?.label;
  const decimals = own === 'lat' || own === 'lon' ? { decimals: 6 } : {};
  return label === undefined ? decimals : { ...decimals, label };
}

const alone: FrameLink = { role: 'notice', to: null, ms: null, missing: 0, related: [] };

/** Types whose sentences belong together. */
const linkedTypes: ReadonlySet<string> = new Set(['GSA', 'GSV', 'RTE', 'TXT', 'VDM', 'VDO']);

/** Returns the three letters of a standard type, which end the address. */
function typeOf(frame: Uint8Array): string {
  const comma = frame.indexOf(0x2c, frame[0] === 0x5c ? frame.indexOf(0x5c, 1) : 0);
  return comma < 3 ? '' : latinText(frame, comma - 3, comma);
}

/** True for an AIS message in one sentence: `!AIVDM,1,1,`. */
function isWholeAis(type: string, frame: Uint8Array): boolean {
  const comma = type.startsWith('VD') && frame[0] === 0x21 ? frame.indexOf(0x2c) : -1;
  return comma !== -1 && wholeAis.every((byte, index) => frame[comma + index] === byte);
}

/** `,1,1,` */
const wholeAis = [0x2c, 0x31, 0x2c, 0x31, 0x2c];

/** Keeps what sentences need from earlier ones: parts of AIS messages, satellites in use, numbers of parts. */
class NmeaConversation implements StepConversation {
  readonly #ais = new AisParts();
  readonly #used = new UsedLists();
  readonly #parts = new Map<string, { readonly parts: number; readonly part: number }>();

  add({ bytes, from, to }: ConversationFrame): FrameLink | undefined {
    const type = typeOf(bytes);
    if (type !== 'GSA') {
      this.#used.endPosition();
    }
    const isLinked = linkedTypes.has(type) && !(this.#ais.isIdle && isWholeAis(type, bytes));
    const sentence = isLinked ? parseSentence(bytes) : null;
    if (sentence === null) {
      return alone;
    }
    this.#used.add(sentence, bytes, from, to);
    const part = aisPart(sentence);
    const related = part === null ? this.#relatedTo(sentence) : this.#ais.add(part, bytes);
    return { ...alone, missing: this.#missingBefore(sentence), related };
  }

  #relatedTo(sentence: Sentence): readonly Uint8Array[] {
    return sentence.type === 'GSV' ? this.#used.about(systemOf(sentence)) : [];
  }

  /** Returns the number of parts that are missing before this one. */
  #missingBefore({ address, type, cells }: Sentence): number {
    if (type !== 'GSV' && type !== 'TXT' && type !== 'RTE') {
      return 0;
    }
    const [parts, part] = [Number(cells[0]?.text), Number(cells[1]?.text)];
    if (!Number.isInteger(parts) || !Number.isInteger(part) || part < 1 || part > parts) {
      return 0;
    }
    // Signals of one system are listed one after the other.
    const signal = type === 'GSV' && cells.length % 4 === 0 ? cells.at(-1)?.text : '';
    const key = `${address.text} ${signal}`;
    const before = this.#parts.get(key);
    if (before === undefined && this.#parts.size >= MAX_SEQUENCES) {
      this.#parts.clear();
    }
    this.#parts.set(key, { parts, part });
    if (before === undefined) {
      return 0;
    }
    const isOpen = before.part < before.parts;
    if (isOpen && part > before.part) {
      return part - before.part - 1;
    }
    return (isOpen ? before.parts - before.part : 0) + part - 1;
  }
}

/** Sequences of parts that are followed at the same time: talkers, types and signals. */
const MAX_SEQUENCES = 256;
