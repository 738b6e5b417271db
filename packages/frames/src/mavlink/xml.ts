/**
 * Elements of an XML file: the part of XML 1.0 that message definitions use. Comments and processing instructions are
 * skipped. A document type is refused, so no entity can grow. Linear in the length of the file.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text directly inside, without that of children, trimmed. */
  readonly text: string;
  /** Line of the start tag, from 1. */
  readonly line: number;
}

/** Limits, so that a hostile file costs bounded time and memory. */
const xmlLimits = { characters: 16 * 1024 * 1024, elements: 500_000, depth: 32 };

/** A file that is not well formed, or beyond the limits. The message is a sentence with the line. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const LINE_FEED = 0x0a;

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

const attributePattern = /\s+([\w:.-]{1,100})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const namePattern = /[A-Za-z_][\w:.-]{0,99}/y;

/** @throws XmlFault */
export function readXml(text: string): XmlElement {
  if (text.length > xmlLimits.characters) {
    throw new XmlFault(`The file is larger than ${xmlLimits.characters / 1024 / 1024} MiB.`);
  }
  return new XmlReader(text).read();
}

class XmlReader {
  readonly #text: string;
  #at = 0;
  #count = 0;
  /** Position and line up to which lines were counted. */
  #counted = 0;
  #line = 1;
  readonly #open: OpenElement[] = [];
  #root: XmlElement | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  read(): XmlElement {
    for (;;) {
      const start = this.#text.indexOf('<', this.#at);
      this.#addText(this.#text.slice(this.#at, start < 0 ? undefined : start));
      if (start < 0) {
        break;
      }
      this.#at = start;
      this.#readMarkup();
    }
    if (this.#open.length > 0) {
      throw this.#fault(`<${this.#open.at(-1)?.name}> has no end`);
    }
    if (this.#root === null) {
      throw this.#fault('there is no element');
    }
    return this.#root;
  }

  #countLines(): number {
    for (; this.#counted < this.#at; this.#counted++) {
      if (this.#text.charCodeAt(this.#counted) === LINE_FEED) {
        this.#line++;
      }
    }
    return this.#line;
  }

  #fault(problem: string): XmlFault {
    return new XmlFault(`Line ${this.#countLines()}: ${problem}.`);
  }

  #skipTo(end: string): string {
    const from = this.#at;
    const at = this.#text.indexOf(end, from);
    if (at < 0) {
      throw this.#fault(`${end} is missing`);
    }
    this.#at = at + end.length;
    return this.#text.slice(from, at);
  }

  #readMarkup(): void {
    if (this.#text.startsWith('<!--', this.#at)) {
      this.#at += 4;
      this.#skipTo('-->');
    } else if (this.#text.startsWith('<![CDATA[', this.#at)) {
      this.#at += 9;
      const text = this.#skipTo(']]>');
      const element = this.#open.at(-1);
      if (element !== undefined) {
        element.text += text;
      }
    } else if (this.#text.startsWith('<?', this.#at)) {
      this.#skipTo('?>');
    } else if (this.#text.startsWith('<!', this.#at)) {
      throw this.#fault('a document type is not read');
    } else if (this.#text.startsWith('</', this.#at)) {
      this.#at += 2;
      this.#close(this.#skipTo('>').trim());
    } else {
      this.#at++;
      this.#readStart();
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) {
      this.#at = pattern.lastIndex;
    }
    return match;
  }

  #readStart(): void {
    const name = this.#take(namePattern)?.[0];
    if (name === undefined) {
      throw this.#fault('a name is missing behind <');
    }
    const line = this.#countLines();
    const attributes = new Map<string, string>();
    for (let match = this.#take(attributePattern); match !== null; match = this.#take(attributePattern)) {
      attributes.set(match[1] ?? '', this.#unescape(match[2] ?? match[3] ?? ''));
    }
    const end = this.#take(/\s*(\/?)>/y);
    if (end === null) {
      throw this.#fault(`the tag <${name}> cannot be read`);
    }
    this.#count++;
    if (this.#count > xmlLimits.elements || this.#open.length >= xmlLimits.depth) {
      throw this.#fault(
        `the file has more than ${xmlLimits.elements} elements, or ${xmlLimits.depth} inside each other`,
      );
    }
    const element: OpenElement = { name, attributes, children: [], text: '', line };
    const parent = this.#open.at(-1);
    if (parent !== undefined) {
      parent.children.push(element);
    } else if (this.#root === null) {
      this.#root = element;
    } else {
      throw this.#fault('there is a second element at the top');
    }
    if (end[1] === '') {
      this.#open.push(element);
    }
  }

  #close(name: string): void {
    const element = this.#open.pop();
    if (element?.name !== name) {
      throw this.#fault(`</${name.slice(0, 100)}> ends ${element === undefined ? 'nothing' : `<${element.name}>`}`);
    }
    element.text = element.text.trim();
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) {
      element.text += this.#unescape(text);
    } else if (text.trim() !== '' && text.trim() !== '\ufeff') {
      throw this.#fault('there is text outside of the element at the top');
    }
  }

  #unescape(text: string): string {
    return text.includes('&')
      ? text.replace(/&(#x?[\da-fA-F]{1,6}|\w{1,10});/g, (_, code: string) => this.#entity(code))
      : text;
  }

  #entity(code: string): string {
    const number = code.startsWith('#x') ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1));
    const character = code.startsWith('#') && number <= 0x10_ffff ? String.fromCodePoint(number) : entities.get(code);
    if (character === undefined) {
      throw this.#fault(`the entity &${code}; is not known`);
    }
    return character;
  }
}
