/** Step `at`: which lines belong to which command, and their parameters by name. */
import type { DecodedField, Direction, FrameLink } from '../frame-types.ts';
import { answerTo, type OpenQuestion, OpenQuestions } from '../open-questions.ts';
import type { ConversationFrame, FrameDraft, Step, StepConversation } from '../steps/step-types.ts';
import { type AtLine, commandNames, isCommand, measureLine, type NamedLine, parseLine, parseNamed } from './at-line.ts';
import {
  ANSWER_LIMIT,
  answersWithText,
  connectionFinals,
  equipmentErrors,
  finals,
  messageErrors,
  noticeLines,
  noticeNames,
  noticesWithText,
  numericResults,
  parameterNames,
  parameterValues,
  questionForms,
  registrationNames,
  slowCommands,
  successes,
} from './at-tables.ts';

export const atStep: Step = {
  prepare: (_decoder, settings) => ({
    measure: measureLine,
    decode,
    converse: () => new AtConversation(settings.answerLimit),
  }),
};

/** Part of a line in the conversation. */
type Role = 'command' | 'echo' | 'line' | 'final' | 'prompt' | 'text' | 'notice';

/** A command that was sent, until its result. */
interface Command extends OpenQuestion {
  readonly text: string;
  readonly names: readonly string[];
  isEchoed: boolean;
  isDone: boolean;
  /** True after a prompt: what is sent next is text. */
  takesText: boolean;
  /** Texts that were sent and may be echoed, as they were sent. */
  texts: Uint8Array[];
  /** True after its first line. */
  hasAnswer: boolean;
}

class AtConversation implements StepConversation {
  readonly #limit: number | undefined;
  #command: Command | null = null;
  /** Commands without a result. */
  readonly #open = new OpenQuestions<Command>();
  /** True if the next line is the text of a notice. */
  #hasNoticeText = false;

  constructor(limit: number | undefined) {
    this.#limit = limit;
  }

  add(frame: ConversationFrame): FrameLink {
    const line = parseLine(frame.bytes);
    const role = frame.direction === 'sent' ? this.#sent(line, frame.bytes) : this.#received(line, frame.bytes);
    if (role === 'command') {
      this.#begin(frame, line.text);
      return { role: 'question', to: null, ms: null, missing: 0, related: [] };
    }
    const command = this.#command;
    if (role === 'notice' || command === null) {
      return { role: 'notice', to: null, ms: null, missing: 0, related: [] };
    }
    if (role === 'final') {
      command.isDone = true;
      this.#open.close(command);
    }
    return answerTo(command, frame.from, role === 'echo' ? this.#takeEchoed(line.text) : []);
  }

  /** Returns the sent text that this line echoes, which is then not expected again. */
  #takeEchoed(text: string): readonly Uint8Array[] {
    const texts = this.#command?.texts ?? [];
    const place = texts.findIndex((one) => parseLine(one).text === text);
    return place < 0 ? [] : texts.splice(place, 1);
  }

  unanswered(now: number) {
    return this.#open.unanswered(now);
  }

  #begin({ bytes, index, from, to }: ConversationFrame, text: string): void {
    const limit = this.#limit ?? slowCommands.find(([command]) => command.test(text))?.[1] ?? ANSWER_LIMIT;
    this.#command = {
      index,
      bytes,
      text,
      names: commandNames(text),
      to,
      limit,
      rival: '',
      isEchoed: false,
      isDone: false,
      takesText: false,
      texts: [],
      hasAnswer: false,
    };
    this.#open.ask(this.#command, from);
  }

  #sent(line: AtLine, bytes: Uint8Array): Role {
    const command = this.#command;
    if (command?.takesText === true) {
      command.takesText = line.end !== 'text' && line.end !== 'cancel';
      command.texts.push(bytes);
      return 'text';
    }
    return isCommand(line.text) ? 'command' : 'notice';
  }

  #received(line: AtLine, bytes: Uint8Array): Role {
    const command = this.#command;
    if (this.#hasNoticeText && !line.isHeaded) {
      this.#hasNoticeText = false;
      return 'notice';
    }
    this.#hasNoticeText = false;
    if (command === null || (command.isDone && line.end !== 'prompt' && !isLateFinal(line))) {
      // If only the modem is heard, its echo is the command.
      return isCommand(line.text) ? 'command' : this.#notice(line, bytes);
    }
    if (line.text === command.text && !command.isEchoed) {
      command.isEchoed = true;
      return 'echo';
    }
    if (line.end === 'prompt') {
      command.takesText = true;
      return 'prompt';
    }
    if (command.texts.some((one) => parseLine(one).text === line.text)) {
      return 'echo';
    }
    if (!line.isHeaded && command.names.some((name) => answersWithText.has(name)) && command.hasAnswer) {
      return 'line';
    }
    if (isFinal(line, command.text)) {
      return 'final';
    }
    if (isCommand(line.text) && command.isEchoed) {
      return 'command';
    }
    const named = parseNamed(bytes, line);
    if (isNotice(line, named, command)) {
      return this.#notice(line, bytes);
    }
    command.hasAnswer = true;
    return 'line';
  }

  #notice(line: AtLine, bytes: Uint8Array): Role {
    this.#hasNoticeText = noticesWithText.has(parseNamed(bytes, line)?.name ?? '');
    return 'notice';
  }
}

/** Results that follow text, after a first result of the same command. */
function isLateFinal({ text }: AtLine): boolean {
  return /^(?:SEND OK|SEND FAIL|CONNECT OK|CONNECT FAIL)$/.test(text);
}

