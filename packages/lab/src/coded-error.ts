/** A failure from a closed list, with a code for programs and a sentence for people. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(name: string, code: Code, texts: Readonly<Record<Code, string>>, options?: ErrorOptions) {
    super(texts[code], options);
    this.name = name;
    this.code = code;
  }
}
