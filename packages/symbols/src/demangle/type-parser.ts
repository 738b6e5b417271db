/** Parses types and template arguments of mangled names (Itanium C++ ABI, 5.1.5 and 5.1.6). */
import { MangledText } from './mangled-text.ts';
import {
  argumentPack,
  array,
  composed,
  expansion,
  functionType,
  memberPointer,
  type Part,
  pack,
  pointer,
  qualified,
  reference,
  templated,
  text,
  write,
} from './nodes.ts';
import { builtinTypes, literalTypes, moreBuiltinTypes, standardNames } from './tables.ts';

export abstract class TypeParser {
  protected readonly input: MangledText;
  /** True inside of a lambda's parameters, where `T_` is one that the lambda declares with `auto`. */
  protected isInLambda = false;

  constructor(mangled: string, at: number) {
    this.input = new MangledText(mangled, at);
  }

  protected abstract parseName(): Part;
  protected abstract parseEncoding(): Part;

  protected parseType(): Part {
    return this.input.deeper(() => this.#parseType());
  }

  #parseType(): Part {
    const { input } = this;
    const code = input.look();
    const builtin = builtinTypes[code];
    if (builtin !== undefined) {
      input.take();
      return text(builtin);
    }
    if (code === 'D' && moreBuiltinTypes[input.look(1)] !== undefined) {
      input.take();
      return text(moreBuiltinTypes[input.take()] ?? '');
    }
    if (code === 'S' && input.look(1) !== 't') {
      const name = this.parseSubstitution();
      if (input.look() !== 'I') {
        return name;
      }
      return this.remember(templated(name, this.parseTemplateArguments(false)));
    }
    return this.remember(this.#parseCompound());
  }

  #parseCompound(): Part {
    const { input } = this;
    switch (input.look()) {
      case 'r':
      case 'V':
      case 'K':
        return this.#parseQualified();
      case 'P':
        input.take();
        return pointer(this.parseType());
      case 'R':
        input.take();
        return reference(this.parseType(), false);
      case 'O':
        input.take();
        return reference(this.parseType(), true);
      case 'F':
        return this.#parseFunction('');
      case 'A':
        return this.#parseArray();
      case 'M':
        return this.#parseMemberPointer();
      case 'T':
        return this.#parseParameterType();
      case 'D':
        input.expect('Dp');
        return expansion(this.parseType());
      default:
        return this.parseName();
    }
  }

  #parseQualified(): Part {
    const qualifiers = this.parseQualifiers();
    return this.input.look() === 'F' ? this.#parseFunction(qualifiers) : qualified(this.parseType(), qualifiers);
  }

  /** Returns the qualifiers in LLVM's order. */
  protected parseQualifiers(): string {
    const isRestrict = this.input.takeIf('r');
    const isVolatile = this.input.takeIf('V');
    const isConst = this.input.takeIf('K');
    return (isConst ? ' const' : '') + (isVolatile ? ' volatile' : '') + (isRestrict ? ' restrict' : '');
  }

  #parseFunction(qualifiers: string): Part {
    const { input } = this;
    input.expect('F');
    input.takeIf('Y');
    const result = this.parseType();
    const parameters: Part[] = [];
    let referenceQualifier = '';
    while (!input.takeIf('E')) {
      if (input.takeIf('RE')) {
        referenceQualifier = ' &';
        break;
      }
      if (input.takeIf('OE')) {
        referenceQualifier = ' &&';
        break;
      }
      if (!input.takeIf('v')) {
        parameters.push(this.parseType());
      }
    }
    return functionType(result, parameters, qualifiers + referenceQualifier);
  }

  #parseArray(): Part {
    const { input } = this;
    input.expect('A');
    const length = input.digits();
    input.expect('_');
    return array(this.parseType(), length);
  }

  #parseMemberPointer(): Part {
    this.input.expect('M');
    const owner = this.parseType();
    return memberPointer(owner, this.parseType());
  }

  /** Parses a template parameter, which may be a template itself. */
  #parseParameterType(): Part {
    const parameter = this.parseTemplateParameter();
    if (this.input.look() !== 'I') {
      return parameter;
    }
    this.remember(parameter);
    return templated(parameter, this.parseTemplateArguments(false));
  }

  protected parseTemplateParameter(): Part {
    const { input } = this;
    input.expect('T');
    const index = input.sequenceNumber(10);
    if (this.isInLambda && input.templateArguments.length === 0) {
      return text('auto');
    }
    return input.templateArguments[index] ?? input.fail();
  }

  protected parseSubstitution(): Part {
    const { input } = this;
    input.expect('S');
    const standard = standardNames[input.look()];
    if (standard !== undefined) {
      input.take();
      const name = text(standard.name, standard.base, standard.full);
      const tagged = this.parseAbiTags(name);
      return tagged === name ? name : this.remember(tagged);
    }
    return input.substitutions[input.sequenceNumber(36)] ?? input.fail();
  }

  protected parseAbiTags(name: Part): Part {
    let tagged = name;
    while (this.input.takeIf('B')) {
      const tag = this.parseLengthAndText();
      const untagged = tagged;
      tagged = composed((pen) => `${write(untagged, pen)}[abi:${tag}]`, name.base);
    }
    return tagged;
  }

  protected parseLengthAndText(): string {
    return this.input.takeText(Number(this.input.digits()));
  }

  /**
   * Parses template arguments.
   *
   * @param isOfFunction True: `T_` in the rest of the name refers to these arguments.
   */
  protected parseTemplateArguments(isOfFunction: boolean): Part[] {
    const { input } = this;
    input.expect('I');
    const parts: Part[] = [];
    if (isOfFunction) {
      input.templateArguments = [];
    }
    while (!input.takeIf('E')) {
      const known = input.templateArguments;
      if (isOfFunction) {
        input.templateArguments = [];
      }
      const part = input.deeper(() => this.#parseTemplateArgument());
      input.templateArguments = known;
      parts.push(part);
      if (isOfFunction) {
        known.push(part.pack === undefined ? part : pack(part.pack));
      }
    }
    return parts;
  }

  #parseTemplateArgument(): Part {
    const { input } = this;
    if (input.takeIf('J')) {
      const parts: Part[] = [];
      while (!input.takeIf('E')) {
        parts.push(input.deeper(() => this.#parseTemplateArgument()));
      }
      return argumentPack(parts);
    }
    // An expression (`X`) is not supported.
    return input.look() === 'L' ? this.#parseLiteral() : this.parseType();
  }

  #parseLiteral(): Part {
    const { input } = this;
    input.expect('L');
    if (input.takeIf('_Z') || input.takeIf('Z')) {
      const encoding = this.parseEncoding();
      input.expect('E');
      return encoding;
    }
    if (input.takeIf('b0E')) {
      return text('false');
    }
    if (input.takeIf('b1E')) {
      return text('true');
    }
    if (input.takeIf('DnE') || input.takeIf('Dn0E')) {
      return text('nullptr');
    }
    const builtin = literalTypes[input.look()];
    if (builtin !== undefined) {
      input.take();
      const value = input.signedNumber();
      input.expect('E');
      return text(builtin.length > 3 ? `(${builtin})${value}` : value + builtin);
    }
    if (/[fdegTPAU]/.test(input.look())) {
      // Hexadecimal floating-point literals, strings and pointers are rare and not supported.
      input.fail();
    }
    const type = this.parseType();
    const value = input.signedNumber();
    input.expect('E');
    return composed((pen) => `(${write(type, pen)})${value}`, '');
  }

  protected remember(part: Part): Part {
    this.input.substitutions.push(part);
    return part;
  }
}