/** True for a final result code of this command. */
function isFinal(line: AtLine, command: string): boolean {
  const { text } = line;
  if (!line.isHeaded && commandNames(command).some((name) => answersWithText.has(name))) {
    // A blank line stands before a result code, and none before the text of a message.
    return false;
  }
  if (line.end === 'cr' && !line.isHeaded) {
    const word = numericResults[text];
    return word !== undefined && word !== 'RING' && (!connectionFinals.test(word) || makesConnection(command));
  }
  return finals.test(text) || (connectionFinals.test(text) && makesConnection(command));
}

function makesConnection(command: string): boolean {
  return /^at(?:(?:&?[a-z]\d*)*?[dao]|\+cgdata)/i.test(command);
}

/** True for a line that a command did not ask for. */
function isNotice({ text }: AtLine, named: NamedLine | null, { names, text: command }: Command): boolean {
  if (noticeLines.test(text) || connectionFinals.test(text)) {
    // ESP modules say CONNECT before the result of a command that opens a connection.
    return !/^at\+cipstart/i.test(command);
  }
  if (named === null) {
    return false;
  }
  const { name, rest } = named;
  if (names.includes(name)) {
    const form = questionForms.get(name);
    return form !== undefined && (!command.trimEnd().endsWith('?') || !form.test(rest));
  }
  return names.length > 0 || noticeNames.has(name);
}

/** Role of a line that is read again: what it belongs to is known by its link. */
function roleOf(line: AtLine, link: FrameLink, direction: Direction): Role {
  const [command, text] = link.related.map((bytes) => parseLine(bytes).text);
  if (link.role === 'question') {
    return 'command';
  }
  if (command === undefined) {
    return 'notice';
  }
  if (direction === 'sent') {
    return 'text';
  }
  if (line.end === 'prompt') {
    return 'prompt';
  }
  if (line.text === command || line.text === text) {
    return 'echo';
  }
  return isFinal(line, command) ? 'final' : 'line';
}

function decode(draft: FrameDraft): void {
  const line = parseLine(draft.wire);
  const [question] = draft.link.related;
  const command = question === undefined ? null : parseLine(question).text;
  const role = roleOf(line, draft.link, draft.direction);
  const named = parseNamed(draft.wire, line);
  const range = { from: line.from, to: line.to };
  draft.who = null;
  draft.message = role === 'command' || command !== null ? nameOf(command ?? line.text) : noticeName(line.text, named);
  draft.key = draft.message;
  draft.sentence = line.text;
  draft.fields.push({ name: role === 'command' ? 'command' : 'text', value: line.text, ...range });
  draft.fields.push({ name: 'role', value: role, from: 0, to: 0 });
  if (role === 'final') {
    decodeFinal(draft, line, named);
  } else if (named !== null && (role === 'line' || role === 'notice')) {
    draft.fields.push(...parameterFields(named, role));
  }
}

/** Name of a line that belongs to no command. Any other text has one name, so that the overview has one row for it. */
function noticeName(text: string, named: NamedLine | null): string {
  return named?.name ?? (noticeLines.test(text) || connectionFinals.test(text) || finals.test(text) ? text : 'text');
}

/** Command without its parameters: `AT+CREG?`, `AT+CMGS=`, `ATD`. */
function nameOf(command: string): string {
  return /^at(?:[+^%#$*&@_!]\w+(?:=\?|\?|=)?|&?[a-z])?/i.exec(command)?.[0].toUpperCase() ?? command;
}

function decodeFinal(draft: FrameDraft, line: AtLine, named: NamedLine | null): void {
  const text = line.end === 'cr' ? (numericResults[line.text] ?? line.text) : line.text;
  const isRight = successes.test(text);
  const code = named?.rest ?? '';
  const word = (named?.name === '+CMS ERROR' ? messageErrors : equipmentErrors)[code];
  draft.fields.push({
    name: 'result',
    value: line.text,
    ...(word !== undefined && { named: word }),
    ...(text !== line.text && { named: text }),
    from: line.from,
    to: line.to,
  });
  draft.fields.push({ name: 'ok', value: isRight, from: line.from, to: line.to });
  draft.sentence = word === undefined ? text : `${text}: ${word}`;
  if (!isRight) {
    draft.kind = 'exception';
  }
}

function parameterFields({ name, parameters }: NamedLine, role: Role): DecodedField[] {
  const isRegistration = questionForms.has(name);
  const names = isRegistration ? registrationNames[role === 'line' ? 'answer' : 'notice'] : parameterNames[name];
  return parameters.map(({ text, from, to }, index) => {
    const own = names?.[index] ?? `p${index + 1}`;
    const isNumber = /^-?\d{1,15}$/.test(text);
    const value = text === '' ? null : isNumber ? Number(text) : text.replace(/^"(.*)"$/, '$1');
    const named = own === 'rssi' && isNumber ? strength(Number(text)) : parameterValues[own]?.[text];
    return { name: own, value, ...(named !== undefined && { named }), from, to };
  });
}

/** Received signal strength (27.007, 8.5). */
function strength(rssi: number): string | undefined {
  if (rssi === 99) {
    return 'unknown';
  }
  return rssi >= 0 && rssi <= 31 ? `${rssi === 0 ? '≤ ' : rssi === 31 ? '≥ ' : ''}${2 * rssi - 113} dBm` : undefined;
}
