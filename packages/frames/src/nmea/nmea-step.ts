/** Step `nmea`: sentences of NMEA 0183, their cells by name, satellites across systems, and AIS. */
import type { DecodedField, FrameLink } from '../frame-types.ts';
import type { ConversationFrame, FrameDraft, Step, StepConversation } from '../steps/step-types.ts';
import { AisParts, type AisValue, aisPart, joinParts, readAis } from './ais.ts';
import { type CellField, cellFields, rowOf, words } from './cells.ts';
import { sentenceRules } from './nmea-sentences.ts';
import { isUsed, systemOf, UsedLists, usedNumbers } from './satellites.ts';
import { measureSentence, parseSentence, type Sentence, type TagBlock } from './sentence.ts';

export const nmeaStep: Step = {
  prepare: () => ({
    firstBytes: [0x24, 0x21, 0x5c],
    measure: measureSentence,
    decode,
    describeBroken,
    whoOfBroken: (frame) => parseSentence(frame)?.talker || null,
    converse: () => new NmeaConversation(),
  }),
};

function ruleOf({ type, address, cells }: Sentence) {
  return sentenceRules[`${address.text},${cells[0]?.text ?? ''}`] ?? sentenceRules[type];
}

function decode(draft: FrameDraft): void {
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
  const fields = cellFields(rule, sentence);
  draft.fields.push(...fields.map(fieldOf));
  draft.sentence = rule === undefined ? formOf(sentence) : rowOf(fields, words(rule.row));
  const more = particular[type];
  if (more !== undefined) {
    more(draft, sentence, fields);
  }
  if (sentence.checksumCell !== null) {
    const { text, from, to } = sentence.checksumCell;
    draft.fields.push({ name: 'checksum', value: text, named: sentence.checksum, from, to });
  }
  if (draft.sentence === '') {
    draft.sentence = fields.some(({ value }) => value !== null) ? (rule?.name ?? formOf(sentence)) : 'no values';
  }
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

/** Returns a field without the parts that only a row needs. */
function fieldOf({ label: _label, decimals: _decimals, ...field }: CellField): DecodedField {
  return field;
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

type Particular = (draft: FrameDraft, sentence: Sentence, fields: readonly CellField[]) => void;

/** Types of sentences whose meaning lies in more than one cell or sentence. */
const particular: Readonly<Record<string, Particular>> = {
  GSA: decodeUsed,
  GSV: decodeInView,
  VDM: decodeAis,
  VDO: decodeAis,
  XDR: decodeTransducers,
};

function decodeUsed(draft: FrameDraft, sentence: Sentence): void {
  const numbers = usedNumbers(sentence);
  const system = systemOf(sentence);
  const [first, last] = [sentence.cells[2], sentence.cells[13]];
  if (first !== undefined && last !== undefined) {
    draft.fields.push({
      name: 'used',
      value: numbers.length,
      ...(numbers.length === 0 ? {} : { how: `counted: ${numbers.join(', ')}` }),
      from: first.from,
      to: last.to,
    });
  }
  const used = numbers.length === 0 ? 'none used' : `used ${numbers.join(', ')}`;
  draft.sentence = [[system, used].filter(Boolean).join(' '), draft.sentence].filter(Boolean).join(', ');
}

function decodeInView(draft: FrameDraft, sentence: Sentence, fields: readonly CellField[]): void {
  const lists = sentencesOf(draft.link.related);
  const system = systemOf(sentence);
  const shown: string[] = [];
  for (const field of fields.filter(({ name, value }) => /^prn\d+$/.test(name) && typeof value === 'number')) {
    const number = field.name.slice('prn'.length);
    const used = isUsed(lists, system, field.value as number);
    if (used !== null) {
      draft.fields.push({ name: `used${number}`, value: used, from: field.from, to: field.to });
    }
    const strength = fields.find(({ name }) => name === `snr${number}`)?.value ?? null;
    const about = [
      strength === null ? 'no signal' : `${strength} dB-Hz`,
      ...(used === null ? [] : [used ? 'used' : 'not used']),
    ];
    shown.push(`${field.value} ${about.join(' ')}`);
  }
  const text = (name: string) => fields.find((field) => field.name === name)?.value ?? '?';
  const head = `${text('in_view')} ${system ?? 'satellites'} in view, part ${text('part')} of ${text('parts')}`;
  draft.sentence = shown.length === 0 ? head : `${head}: ${shown.join(', ')}`;
}

function sentencesOf(frames: readonly Uint8Array[]): Sentence[] {
  return frames.map(parseSentence).filter((sentence) => sentence !== null);
}

function decodeTransducers(draft: FrameDraft, _sentence: Sentence, fields: readonly CellField[]): void {
  const rows: string[] = [];
  for (let number = 1; fields.some(({ name }) => name === `measured${number}`); number++) {
    const of = (name: string) => fields.filter((field) => field.name === `${name}${number}`);
    const name = of('measured_name')[0]?.value ?? of('transducer')[0]?.named ?? `transducer ${number}`;
    rows.push(`${name} ${rowOf(of('measured'), [`measured${number}`]) || 'no value'}`);
  }
  draft.sentence = rows.join(', ');
}

function decodeAis(draft: FrameDraft, sentence: Sentence): void {
  const part = aisPart(sentence);
  if (part === null) {
    draft.sentence = 'AIS that cannot be read';
    return;
  }
  const earlier = sentencesOf(draft.link.related).map(aisPart);
  const bits = joinParts(
    earlier.filter((one) => one !== null),
    part,
  );
  const content = bits === null ? null : readAis(bits);
  if (content === null) {
    draft.sentence = `part ${part.part} of ${part.parts} of an AIS message`;
    return;
  }
  draft.message = `AIS ${content.type}`;
  draft.who = String(content.mmsi).padStart(9, '0');
  draft.fields.push(...content.values.map(aisField));
  const rows: readonly CellField[] = content.values.map((value) => ({
    ...value,
    ...(value.name === 'lat' || value.name === 'lon' ? { decimals: 6 } : {}),
  }));
  draft.sentence = rowOf(rows, content.row) || content.name;
}

function aisField({ label: _label, name, ...field }: AisValue): DecodedField {
  const { raw, ...rest } = field;
  return { name: name === 'type' ? 'ais' : name, ...rest, ...(raw === field.value ? {} : { raw }) };
}

/** Keeps what sentences need from earlier ones: parts of AIS messages, satellites in use, numbers of parts. */
class NmeaConversation implements StepConversation {
  readonly #ais = new AisParts();
  readonly #used = new UsedLists();
  readonly #parts = new Map<string, { readonly parts: number; readonly part: number }>();

  add({ bytes, from, to }: ConversationFrame): FrameLink | undefined {
    const sentence = parseSentence(bytes);
    if (sentence === null) {
      return undefined;
    }
    this.#used.add(sentence, bytes, from, to);
    const part = aisPart(sentence);
    const related = part === null ? this.#relatedTo(sentence) : this.#ais.add(part, bytes);
    return { role: 'notice', to: null, ms: null, missing: this.#missingBefore(sentence), related };
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
