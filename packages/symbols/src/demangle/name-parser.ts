/** Parses mangled names of functions and variables (Itanium C++ ABI, 5.1.2 to 5.1.4 and 5.1.7). */
import { composed, functionEncoding, type Part, scoped, templated, text, write } from './nodes.ts';
import { operators, specialNames } from './tables.ts';
import { TypeParser } from './type-parser.ts';

const anonymousNamespace = /^_GLOBAL__N/;

/** Properties of a function's name that determine the rest of its encoding. */
interface NameState {
  /** True for constructors, destructors and conversions, whose encoding has no result. */
  isWithoutResult: boolean;
  endsWithTemplateArguments: boolean;
  qualifiers: string;
}

export class NameParser extends TypeParser {
  /** Parses the whole name, with any suffix that a compiler appended after a dot. */
  parse(): Part {
    const { input } = this;
    const encoding = this.parseEncoding();
    if (input.look() === '.') {
      const suffix = input.rest;
      return composed((pen) => `${write(encoding, pen)} (${suffix})`, '');
    }
    return input.atEnd ? encoding : input.fail();
  }

  protected parseEncoding(): Part {
    const known = this.input.templateArguments;
    this.input.templateArguments = [];
    const encoding = this.input.deeper(() => this.#parseEncoding());
    this.input.templateArguments = known;
    return encoding;
  }

  #parseEncoding(): Part {
    const { input } = this;
    if (input.look() === 'G' || input.look() === 'T') {
      return this.#parseSpecialName();
    }
    const state: NameState = { isWithoutResult: false, endsWithTemplateArguments: false, qualifiers: '' };
    const name = this.#parseName(state);
    if (this.#isEndOfEncoding()) {
      return name;
    }
    const result = !state.isWithoutResult && state.endsWithTemplateArguments ? this.parseType() : undefined;
    const parameters: Part[] = [];
    if (!input.takeIf('v')) {
      do {
        parameters.push(this.parseType());
      } while (!this.#isEndOfEncoding());
    }
    return functionEncoding(name, result, parameters, state.qualifiers);
  }

  #isEndOfEncoding(): boolean {
    return this.input.atEnd || /[E._]/.test(this.input.look());
  }

