/** A failure from a closed list: a code for programs, its sentence for people. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(name: string, code: Code, texts: Readonly<Record<Code, string>>, options?: ErrorOptions) {
    super(texts[code], options);
    this.name = name;
    this.code = code;
  }
}