  #parseSpecialName(): Part {
    const { input } = this;
    const isThunk = input.look() === 'T' && /[hv]/.test(input.look(1));
    if (isThunk) {
      input.take();
      const kind = input.look() === 'v' ? 'virtual thunk to ' : 'non-virtual thunk to ';
      this.#skipCallOffset();
      const target = this.parseEncoding();
      return composed((pen) => kind + write(target, pen), '');
    }
    const special = specialNames[input.take() + input.take()] ?? input.fail();
    const subject = special.of === 'type' ? this.parseType() : this.parseName();
    return composed((pen) => special.text + write(subject, pen), '');
  }

  #skipCallOffset(): void {
    const { input } = this;
    const isVirtual = input.take() === 'v';
    input.signedNumber();
    input.expect('_');
    if (isVirtual) {
      input.signedNumber();
      input.expect('_');
    }
  }

  protected parseName(): Part {
    return this.#parseName(undefined);
  }

  /**
   * Parses a name.
   *
   * @param state Undefined inside of a type: the name is then not a function's.
   */
  #parseName(state: NameState | undefined): Part {
    const { input } = this;
    if (input.look() === 'N') {
      return input.deeper(() => this.#parseNestedName(state));
    }
    if (input.look() === 'Z') {
      return input.deeper(() => this.#parseLocalName(state));
    }
    if (input.look() === 'S' && input.look(1) !== 't') {
      const name = this.parseSubstitution();
      return input.look() === 'I' ? this.#withArguments(name, state) : input.fail();
    }
    const isStandard = input.takeIf('St');
    const own = this.#parseUnqualifiedName(state);
    const name = isStandard ? scoped(text('std'), own) : own;
    if (input.look() !== 'I') {
      return name;
    }
    this.remember(name);
    return this.#withArguments(name, state);
  }

  #withArguments(name: Part, state: NameState | undefined): Part {
    const parts = this.parseTemplateArguments(state !== undefined);
    if (state !== undefined) {
      state.endsWithTemplateArguments = true;
    }
    return templated(name, parts);
  }

  #parseNestedName(state: NameState | undefined): Part {
    const { input } = this;
    input.expect('N');
    const qualifiers = this.parseQualifiers();
    const referenceQualifier = input.takeIf('O') ? ' &&' : input.takeIf('R') ? ' &' : '';
    if (state !== undefined) {
      state.qualifiers = qualifiers + referenceQualifier;
    }
    let soFar: Part | undefined = input.takeIf('St') ? text('std') : undefined;
    while (!input.takeIf('E')) {
      input.takeIf('L');
      if (state !== undefined) {
        state.endsWithTemplateArguments = false;
      }
      soFar = this.#parseComponent(soFar, state);
    }
    // Only the parser of a type remembers the whole nested name.
    return soFar !== undefined && input.substitutions.pop() !== undefined ? soFar : input.fail();
  }

  #parseComponent(soFar: Part | undefined, state: NameState | undefined): Part {
    const { input } = this;
    const code = input.look();
    const under = (name: Part) => this.remember(soFar === undefined ? name : scoped(soFar, name));
    if (code === 'T') {
      return under(this.parseTemplateParameter());
    }
    if (code === 'I') {
      return soFar === undefined ? input.fail() : this.remember(this.#withArguments(soFar, state));
    }
    if (code === 'S' && input.look(1) !== 't') {
      const name = this.parseSubstitution();
      return soFar === undefined ? name : under(name);
    }
    if (code === 'C' || (code === 'D' && /[0-5]/.test(input.look(1)))) {
      return soFar === undefined ? input.fail() : this.#parseConstructor(soFar, state);
    }
    return under(this.#parseUnqualifiedName(state));
  }

  /** Parses a constructor or destructor, which has the name of its class. */
  #parseConstructor(owner: Part, state: NameState | undefined): Part {
    const { input } = this;
    const isDestructor = input.take() === 'D';
    const isInherited = !isDestructor && input.takeIf('I');
    if (!/[0-5]/.test(input.take())) {
      input.fail();
    }
    if (isInherited) {
      this.parseName();
    }
    if (state !== undefined) {
      state.isWithoutResult = true;
    }
    const scope = owner.full === undefined ? owner : text(owner.full, owner.base);
    const name = scoped(scope, text((isDestructor ? '~' : '') + owner.base));
    return this.remember(this.parseAbiTags(name));
  }

  /** Parses a name inside of a function. */
  #parseLocalName(state: NameState | undefined): Part {
    const { input } = this;
    input.expect('Z');
    const around = this.parseEncoding();
    input.expect('E');
    if (input.takeIf('s')) {
      this.#skipDiscriminator();
      return scoped(around, text('string literal'));
    }
    if (input.takeIf('d')) {
      input.digits();
      input.expect('_');
      return scoped(around, this.#parseName(state));
    }
    const name = this.#parseName(state);
    this.#skipDiscriminator();
    return scoped(around, name);
  }

  #skipDiscriminator(): void {
    const { input } = this;
    if (input.takeIf('__')) {
      input.digits();
      input.expect('_');
    } else if (input.look() === '_' && /[0-9]/.test(input.look(1))) {
      input.take();
      input.take();
    }
  }

  #parseUnqualifiedName(state: NameState | undefined): Part {
    const { input } = this;
    input.takeIf('L');
    const code = input.look();
    const name =
      code === 'U' ? this.#parseUnnamed() : /[1-9]/.test(code) ? this.#parseSourceName() : this.#parseOperator(state);
    return this.parseAbiTags(name);
  }

  #parseSourceName(): Part {
    const name = this.parseLengthAndText();
    return text(anonymousNamespace.test(name) ? '(anonymous namespace)' : name);
  }

  #parseUnnamed(): Part {
    const { input } = this;
    if (input.takeIf('Ut')) {
      const number = input.digits();
      input.expect('_');
      return text(`'unnamed${number}'`);
    }
    input.expect('Ul');
    const wasInLambda = this.isInLambda;
    this.isInLambda = true;
    const parameters: Part[] = [];
    if (!input.takeIf('vE')) {
      do {
        parameters.push(this.parseType());
      } while (!input.takeIf('E'));
    }
    this.isInLambda = wasInLambda;
    const number = input.digits();
    input.expect('_');
    const left = parameters.length === 0 ? text('') : functionEncoding(text(''), undefined, parameters, '');
    return composed((pen) => `'lambda${number}'${parameters.length === 0 ? '()' : write(left, pen)}`, '');
  }

  #parseOperator(state: NameState | undefined): Part {
    const { input } = this;
    const code = input.take() + input.take();
    if (code === 'cv') {
      const type = this.parseType();
      if (state !== undefined) {
        state.isWithoutResult = true;
      }
      return composed((pen) => `operator ${write(type, pen)}`, '');
    }
    if (code === 'li') {
      return text(`operator"" ${this.parseLengthAndText()}`);
    }
    return text(`operator${operators[code] ?? input.fail()}`);
  }
}
